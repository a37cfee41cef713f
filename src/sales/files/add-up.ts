import { type Decimal, decimalOf, digitsOf, exactNumber } from '../fields/decimals.js';
import { SALES_FIELDS } from '../fields/sales-fields.js';
import { Findings } from './findings.js';
import { differenceOf, type ImportSource } from './import-source.js';
import { type FieldName, isGiven, type Profile } from './profile.js';
import { ask, type Question } from './question.js';
import type { ReadFile } from './read-sales-file.js';
import { byHour, type Entry, normalHeading, sumOf, type TillDay } from './table.js';

const FIRST_YEAR = '2000';
/** A date far off is right or wrong: nothing else can be said of it. */
const RIGHT = [[true, 'That is right']] as const;

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
  readonly allowOld?: boolean | undefined;
  readonly allowFuture?: boolean | undefined;
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

export interface PlannedFile extends Pick<ReadFile, 'name' | 'problems' | 'questions' | 'notes'> {
  /** How the file names restaurants that nobody told. */
  readonly unassigned: readonly string[];
}

export interface Plan {
  readonly days: readonly PlannedDay[];
  readonly files: readonly PlannedFile[];
  /** The given turnovers of which no file has anything; empty where a file could not be read. */
  readonly unread: readonly GivenTurnover[];
}

/** What a file has of a till and a date. */
interface Part {
  readonly file: ReadFile;
  readonly day: TillDay;
}

type Seen = Part & { readonly entry: Entry };

/** What the files have of a restaurant and a date. */
class DraftDay {
  readonly parts: Part[] = [];

  constructor(
    readonly restaurantId: number,
    readonly date: string,
  ) {}

  get entries(): Entry[] {
    return this.parts.flatMap(({ day }) => day.entries);
  }

  get files(): ReadFile[] {
    return [...new Set(this.parts.map(({ file }) => file))];
  }
}

/** Adds the files of a run up to uploads. A file with a problem or a question is left out as a whole. */
export function planUploads(files: readonly ReadFile[], around: Surroundings): Plan {
  const find = restaurantFinder(around);
  const planned = files.map((file) => ({
    ...{ name: file.name, notes: file.notes, problems: [...file.problems] },
    questions: [...file.questions, ...questionsOfDates(file, around)],
    unassigned: namesOf(file).filter((name) => find(name, file.profile) === undefined),
  }));
  const isGood = (_: ReadFile, index: number): boolean => {
    const { problems, questions, unassigned } = planned[index]!;
    return problems.length + questions.length + unassigned.length === 0;
  };
  const areAllGood = files.every(isGood);
  let unread: readonly GivenTurnover[] | undefined;
  // A file that is found bad is left out, and the others are added up without it.
  for (;;) {
    const draft = new Draft(files.filter(isGood), around, find);
    unread ??= areAllGood ? draft.unread : [];
    for (const [index, file] of files.entries()) {
      planned[index]!.problems.push(...(draft.found.get(file)?.faults ?? []));
      planned[index]!.questions.push(...(draft.found.get(file)?.questions ?? []));
    }
    if (draft.found.size === 0) return { days: draft.days, files: planned, unread };
  }
}

/** Returns how a file names its restaurants. */
export const namesOf = ({ days }: ReadFile): string[] => [
  ...new Set(days.map(({ restaurant }) => restaurant)),
];

/** Returns what finds the restaurant that a file names: by a code of its profile, as a person told, or by its name. */
export function restaurantFinder({ restaurants, codes = new Map() }: Surroundings) {
  const ids = new Map<string, number | undefined>();
  for (const { id, name } of restaurants) {
    const key = normalHeading(name);
    // A name of two restaurants is of none.
    ids.set(key, ids.has(key) ? undefined : id);
  }
  return (text: string, profile: Profile | undefined): number | undefined => {
    const { codes: own = {}, ids: isOfService } = profile?.restaurant ?? {};
    const key = normalHeading(text);
    for (const known of [own, codes.get(profile?.name ?? '') ?? {}]) {
      const code = Object.keys(known).find((each) => normalHeading(each) === key);
      if (code !== undefined) return known[code];
    }
    const isNumber = isOfService === true || (profile && isGiven(profile.restaurant));
    const numbered = isNumber && /^0*[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined;
    return ids.get(key) ?? numbered;
  };
}

function questionsOfDates(
  { days, profile }: ReadFile,
  { earliestDate = FIRST_YEAR, latestDate, allowOld, allowFuture }: Surroundings,
): Question[] {
  const dates = days.map(({ date }) => date).sort();
  const [first = latestDate, last = latestDate] = [dates[0], dates.at(-1)];
  const advice = 'allow it if that is right';
  const old = ask('given.old', `${first} is long ago: ${advice} (--allow-old)`, RIGHT);
  const future = ask('given.future', `${last} is in the future: ${advice} (--allow-future)`, RIGHT);
  return [
    ...(first < earliestDate && !allowOld && profile?.unchecked !== true ? [old] : []),
    ...(last > latestDate && !allowFuture ? [future] : []),
  ];
}

/** The days of files that are good so far. */
class Draft {
  private readonly drafts = new Map<string, DraftDay>();
  /** What is wrong with files, and what has to be asked about them. */
  readonly found = new Map<ReadFile, Findings>();
  readonly days: readonly PlannedDay[] = [];
  readonly unread: GivenTurnover[] = [];
  /** The days of which a turnover was given, and is what was read. */
  private readonly right = new Set<DraftDay>();

  constructor(
    files: readonly ReadFile[],
    private readonly around: Surroundings,
    private readonly find: ReturnType<typeof restaurantFinder>,
  ) {
    for (const file of files) this.add(file);
    const days = [...this.drafts.values()];
    for (const day of days.filter(({ parts }) => parts.length > 1)) this.checkRows(day);
    if (this.found.size > 0) return;
    for (const given of around.turnovers ?? []) this.checkTurnover(given, days);
    this.days = days.map((day) => this.planned(day));
    if (this.found.size > 0) return;
    for (const day of days) if (!this.right.has(day)) this.askForTurnover(day);
  }

  private add(file: ReadFile): void {
    const ids = new Map(namesOf(file).map((name) => [name, this.find(name, file.profile)!]));
    for (const day of file.days) {
      const id = ids.get(day.restaurant)!;
      const key = `${id} ${day.date}`;
      const draft = this.drafts.get(key) ?? new DraftDay(id, day.date);
      this.drafts.set(key, draft);
      draft.parts.push({ file, day });
    }
  }

  /** Refuses what is there twice, and an hour from two sources, once for each till and file. */
  private checkRows(draft: DraftDay): void {
    const rows = new Map<string, Seen>();
    const hours = new Map<number, Seen>();
    for (const part of draft.parts)
      for (const entry of part.day.entries) {
        const key = `${normalHeading(part.day.till)}\n${entry.part}`;
        const seen = { ...part, entry };
        const [twin, first = seen] = [rows.get(key), hours.get(entry.hour)];
        rows.set(key, twin ?? seen);
        hours.set(entry.hour, first);
        const difference = differenceOf(sourceOf(seen), sourceOf(first));
        const ofOther = difference && `${difference}: they may be the same sales`;
        const why = twin ? 'import one, or name the tills in the profile' : ofOther;
        if (why === undefined) continue;
        this.refuseBoth(draft, twin ?? first, seen, why);
        break;
      }
  }

  private refuseBoth({ restaurantId, date }: DraftDay, one: Seen, other: Seen, why: string): void {
    const { day, entry } = other;
    const ofTill = day.till === '' ? '' : `, till ${day.till}`;
    const what = `restaurant ${restaurantId}, ${date}, hour ${entry.hour}${ofTill}`;
    const refuse = (here: Seen, there: Seen): void => {
      const where = `${there.file.name}, line ${there.entry.line}`;
      this.refuse([here.file], `line ${here.entry.line}: ${what} is also in ${where}, ${why}`);
    };
    refuse(one, other);
    refuse(other, one);
  }

  /** Compares what was read of one restaurant and day with a turnover that was given. */
  private checkTurnover(given: GivenTurnover, all: readonly DraftDay[]): void {
    const { restaurantId, restaurant, date, turnover } = given;
    const own = all.filter(
      (draft) =>
        (restaurantId ?? draft.restaurantId) === draft.restaurantId &&
        draft.parts.some(({ day }) => (restaurant ?? day.restaurant) === day.restaurant),
    );
    const written = own.flatMap(({ entries }) => entries.map(({ day }) => day));
    const dates = new Set(date === undefined ? written : [date]);
    const read = [...dates].flatMap((each) => readOf(own, each));
    const days = read.flatMap((each) => each.days);
    if (dates.size > 1 || new Set(days.map((draft) => draft.restaurantId)).size > 1) {
      const files = new Set(days.flatMap((draft) => draft.files));
      this.refuse([...files], 'several days: give the turnover of each (--turnovers FILE)');
      return;
    }
    const right = read.find(({ sum }) => sum === decimalOf(turnover));
    const [first] = read;
    if (!first) this.unread.push(given);
    else if (right) for (const draft of right.days) this.right.add(draft);
    else
      for (const draft of first.days) {
        const of = `restaurant ${draft.restaurantId} on ${date ?? draft.date}`;
        const found = `and the files have ${digitsOf(first.sum)}`;
        this.refuse(draft.files, `the turnover of ${of} was given as ${turnover}, ${found}`);
      }
  }

  private planned(draft: DraftDay): PlannedDay {
    const { restaurantId, date, files, entries } = draft;
    const tills = new Set(draft.parts.map(({ day }) => day.till).filter((till) => till !== ''));
    const isTotalled = files.every(({ hasTotal }) => hasTotal);
    const ofFile = isTotalled ? 'file' : undefined;
    const hours = byHour(entries);
    return {
      ...{ restaurantId, date, files },
      source: { profile: files[0]!.profile!.name, tills: [...tills].sort() },
      records: hours.map(([hour, rows]) => this.recordOf(draft, hour, rows)),
      lines: hours.map(([, rows]) => rows.map(({ line }) => line)),
      fields: [...new Set(files.flatMap(({ fields }) => fields))],
      turnover: digitsOf(sumOf(entries, 'gto')),
      checkedBy: this.right.has(draft) ? 'given' : ofFile,
    };
  }

  /** Adds up the rows of an hour; refuses sums that no record can hold. */
  private recordOf(
    { restaurantId, date, files }: DraftDay,
    hour: number,
    rows: readonly Entry[],
  ): Record<string, unknown> {
    const record: Record<string, unknown> = { restaurant_id: restaurantId, date, hour };
    for (const { name } of SALES_FIELDS) {
      const sum = sumOf(rows, name);
      record[name] = exactNumber(sum);
      const fault = faultOf(sum, name === 'gto');
      if (fault === undefined) continue;
      const lines = rows.slice(0, 20).map(({ line }) => line);
      const where = `line ${lines.join(', ')}: hour ${hour} of ${date}, ${name}`;
      this.refuse(files, `${where}: ${digitsOf(sum)} ${fault}`);
    }
    return record;
  }

  /** Nothing in a file without a date says of which day it is, but for the turnover of that day. */
  private askForTurnover({ restaurantId, date, files, parts }: DraftDay): void {
    const { turnovers = [], everyDayIsGiven = false } = this.around;
    const isStrict = everyDayIsGiven && turnovers.length > 0;
    const text = `what is the turnover of restaurant ${restaurantId} on ${date} by the till's own report? Give it (--turnover)`;
    const { restaurant } = parts[0]!.day;
    for (const file of files) {
      const { date: place, control, unchecked } = file.profile!;
      const isNeeded = unchecked !== true && (isGiven(place) || control === 'given');
      if (isNeeded || isStrict)
        this.findingsOf(file).ask({ ...ask('given.turnover', text), of: { restaurant, date } });
    }
  }

  private findingsOf(file: ReadFile): Findings {
    const findings = this.found.get(file) ?? new Findings();
    this.found.set(file, findings);
    return findings;
  }

  private refuse(files: readonly ReadFile[], text: string): void {
    for (const file of files) this.findingsOf(file).add(text);
  }
}

/**
 * Adds up what is of a date: what its hours have, and what the files write under that date, with the
 * hours after midnight.
 */
const readOf = (drafts: readonly DraftDay[], date: string) =>
  (['hours', 'written'] as const).flatMap((way) => {
    const days: DraftDay[] = [];
    const rows = drafts.flatMap((draft) => {
      const isOf = ({ day }: Entry): boolean => (way === 'hours' ? draft.date : day) === date;
      const entries = draft.entries.filter(isOf);
      if (entries.length > 0) days.push(draft);
      return entries;
    });
    return days.length > 0 ? [{ days, sum: sumOf(rows, 'gto') }] : [];
  });

const sourceOf = ({ file, day: { till } }: Part): ImportSource => ({
  profile: file.profile!.name,
  tills: till === '' ? [] : [till],
});

function faultOf(figure: Decimal, isTurnover: boolean): string | undefined {
  if (figure < 0 && !isTurnover)
    return 'is below zero: if this source writes it with a minus, take its column away in the profile';
  if (figure < 0)
    return 'is below zero, as there are more refunds than sales: take the refund off the hour of its sale, and write 0 here';
  return exactNumber(figure) === undefined ? 'has more than 15 digits' : undefined;
}
