import { add, type Decimal, decimalOf, digitsOf, exactNumber } from '../fields/decimals.js';
import { SALES_FIELDS } from '../fields/sales-fields.js';
import { differenceOf, type ImportSource } from './check-stored.js';
import { type FieldName, fieldsOf, isGiven, type Profile } from './profile.js';
import { ask, type Question } from './question.js';
import type { ReadFile } from './read-sales-file.js';
import { type Entry, normalHeading } from './table.js';

const MAX_PROBLEMS = 10;
const FIRST_YEAR = '2000';

/** A turnover by the till's own report, of one restaurant and day: the only ones, if not said. */
export interface GivenTurnover {
  readonly restaurantId?: number | undefined;
  /** How the file names the restaurant. */
  readonly restaurant?: string | undefined;
  readonly date?: string | undefined;
  readonly turnover: string;
}

/** What is known beside the files. */
export interface Surroundings {
  readonly restaurants: readonly { readonly id: number; readonly name: string }[];
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
  /** The given turnovers of which no file has anything; empty where a file could not be read. */
  readonly unread: readonly GivenTurnover[];
}

interface Seen {
  readonly file: ReadFile;
  readonly entry: Entry;
}

/** The rows of a restaurant and a date. */
class DraftDay {
  /** The rows by what tells them apart. */
  readonly rows = new Map<string, Seen>();

  constructor(
    readonly restaurantId: number,
    readonly date: string,
  ) {}

  get entries(): Entry[] {
    return [...this.rows.values()].map(({ entry }) => entry);
  }

  get files(): ReadFile[] {
    return [...new Set([...this.rows.values()].map(({ file }) => file))];
  }

  get hours(): [hour: number, rows: Seen[]][] {
    const hours = new Map<number, Seen[]>();
    for (const seen of this.rows.values()) {
      const hour = hours.get(seen.entry.hour);
      if (hour) hour.push(seen);
      else hours.set(seen.entry.hour, [seen]);
    }
    return [...hours].sort(([one], [other]) => one - other);
  }
}

/** Adds the files of a run up to uploads. A file with a problem or a question is left out as a whole. */
export function planUploads(files: readonly ReadFile[], around: Surroundings): Plan {
  const planned = files.map((file) => ({
    ...{ name: file.name, notes: file.notes, problems: [...file.problems] },
    questions: [...file.questions, ...questionsOfDates(file, around)],
    unassigned: namesOf(file).filter(
      (name) => findRestaurant(name, file.profile, around) === undefined,
    ),
  }));
  const isGood = (_: ReadFile, index: number): boolean => {
    const { problems, questions, unassigned } = planned[index]!;
    return problems.length + questions.length + unassigned.length === 0;
  };
  const areAllGood = files.every(isGood);
  let unread: readonly GivenTurnover[] | undefined;
  // A file that is found bad is left out, and the others are added up without it.
  for (;;) {
    const draft = new Draft(files.filter(isGood), around);
    unread ??= areAllGood ? draft.unread : [];
    for (const [index, file] of files.entries()) {
      planned[index]!.problems.push(...(draft.faults.get(file) ?? []));
      planned[index]!.questions.push(...(draft.questions.get(file) ?? []));
    }
    if (draft.faults.size + draft.questions.size === 0)
      return { days: draft.days, files: planned, unread };
  }
}

const namesOf = ({ entries }: ReadFile): string[] => [
  ...new Set(entries.map(({ restaurant }) => restaurant)),
];

/** Finds the restaurant that a file names: by a code of its profile, as a person told, or by its name. */
export function findRestaurant(
  text: string,
  profile: Profile | undefined,
  { restaurants, codes = new Map() }: Surroundings,
): number | undefined {
  const { codes: own, ids } = profile?.restaurant ?? {};
  for (const known of [own ?? {}, codes.get(profile?.name ?? '') ?? {}]) {
    const code = Object.keys(known).find((each) => normalHeading(each) === normalHeading(text));
    if (code !== undefined) return known[code];
  }
  const named = idsByName(restaurants).get(normalHeading(text));
  if (named !== undefined) return named;
  const isNumber = ids === true || (profile && isGiven(profile.restaurant));
  return isNumber && /^0*[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined;
}

const namesOfAll = new WeakMap<Surroundings['restaurants'], Map<string, number | undefined>>();

/** A file may name a thousand restaurants, and a chain has ten thousand; a name of two is of none. */
function idsByName(restaurants: Surroundings['restaurants']): Map<string, number | undefined> {
  const known = namesOfAll.get(restaurants);
  if (known) return known;
  const ids = new Map<string, number | undefined>();
  for (const { id, name } of restaurants) {
    const key = normalHeading(name);
    ids.set(key, ids.has(key) ? undefined : id);
  }
  namesOfAll.set(restaurants, ids);
  return ids;
}

function questionsOfDates(
  { entries, profile }: ReadFile,
  { earliestDate = FIRST_YEAR, latestDate, allowOld, allowFuture }: Surroundings,
): Question[] {
  const dates = [...new Set(entries.map(({ date }) => date))].sort();
  const [first = latestDate, last = latestDate] = [dates[0], dates.at(-1)];
  const questions: Question[] = [];
  const advice = 'allow it if that is right';
  if (first < earliestDate && !allowOld && profile?.unchecked !== true)
    questions.push(ask('given.old', `${first} is long ago: ${advice} (--allow-old)`));
  if (last > latestDate && !allowFuture)
    questions.push(ask('given.future', `${last} is in the future: ${advice} (--allow-future)`));
  return questions;
}

/** The days of files that are good so far. */
class Draft {
  private readonly drafts = new Map<string, DraftDay>();
  readonly faults = new Map<ReadFile, string[]>();
  readonly questions = new Map<ReadFile, Question[]>();
  readonly days: readonly PlannedDay[];
  readonly unread: GivenTurnover[] = [];
  /** The days of which a turnover was given, and is what was read. */
  private readonly right = new Set<DraftDay>();

  constructor(
    files: readonly ReadFile[],
    private readonly around: Surroundings,
  ) {
    for (const [index, file] of files.entries()) {
      const twin = files.slice(0, index).find((earlier) => areSame(earlier, file));
      if (!twin) this.add(file);
      else this.refuse([twin, file], `${twin.name} and ${file.name}: the same file twice`);
    }
    for (const given of around.turnovers ?? []) this.checkTurnover(given);
    const days = [...this.drafts.values()];
    this.days = days.map((day) => this.planned(day));
    if (this.faults.size === 0) for (const day of days) this.askForTurnover(day);
  }

  private add(file: ReadFile): void {
    const ids = new Map<string, number>();
    for (const entry of file.entries) {
      const { restaurant, date, till, part } = entry;
      const id = ids.get(restaurant) ?? findRestaurant(restaurant, file.profile, this.around)!;
      ids.set(restaurant, id);
      const day = this.drafts.get(`${id} ${date}`) ?? new DraftDay(id, date);
      this.drafts.set(`${id} ${date}`, day);
      const key = `${normalHeading(till)}\n${part}`;
      const earlier = day.rows.get(key);
      const seen = { file, entry };
      if (!earlier) day.rows.set(key, seen);
      else this.refuseBoth(day, earlier, seen, 'import one, or name the tills in the profile');
    }
  }

  private refuseBoth(day: DraftDay, one: Seen, other: Seen, why: string): void {
    const { till, hour } = other.entry;
    const ofTill = till === '' ? '' : `, till ${till}`;
    const what = `restaurant ${day.restaurantId}, ${day.date}, hour ${hour}${ofTill}`;
    const refuse = (here: Seen, there: Seen): void => {
      const where = `${there.file.name}, line ${there.entry.line}`;
      this.refuse([here.file], `line ${here.entry.line}: ${what} is also in ${where}, ${why}`);
    };
    refuse(one, other);
    refuse(other, one);
  }

  /**
   * Compares what was read of one restaurant and day with a turnover that was given. That of a date
   * is of its hours, or of what the files write under that date: with the hours after midnight.
   */
  private checkTurnover(given: GivenTurnover): void {
    const { restaurantId, restaurant, date, turnover } = given;
    const own = [...this.drafts.values()].filter(
      (day) =>
        (restaurantId ?? day.restaurantId) === day.restaurantId &&
        day.entries.some(
          (entry) =>
            (restaurant ?? entry.restaurant) === entry.restaurant &&
            [entry.date, entry.day, undefined].includes(date),
        ),
    );
    const written = new Set(own.flatMap(({ entries }) => entries.map(({ day }) => day)));
    const ids = new Set(own.map((day) => day.restaurantId));
    if (ids.size > 1 || (date === undefined && written.size > 1)) {
      const files = own.flatMap((day) => day.files);
      this.refuse(files, 'several days: give the turnover of each (--turnovers FILE)');
      return;
    }
    const ways = (['date', 'day'] as const).map((name) => {
      const isOf = (entry: Entry): boolean => entry[name] === (date ?? [...written][0]);
      const days = own.filter(({ entries }) => entries.some(isOf));
      const sum = turnoverOf(days.flatMap(({ entries }) => entries.filter(isOf)));
      return { days, sum };
    });
    const found = ways.find(({ days, sum }) => days.length > 0 && sum === decimalOf(turnover));
    const [first] = ways.filter(({ days }) => days.length > 0);
    if (!first) this.unread.push(given);
    else if (found) for (const day of found.days) this.right.add(day);
    else
      for (const day of first.days) {
        const of = `restaurant ${day.restaurantId} on ${date ?? day.date}`;
        const read = `and the files have ${digitsOf(first.sum)}`;
        this.refuse(day.files, `the turnover of ${of} was given as ${turnover}, ${read}`);
      }
  }

  private planned(day: DraftDay): PlannedDay {
    const { restaurantId, date, files, entries, hours } = day;
    const tills = new Set(entries.map(({ till }) => till).filter((till) => till !== ''));
    const isTotalled = files.every(({ hasTotal }) => hasTotal);
    const ofFile = isTotalled ? 'file' : undefined;
    return {
      ...{ restaurantId, date, files },
      source: { profile: files[0]!.profile!.name, tills: [...tills].sort() },
      records: hours.map(([hour, rows]) => this.recordOf(day, hour, rows)),
      lines: hours.map(([, rows]) => rows.map(({ entry }) => entry.line)),
      fields: [...new Set(files.flatMap(({ profile }) => fieldsOf(profile!)))],
      turnover: digitsOf(turnoverOf(entries)),
      checkedBy: this.right.has(day) ? 'given' : ofFile,
    };
  }

  /** Adds up the rows of an hour; refuses sums that no record can hold, and rows of two sources. */
  private recordOf(day: DraftDay, hour: number, rows: readonly Seen[]): Record<string, unknown> {
    const { restaurantId, date } = day;
    const [first, ...others] = rows;
    for (const seen of others) {
      const difference = differenceOf(sourceOf(seen), sourceOf(first!));
      if (difference !== undefined)
        this.refuseBoth(day, first!, seen, `${difference}: they may be the same sales`);
    }
    const record: Record<string, unknown> = { restaurant_id: restaurantId, date, hour };
    for (const { name } of SALES_FIELDS) {
      const sum = rows.reduce<Decimal>((all, { entry }) => add(all, entry.figures[name]), 0);
      record[name] = exactNumber(sum);
      const fault = faultOf(sum, name === 'gto');
      if (fault === undefined) continue;
      const lines = rows.slice(0, 20).map(({ entry }) => entry.line);
      const where = `line ${lines.join(', ')}: hour ${hour} of ${date}, ${name}`;
      this.refuse(day.files, `${where}: ${digitsOf(sum)} ${fault}`);
    }
    return record;
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
      const asked = this.questions.get(file) ?? [];
      if ((!isNeeded && !isStrict) || asked.length === MAX_PROBLEMS) continue;
      const { restaurant } = day.entries[0]!;
      const of = { restaurant, date: day.date };
      this.questions.set(file, [...asked, { ...ask('given.turnover', text), of }]);
    }
  }

  private refuse(files: readonly ReadFile[], text: string): void {
    for (const file of files) {
      const faults = this.faults.get(file) ?? [];
      this.faults.set(file, faults);
      if (faults.length < MAX_PROBLEMS && !faults.includes(text)) faults.push(text);
    }
  }
}

const turnoverOf = (entries: readonly Entry[]): Decimal =>
  entries.reduce<Decimal>((sum, { figures }) => add(sum, figures.gto), 0);

/** Whether all rows of two files are the same. */
const areSame = (one: ReadFile, other: ReadFile): boolean =>
  one.profile?.name === other.profile?.name &&
  one.entries.length === other.entries.length &&
  one.entries.every((entry, index) => keyOf(entry) === keyOf(other.entries[index]!));

const keyOf = ({ figures, ...entry }: Entry): string =>
  JSON.stringify([entry, ...Object.values(figures).map(digitsOf)]);

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
