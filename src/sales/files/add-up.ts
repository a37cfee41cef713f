import { SALES_FIELDS } from '../fields/sales-fields.js';
import { add, type Decimal, digitsOf, exactNumber } from './decimals.js';
import type { Entry } from './entry.js';
import { hasPayments, isGiven, type Profile } from './profile.js';
import type { RawRecord, ReadFile } from './read-sales-file.js';
import { normalHeading } from './table.js';
import { sourceText } from './upload-source-text.js';

const MAX_PROBLEMS = 10;
const FIRST_YEAR = '2000';

/** What is known beside the files. */
export interface Surroundings {
  readonly restaurants: readonly { readonly id: number; readonly name: string }[];
  /** The restaurant of each machine or code that a person named. */
  readonly machines: ReadonlyMap<string, number>;
  /** The latest date that is taken without a question. */
  readonly latestDate: string;
  readonly allowFuture?: boolean;
}

/** One upload: the hours of a restaurant and a date, added up over files and tills. */
export interface PlannedDay {
  readonly restaurantId: number | undefined;
  /** How the files name the restaurant. */
  readonly restaurant: string;
  readonly date: string;
  readonly files: readonly ReadFile[];
  readonly tills: readonly string[];
  readonly source: string;
  readonly records: readonly RawRecord[];
  /** The lines of each record: empty for JSON. */
  readonly lines: readonly (readonly number[])[];
  /** Whether the files say how the turnover was paid. */
  readonly hasPayments: boolean;
}

export interface PlannedFile {
  readonly name: string;
  readonly problems: readonly string[];
  readonly notes: readonly string[];
  /** How the file names restaurants that nobody told. */
  readonly unassigned: readonly string[];
}

export interface Plan {
  readonly days: readonly PlannedDay[];
  readonly files: readonly PlannedFile[];
}

interface DraftHour {
  figures: Entry['figures'];
  readonly lines: number[];
  /** The first row, to tell whether its file names tills. */
  readonly first: Seen;
}

class DraftDay {
  readonly files = new Set<ReadFile>();
  readonly tills = new Set<string>();
  readonly hours = new Map<number, DraftHour>();
  /** The rows by what tells them apart. */
  readonly rows = new Map<string, Seen>();
  hasPayments = false;

  constructor(
    readonly restaurantId: number,
    readonly restaurant: string,
    readonly date: string,
  ) {}
}

/** Adds the files of a run up to uploads. A file with a problem is left out as a whole. */
export function planUploads(files: readonly ReadFile[], around: Surroundings): Plan {
  const problems = files.map(({ problems: found }) => [...found]);
  const unassigned = files.map((file) =>
    namesOf(file).filter((name) => findRestaurant(name, file.profile, around) === undefined),
  );
  for (const [index, file] of files.entries())
    problems[index]!.push(...faultsOfYears(file, around), ...faultsOfTold(file, around));
  const isGood = (_file: ReadFile, index: number): boolean =>
    problems[index]!.length === 0 && unassigned[index]!.length === 0;
  // A file that is found bad is left out, and the others are added up without it.
  for (;;) {
    const good = files.filter(isGood);
    const draft = new Draft(good, around);
    if (draft.faults.size === 0) {
      const planned = files.map((file, index) => ({
        name: file.name,
        problems: problems[index]!.slice(0, MAX_PROBLEMS),
        notes: [...file.notes, ...(draft.notes.get(file) ?? [])],
        unassigned: unassigned[index]!,
      }));
      return { days: draft.days(), files: planned };
    }
    for (const [file, faults] of draft.faults) problems[files.indexOf(file)]!.push(...faults);
  }
}

const namesOf = ({ entries }: ReadFile): string[] => [
  ...new Set(entries.map(({ restaurant }) => restaurant)),
];

/** Finds the restaurant that a file names: by a code, as a person told, or by its own name. */
export function findRestaurant(
  text: string,
  profile: Profile | undefined,
  around: Surroundings,
): number | undefined {
  const { codes = {}, ids = false } = profile?.restaurant ?? {};
  const same = (name: string): boolean => normalHeading(name) === normalHeading(text);
  const code = Object.keys(codes).find(same);
  if (code !== undefined) return codes[code];
  const machine = [...around.machines.keys()].find(same);
  if (machine !== undefined) return around.machines.get(machine);
  const [named, ...others] = idsByName(around).get(normalHeading(text)) ?? [];
  if (named !== undefined && others.length === 0) return named;
  return (ids || (profile && isGiven(profile.restaurant))) && /^0*[1-9]\d{0,9}$/.test(text)
    ? Number(text)
    : undefined;
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

function faultsOfYears(
  { entries, records = [] }: ReadFile,
  { latestDate, allowFuture }: Surroundings,
): string[] {
  const dates = new Set([...entries, ...records].map(({ date }) => String(date)));
  return [...dates].sort().flatMap((date) => {
    if (!/^\d{4}-\d\d-\d\d$/.test(date)) return [];
    if (date < FIRST_YEAR || date >= '2100') return [`${date} is not a date of this century`];
    return date > latestDate && !allowFuture
      ? [`${date} is in the future: allow it if that is right`]
      : [];
  });
}

/** A title may be the name of another restaurant than was told. */
function faultsOfTold({ profile, entries, titles = [] }: ReadFile, around: Surroundings): string[] {
  if (!profile || !isGiven(profile.restaurant) || titles.length === 0 || !entries[0]) return [];
  const told = findRestaurant(entries[0].restaurant, profile, around);
  const nameOf = (title: string): string => normalHeading(title.replace(/^[^:]*:/, ''));
  const named = titles.flatMap((title) => idsByName(around).get(nameOf(title)) ?? []);
  if (named.length === 0 || named.some((id) => id === told)) return [];
  return [`a title names restaurant ${named[0]}, and ${told} was told: which one is it of?`];
}

interface Seen {
  readonly file: ReadFile;
  readonly entry: Entry;
}

/** The days of files that are good so far. */
class Draft {
  private readonly drafts = new Map<string, DraftDay>();
  private readonly raw: PlannedDay[] = [];
  readonly faults = new Map<ReadFile, Set<string>>();
  readonly notes = new Map<ReadFile, Set<string>>();
  /** The restaurants of each file by how it names them. */
  private readonly found = new Map<ReadFile, Map<string, number>>();
  /** The file of each hour of JSON files, and of all others once there is one. */
  private hoursOfRecords: Map<string, ReadFile> | undefined;

  constructor(
    files: readonly ReadFile[],
    private readonly around: Surroundings,
  ) {
    for (const file of files) for (const entry of file.entries) this.add(file, entry);
    for (const file of files) if (file.records) this.addRecords(file, file.records);
    for (const day of this.drafts.values()) this.check(day);
  }

  days(): PlannedDay[] {
    return [...[...this.drafts.values()].map(plannedDay), ...this.raw];
  }

  private add(file: ReadFile, entry: Entry): void {
    const day = this.dayOf(file, entry);
    const hour = day.hours.get(entry.hour);
    const till = normalHeading(entry.till);
    const key = `${entry.hour}\n${till}\n${entry.part}`;
    const seen = { file, entry };
    const earlier = hour && day.rows.get(key);
    if (earlier) {
      this.repeat(earlier, seen, day);
      return;
    }
    const { first = seen } = hour ?? {};
    if (first.file !== file && (first.entry.till === '') !== (entry.till === '')) {
      this.repeat(first, seen, day, 'one of them names no till: they may be the same sales');
      return;
    }
    const isSameTill = (): boolean => normalHeading(first.entry.till) === till;
    if (first.file.profile !== file.profile && isSameTill()) {
      this.repeat(first, seen, day, 'read by another profile: they may be the same sales');
      return;
    }
    day.rows.set(key, seen);
    day.files.add(file);
    if (entry.till !== '') day.tills.add(entry.till);
    day.hasPayments ||= file.profile === undefined || hasPayments(file.profile);
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
    const isSame = SALES_FIELDS.every(
      ({ name }) => entry.figures[name] === earlier.entry.figures[name],
    );
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
  private check(day: DraftDay): void {
    this.checkSame(day);
    for (const [hour, { figures, lines }] of day.hours) {
      for (const { name } of SALES_FIELDS) {
        const fault = faultOf(figures[name], name === 'gto');
        if (fault === undefined) continue;
        const text = `line ${lines.join(', ')}: hour ${hour} of ${day.date}, ${name}: ${digitsOf(figures[name])} ${fault}`;
        for (const file of day.files) this.put(this.faults, file, text);
      }
    }
  }

  /** Refuses two files with the same turnover in every hour: one may be a copy of the other. */
  private checkSame(day: DraftDay): void {
    const hoursOf = new Map<ReadFile, Map<number, Decimal>>();
    for (const { file, entry } of day.rows.values()) {
      const hours = hoursOf.get(file) ?? new Map<number, Decimal>();
      hoursOf.set(file, hours.set(entry.hour, add(hours.get(entry.hour) ?? 0, entry.figures.gto)));
    }
    const files = new Map<string, ReadFile>();
    for (const [file, hours] of hoursOf) {
      if (new Set(hours.values()).size < 2) continue; // nothing was sold, or it may be by chance
      const turnovers = [...hours].sort(([one], [other]) => one - other).join();
      const other = files.get(turnovers);
      files.set(turnovers, other ?? file);
      if (other)
        this.putBoth(
          [file, other],
          ({ name }) =>
            `has the turnover of ${name} in every hour of ${day.date}: is it the same file twice?`,
        );
    }
  }

  /** Takes the records of a JSON file as they are; an hour that another file has is refused. */
  private addRecords(file: ReadFile, records: readonly RawRecord[]): void {
    const { restaurant_id: id, date } = records[0] ?? {};
    const hours = (this.hoursOfRecords ??= this.hoursOfDrafts());
    for (const record of records) {
      const hour = hourText(record);
      const other = hours.get(hour);
      hours.set(hour, other ?? file);
      if (!other || other === file) continue;
      this.putBoth(
        [file, other],
        ({ name }) => `${hour} is also in ${name}: import one of the two`,
      );
    }
    this.raw.push({
      restaurantId: typeof id === 'number' ? id : undefined,
      restaurant: textOf(id),
      date: textOf(date),
      files: [file],
      tills: [],
      source: sourceText([file.name], []),
      records,
      lines: [],
      hasPayments: true,
    });
  }

  private hoursOfDrafts(): Map<string, ReadFile> {
    const all = [...this.drafts.values()].flatMap(({ restaurantId, date, hours, files }) =>
      [...hours.keys()].map((hour): [string, ReadFile] => [
        hourText({ restaurant_id: restaurantId, date, hour }),
        [...files][0]!,
      ]),
    );
    return new Map(all);
  }

  /** Says of two files each what is wrong with it beside the other. */
  private putBoth(
    [one, other]: readonly [ReadFile, ReadFile],
    textBeside: (other: ReadFile) => string,
  ): void {
    this.put(this.faults, one, textBeside(other));
    this.put(this.faults, other, textBeside(one));
  }

  private put(texts: Map<ReadFile, Set<string>>, file: ReadFile, text: string): void {
    texts.set(file, (texts.get(file) ?? new Set()).add(text));
  }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '?';

const hourText = ({ restaurant_id, date, hour }: RawRecord): string =>
  `restaurant ${String(restaurant_id)}, ${String(date)}, hour ${String(hour)}`;

function faultOf(figure: Decimal, isTurnover: boolean): string | undefined {
  if (figure < 0 && !isTurnover)
    return 'is below zero: if this source writes it with a minus, take its column away in the profile';
  if (figure < 0)
    return 'is below zero, as there are more refunds than sales: take the refund off the hour of its sale, and write 0 here';
  return exactNumber(figure) === undefined ? 'has more than 15 digits' : undefined;
}

function plannedDay(day: DraftDay): PlannedDay {
  const { restaurantId, restaurant, date, hasPayments } = day;
  const files = [...day.files];
  const tills = [...day.tills];
  const names = files.map(({ name }) => name);
  const source = sourceText(names, tills);
  const sorted = [...day.hours].sort(([one], [other]) => one - other);
  const records = sorted.map(([hour, { figures }]) => {
    const record: Record<string, unknown> = { restaurant_id: restaurantId, date, hour };
    for (const { name } of SALES_FIELDS) record[name] = exactNumber(figures[name]) ?? NaN;
    return record;
  });
  const lines = sorted.map(([, hour]) => hour.lines);
  return { restaurantId, restaurant, date, files, tills, source, records, lines, hasPayments };
}

function sumOf(one: Entry['figures'], other: Entry['figures']): Entry['figures'] {
  const sum = { ...one };
  for (const { name } of SALES_FIELDS) sum[name] = add(one[name], other[name]);
  return sum;
}
