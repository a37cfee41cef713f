import { SALES_FIELDS } from '../fields/sales-fields.js';
import { differenceOf, type ImportSource } from './check-stored.js';
import { checkTurnovers, type GivenTurnover } from './check-turnovers.js';
import { add, type Decimal, digitsOf, exactNumber } from './decimals.js';
import type { Entry } from './entry.js';
import { type FieldName, fieldsOf, isGiven, type Profile } from './profile.js';
import { ask, type Question } from './question.js';
import type { ReadFile } from './read-sales-file.js';
import { normalHeading } from './table.js';

const MAX_PROBLEMS = 10;
const FIRST_YEAR = '2000';

/** What is known beside the files. */
export interface Surroundings {
  readonly restaurants: readonly { readonly id: number; readonly name: string }[];
  /** The restaurant of each machine or code that a person named, whatever the profile. */
  readonly machines?: ReadonlyMap<string, number>;
  /** The restaurants of the codes of each profile, beside those that it has itself. */
  readonly codes?: ReadonlyMap<string, Readonly<Record<string, number>>>;
  /** The first and the last date that are taken without a question. */
  readonly earliestDate?: string;
  readonly latestDate: string;
  readonly allowOld?: boolean;
  readonly allowFuture?: boolean;
  /** The turnovers that a person gave. */
  readonly turnovers?: readonly GivenTurnover[];
  /** Whether a day without a given turnover is refused once there is one. */
  readonly everyDayIsGiven?: boolean;
}

/** One upload: the hours of a restaurant and a date, added up over files and tills. */
export interface PlannedDay {
  readonly restaurantId: number;
  /** How the files name the restaurant. */
  readonly restaurant: string;
  readonly date: string;
  readonly files: readonly ReadFile[];
  /** Where the hours belong. */
  readonly source: ImportSource;
  readonly records: readonly Readonly<Record<string, unknown>>[];
  /** The lines of each record. */
  readonly lines: readonly (readonly number[])[];
  /** The fields that the files have: the others are 0 because nothing is known of them. */
  readonly fields: readonly FieldName[];
  readonly turnover: string;
  /** What the turnover was compared with. */
  readonly checkedBy: 'file' | 'given' | undefined;
}

export interface PlannedFile {
  readonly name: string;
  readonly problems: readonly string[];
  readonly questions: readonly Question[];
  readonly notes: readonly string[];
  /** How the file names restaurants that nobody told. */
  readonly unassigned: readonly string[];
}

export interface Plan {
  readonly days: readonly PlannedDay[];
  readonly files: readonly PlannedFile[];
  /** The given turnovers of which no file has anything. */
  readonly unread: readonly GivenTurnover[];
}

interface Seen {
  readonly file: ReadFile;
  readonly entry: Entry;
}

interface DraftHour {
  figures: Entry['figures'];
  readonly lines: number[];
  readonly first: Seen;
}

class DraftDay {
  readonly files = new Set<ReadFile>();
  readonly tills = new Set<string>();
  readonly hours = new Map<number, DraftHour>();
  /** The rows by what tells them apart. */
  readonly rows = new Map<string, Seen>();

  constructor(
    readonly restaurantId: number,
    readonly restaurant: string,
    readonly date: string,
  ) {}

  get entries(): Entry[] {
    return [...this.rows.values()].map(({ entry }) => entry);
  }
}

/** Adds the files of a run up to uploads. A file with a problem or a question is left out as a whole. */
export function planUploads(files: readonly ReadFile[], around: Surroundings): Plan {
  const drafts = files.map((file) => ({
    file,
    problems: [...file.problems, ...faultsOfMachines(file, files, around)],
    questions: [...file.questions, ...questionsOfDates(file, around)],
    unassigned: namesOf(file).filter(
      (name) => findRestaurant(name, file.profile, around) === undefined,
    ),
  }));
  // A file that is found bad is left out, and the others are added up without it.
  for (;;) {
    const good = drafts.filter(
      (each) => each.problems.length + each.questions.length + each.unassigned.length === 0,
    );
    const draft = new Draft(
      good.map(({ file }) => file),
      around,
    );
    if (draft.faults.size + draft.questions.size === 0) {
      const planned = drafts.map(({ file, problems, ...others }) => ({
        name: file.name,
        problems: problems.slice(0, MAX_PROBLEMS),
        notes: [...file.notes, ...(draft.notes.get(file) ?? [])],
        ...others,
      }));
      return { days: draft.days(), files: planned, unread: draft.unread };
    }
    for (const each of drafts) {
      each.problems.push(...(draft.faults.get(each.file) ?? []));
      const question = draft.questions.get(each.file);
      if (question) each.questions.push(question);
    }
  }
}

const namesOf = ({ entries }: ReadFile): string[] => [
  ...new Set(entries.map(({ restaurant }) => restaurant)),
];

const sameName = (names: Iterable<string>, text: string): string | undefined =>
  [...names].find((name) => normalHeading(name) === normalHeading(text));

/** Finds the restaurant that a file names: by a code of its profile, as a person told, or by its name. */
export function findRestaurant(
  text: string,
  profile: Profile | undefined,
  around: Surroundings,
): number | undefined {
  const { codes = {}, ids = false } = profile?.restaurant ?? {};
  for (const all of [codes, around.codes?.get(profile?.name ?? '') ?? {}]) {
    const code = sameName(Object.keys(all), text);
    if (code !== undefined) return all[code];
  }
  const machine = sameName(around.machines?.keys() ?? [], text);
  if (machine !== undefined) return around.machines!.get(machine);
  const [named, ...others] = idsByName(around).get(normalHeading(text)) ?? [];
  if (named !== undefined && others.length === 0) return named;
  const isNumber = ids || (profile && isGiven(profile.restaurant));
  return isNumber && /^0*[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined;
}

const namesOfAll = new WeakMap<Surroundings, Map<string, number[]>>();

/** A file may name a thousand restaurants, and a chain has ten thousand. */
function idsByName(around: Surroundings): Map<string, number[]> {
  const known = namesOfAll.get(around);
  if (known) return known;
  const ids = new Map<string, number[]>();
  for (const { id, name } of around.restaurants)
    ids.set(normalHeading(name), [...(ids.get(normalHeading(name)) ?? []), id]);
  namesOfAll.set(around, ids);
  return ids;
}

/** A code of one source does not stand for that of another. */
function faultsOfMachines(
  { profile, ...file }: ReadFile,
  files: readonly ReadFile[],
  { machines = new Map() }: Surroundings,
): string[] {
  const own = namesOf({ profile, ...file } as ReadFile);
  return [...machines.keys()].flatMap((machine) => {
    if (sameName(own, machine) === undefined) return [];
    const other = files.find(
      (each) => each.profile !== profile && sameName(namesOf(each), machine) !== undefined,
    );
    return other
      ? [`${machine} is also named by ${other.name}, of another profile: import them one by one`]
      : [];
  });
}

function questionsOfDates(
  { entries, profile }: ReadFile,
  { earliestDate = FIRST_YEAR, latestDate, allowOld, allowFuture }: Surroundings,
): Question[] {
  const dates = [...new Set(entries.map(({ date }) => date))].sort();
  const [first = latestDate, last = latestDate] = [dates[0], dates.at(-1)];
  const isOld = first < earliestDate && !allowOld && profile?.unchecked !== true;
  const questions = [
    ...(isOld
      ? [ask('given.old', `${first} is long ago: allow it if that is right (--allow-old)`)]
      : []),
    ...(last > latestDate && !allowFuture
      ? [
          ask(
            'given.future',
            `${last} is in the future: allow it if that is right (--allow-future)`,
          ),
        ]
      : []),
  ];
  return questions;
}

/** The days of files that are good so far. */
class Draft {
  private readonly drafts = new Map<string, DraftDay>();
  readonly faults = new Map<ReadFile, Set<string>>();
  readonly questions = new Map<ReadFile, Question>();
  readonly notes = new Map<ReadFile, Set<string>>();
  readonly unread: readonly GivenTurnover[];
  private readonly right: ReadonlySet<DraftDay>;
  /** The restaurants of each file by how it names them. */
  private readonly found = new Map<ReadFile, Map<string, number>>();

  constructor(
    files: readonly ReadFile[],
    private readonly around: Surroundings,
  ) {
    for (const file of files) for (const entry of file.entries) this.add(file, entry);
    const days = [...this.drafts.values()];
    for (const day of days) this.checkFigures(day);
    const { right, faults, unread } = checkTurnovers(days, around.turnovers ?? []);
    this.right = right;
    this.unread = unread;
    for (const fault of faults)
      for (const day of fault.days)
        for (const file of day.files) this.put(this.faults, file, fault.text);
    if (this.faults.size === 0) for (const day of days) this.askForTurnover(day);
  }

  days(): PlannedDay[] {
    return [...this.drafts.values()].map((day) => plannedDay(day, this.right.has(day)));
  }

  private add(file: ReadFile, entry: Entry): void {
    const day = this.dayOf(file, entry);
    const hour = day.hours.get(entry.hour);
    const seen = { file, entry };
    const key = `${normalHeading(entry.till)}\n${entry.part}`;
    const earlier = day.rows.get(key);
    if (earlier) {
      this.repeat(earlier, seen, day);
      return;
    }
    const difference = hour && differenceOf(sourceOf(seen), sourceOf(hour.first));
    if (difference !== undefined) {
      this.repeat(hour!.first, seen, day, `${difference}: they may be the same sales`);
      return;
    }
    day.rows.set(key, seen);
    day.files.add(file);
    if (entry.till !== '') day.tills.add(entry.till);
    if (!hour) {
      const { figures, line } = entry;
      day.hours.set(entry.hour, { figures, lines: [line], first: seen });
      return;
    }
    hour.figures = sumOf(hour.figures, entry.figures);
    hour.lines.push(entry.line);
  }

  private dayOf(file: ReadFile, { restaurant, date }: Entry): DraftDay {
    const found = this.found.get(file) ?? new Map<string, number>();
    this.found.set(file, found);
    const restaurantId =
      found.get(restaurant) ?? findRestaurant(restaurant, file.profile, this.around)!;
    found.set(restaurant, restaurantId);
    const key = `${restaurantId} ${date}`;
    const day = this.drafts.get(key) ?? new DraftDay(restaurantId, restaurant, date);
    this.drafts.set(key, day);
    return day;
  }

  private repeat(earlier: Seen, { file, entry }: Seen, day: DraftDay, advice?: string): void {
    const isSame =
      entry.hour === earlier.entry.hour &&
      SALES_FIELDS.every(({ name }) => entry.figures[name] === earlier.entry.figures[name]);
    if (isSame && earlier.file !== file && advice === undefined) {
      const note = `has hours that ${earlier.file.name} has too, with the same figures: they count once`;
      this.put(this.notes, file, note);
      return;
    }
    const till = entry.till === '' ? '' : `, till ${entry.till}`;
    const hour = `restaurant ${day.restaurantId}, ${day.date}, hour ${entry.hour}${till}`;
    const why =
      advice ??
      'with other figures: import the right one, or name the tills in the profile if they are two';
    const pairs = [
      [file, entry, earlier.file, earlier.entry],
      [earlier.file, earlier.entry, file, entry],
    ] as const;
    for (const [one, { line }, other, { line: there }] of pairs)
      this.put(
        this.faults,
        one,
        `line ${line}: ${hour} is also in ${other.name}, line ${there}, ${why}`,
      );
  }

  /** Refuses sums that no record can hold, in every file that they come from. */
  private checkFigures(day: DraftDay): void {
    for (const [hour, { figures, lines }] of day.hours)
      for (const { name } of SALES_FIELDS) {
        const fault = faultOf(figures[name], name === 'gto');
        if (fault === undefined) continue;
        const text = `line ${lines.slice(0, 20).join(', ')}: hour ${hour} of ${day.date}, ${name}: ${digitsOf(figures[name])} ${fault}`;
        for (const file of day.files) this.put(this.faults, file, text);
      }
  }

  /** Nothing in a file without a date says of which day it is, but for the turnover of that day. */
  private askForTurnover(day: DraftDay): void {
    const { turnovers = [], everyDayIsGiven = false } = this.around;
    if (this.right.has(day)) return;
    const isStrict = everyDayIsGiven && turnovers.length > 0;
    const text = `what is the turnover of restaurant ${day.restaurantId} on ${day.date} by the till's own report? Give it (--turnover)`;
    for (const file of day.files) {
      const { date, control, unchecked } = file.profile!;
      const isNeeded = unchecked !== true && (isGiven(date) || control === 'given');
      if (isNeeded || isStrict) this.questions.set(file, ask('given.turnover', text));
    }
  }

  private put(texts: Map<ReadFile, Set<string>>, file: ReadFile, text: string): void {
    texts.set(file, (texts.get(file) ?? new Set()).add(text));
  }
}

const sourceOf = ({ file, entry }: Seen): ImportSource => ({
  profile: file.profile!.name,
  tills: entry.till === '' ? [] : [entry.till],
});

function faultOf(figure: Decimal, isTurnover: boolean): string | undefined {
  if (figure < 0 && !isTurnover)
    return 'is below zero: if this source writes it with a minus, take its column away in the profile';
  if (figure < 0)
    return 'is below zero, as there are more refunds than sales: take the refund off the hour of its sale, and write 0 here';
  return exactNumber(figure) === undefined ? 'has more than 15 digits' : undefined;
}

function plannedDay(day: DraftDay, isGivenRight: boolean): PlannedDay {
  const { restaurantId, restaurant, date } = day;
  const files = [...day.files];
  const sorted = [...day.hours].sort(([one], [other]) => one - other);
  const records = sorted.map(([hour, { figures }]) => {
    const record: Record<string, unknown> = { restaurant_id: restaurantId, date, hour };
    for (const { name } of SALES_FIELDS) record[name] = exactNumber(figures[name]) ?? NaN;
    return record;
  });
  const lines = sorted.map(([, hour]) => hour.lines);
  const fields = [...new Set(files.flatMap(({ profile }) => fieldsOf(profile!)))];
  const turnover = sorted.reduce<Decimal>((sum, [, { figures }]) => add(sum, figures.gto), 0);
  const source = { profile: files[0]!.profile!.name, tills: [...day.tills].sort() };
  const isTotalled = files.every(({ hasTotal }) => hasTotal);
  const checkedBy = isGivenRight ? 'given' : isTotalled ? 'file' : undefined;
  const what = { restaurantId, restaurant, date, files, source, fields, checkedBy } as const;
  return { ...what, records, lines, turnover: digitsOf(turnover) };
}

function sumOf(one: Entry['figures'], other: Entry['figures']): Entry['figures'] {
  const sum = { ...one };
  for (const { name } of SALES_FIELDS) sum[name] = add(one[name], other[name]);
  return sum;
}
