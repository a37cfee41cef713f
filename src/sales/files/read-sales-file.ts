import { JsonText } from '../../http/body/json-text.js';
import { SALES_FIELDS, type SalesField } from '../fields/sales-fields.js';
import { decodeText, isZip, NotUtf8 } from './decode-file.js';
import { type Entry, keyOf } from './entry.js';
import { explainUnknown } from './explain-unknown.js';
import { hasHeadings, locate, unusedColumns } from './find-columns.js';
import {
  BUILT_IN_PROFILES,
  type BuiltInProfile,
  isGiven,
  type Profile,
  usedColumns,
} from './profile.js';
import { DATE_ORDERS, datesIn, readDate } from './read-dates.js';
import { TableReader, type Told } from './read-table.js';
import { readStart, readText } from './read-text.js';
import {
  FileRefused,
  isNameOfTotal,
  isObject,
  type Progress,
  type Table,
  textOf,
} from './table.js';
import { readTaggedLines } from './tagged-lines.js';

export interface SalesFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface ReadingOptions {
  /** The profiles of users, beside those of the service. */
  readonly profiles: readonly Profile[];
  /** The name of the profile that a person chose. */
  readonly profile?: string | undefined;
  readonly told?: Told;
  /** Is told how far the reading is. */
  readonly progress?: Progress;
}

/** A record of a JSON file, which is uploaded as it stands. */
export type RawRecord = Readonly<Record<string, unknown>>;

/** What a file says. If there are problems, nothing of it should be uploaded. */
export interface ReadFile {
  readonly name: string;
  /** The profile that reads it; undefined for JSON and for a file that none knows. */
  readonly profile?: Profile;
  readonly entries: readonly Entry[];
  /** The cells above the headings. */
  readonly titles?: readonly string[];
  /** The records of a JSON file. */
  readonly records?: readonly RawRecord[];
  readonly notes: readonly string[];
  readonly problems: readonly string[];
  /** The tables of a file that no profile knows, to be shown to who makes one. */
  readonly unknown?: readonly Table[];
}

/** Reads a file of sales by the profile that knows it. Runs in browsers too. */
export async function readSalesFile(file: SalesFile, options: ReadingOptions): Promise<ReadFile> {
  try {
    return await read(file, options);
  } catch (error) {
    if (error instanceof FileRefused) return refused(file, error.message);
    throw error;
  }
}

const refused = ({ name }: SalesFile, ...problems: string[]): ReadFile => ({
  name,
  entries: [],
  notes: [],
  problems,
});

async function read(file: SalesFile, options: ReadingOptions): Promise<ReadFile> {
  const profiles = candidatesOf(file, options);
  if (isZip(file.bytes)) {
    const { readWorkbook } = await import('./read-workbook.js');
    const { tables, notes } = await readWorkbook(file.bytes);
    const proposals = profiles.map((profile) => ({ profile, tables }));
    const found = choose(file, proposals, options, () => tables);
    return { ...found, notes: [...found.notes, ...notes] };
  }
  const contents = new Map<string | undefined, TextContent>();
  const contentFor = (encoding?: string): TextContent => {
    const content =
      contents.get(encoding) ?? new TextContent(decodeText(file.bytes, encoding), options.progress);
    contents.set(encoding, content);
    return content;
  };
  const [first, ...others] = new Set(profiles.map(({ encoding }) => encoding));
  const plain =
    others.length === 0 && first !== undefined ? contentFor(first) : decodable(contentFor);
  if (plain && /^\s*(\{|\[\s*[{[])/.test(plain.text)) return readJson(file, plain.text);
  const proposals = profiles.flatMap((profile) => {
    // A file in another encoding is read only by a profile that names it.
    if (profile.encoding === undefined && !plain) return [];
    const rows = rowsFor(contentFor(profile.encoding), profile);
    return rows ? [{ profile, tables: [{ sheet: '', rows }] }] : [];
  });
  if (proposals.length === 0 && !plain) contentFor();
  return choose(file, proposals, options, () => [
    { sheet: '', rows: plain?.starts()[0]?.rows ?? [] },
  ]);
}

/** Returns the text of a file; undefined if it is not in UTF-8 or UTF-16. */
function decodable(contentFor: () => TextContent): TextContent | undefined {
  try {
    return contentFor();
  } catch (error) {
    if (error instanceof NotUtf8) return undefined;
    throw error;
  }
}

/** The profiles that may read a file: the one that was chosen, or all that may be recognized. */
function candidatesOf(
  { name }: SalesFile,
  { profiles, profile: chosen }: ReadingOptions,
): BuiltInProfile[] {
  const all: BuiltInProfile[] = [...profiles, ...BUILT_IN_PROFILES];
  if (chosen === undefined)
    return all.filter((each) => hasHeadings(each) || each.width !== undefined);
  const found = all.find((each) => each.name === chosen);
  if (!found) throw new FileRefused(`there is no profile ${chosen}`);
  if (found.file_name !== undefined && !matchesName(name, found.file_name))
    throw new FileRefused(
      `its name is not like ${found.file_name}, as the profile ${chosen} wants`,
    );
  return [found];
}

export function matchesName(name: string, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 'i').test(name);
}

/** Splits a text as a profile wants it; undefined if its headings are nowhere. */
function rowsFor(content: TextContent, profile: BuiltInProfile): Table['rows'] | undefined {
  if (profile.lines) {
    const rows = readTaggedLines(content.text, profile.lines);
    return locate({ sheet: '', rows }, profile) && rows;
  }
  if (profile.width !== undefined && !/^[^\n]*\|/.test(content.text)) return undefined;
  const { separator } = profile;
  if (separator !== undefined) return content.rows(separator);
  const start = content.starts().find(({ rows }) => isTableOf({ sheet: '', rows }, profile));
  return start && content.rows(start.separator);
}

/** A text whose rows are split once for all profiles. */
class TextContent {
  private readonly split = new Map<string, Table['rows']>();
  private start: ReturnType<typeof readStart> | undefined;

  constructor(
    readonly text: string,
    private readonly progress: Progress | undefined,
  ) {}

  starts(): ReturnType<typeof readStart> {
    return (this.start ??= readStart(this.text));
  }

  rows(separator: string): Table['rows'] {
    const rows =
      this.split.get(separator) ?? readText(this.text, separator, { progress: this.progress });
    this.split.set(separator, rows);
    return rows;
  }
}

const isTableOf = (table: Table, profile: BuiltInProfile): boolean =>
  locate(table, profile) !== undefined;

interface Proposal {
  readonly profile: BuiltInProfile;
  readonly tables: readonly Table[];
}

/**
 * Reads a file by each profile that knows its headings, and takes the one that reads it all. What
 * one that knows more headings refuses is refused: it may be for good reasons.
 */
function choose(
  file: SalesFile,
  proposals: readonly Proposal[],
  options: ReadingOptions,
  tablesOf: () => readonly Table[],
): ReadFile {
  const results = proposals
    .flatMap((proposal) => readBy(file, proposal, options) ?? [])
    .sort((one, other) => rankOf(other.profile!) - rankOf(one.profile!));
  const readable = results.filter(({ problems }) => problems.length === 0);
  const [first, ...others] = readable;
  const [best] = results;
  if (!best) return unknown(file, options, tablesOf());
  if (!first) return best;
  if (rankOf(best.profile!) > rankOf(first.profile!)) {
    const other = `if it is of the source of the profile ${first.profile!.name}, choose that`;
    return { ...best, problems: [...best.problems, other] };
  }
  const different = others.filter((other) => !isSame(first.entries, other.entries));
  if (different.length === 0)
    return { ...first, notes: [...first.notes, ...beaten(results, first)] };
  const names = [first, ...different].map(({ profile }) => profile!.name).join(' and ');
  return refused(file, `the profiles ${names} read it differently: choose the one of its source`);
}

/** Names the profiles that know as many headings of a file and cannot read it. */
function beaten(results: readonly ReadFile[], { profile: winner }: ReadFile): string[] {
  const rivals = results.filter(
    ({ profile, problems }) => problems.length > 0 && rankOf(profile!) === rankOf(winner!),
  );
  return rivals.map(
    ({ profile, problems: [problem] }) =>
      `read by the profile ${winner!.name}, as ${profile!.name} cannot: ${problem}`,
  );
}

/** Headings tell more about a source than the number of columns; many headings, more than few. */
const rankOf = (profile: Profile): number =>
  usedColumns(profile).length + (hasHeadings(profile) ? 1000 : 0);

function isSame(ones: readonly Entry[], others: readonly Entry[]): boolean {
  return (
    ones.length === others.length &&
    ones.every((one, index) => {
      const other = others[index]!;
      const isSameFigure = ({ name }: SalesField): boolean =>
        one.figures[name] === other.figures[name];
      return keyOf(one) === keyOf(other) && SALES_FIELDS.every(isSameFigure);
    })
  );
}

function unknown(
  file: SalesFile,
  { profiles, profile }: ReadingOptions,
  tables: readonly Table[],
): ReadFile {
  const known = [...profiles, ...BUILT_IN_PROFILES].filter(
    ({ name }) => profile === undefined || profile === name,
  );
  const table = tables.find(({ rows }) => rows.length > 0);
  return { ...refused(file, explainUnknown(table?.rows ?? [], known)), unknown: tables };
}

/** Reads the tables of a file that have the headings of a profile; undefined if none has. */
function readBy(
  file: SalesFile,
  { profile, tables }: Proposal,
  { told = {}, progress }: ReadingOptions,
): ReadFile | undefined {
  type Texts = Record<'titles' | 'notes' | 'problems', string[]>;
  const texts: Texts = { titles: [], notes: [], problems: [] };
  const all: Entry[] = [];
  let isKnown = false;
  try {
    for (const table of tables) {
      const where = tables.length > 1 ? `sheet ${table.sheet}: ` : '';
      const located = locate(table, profile);
      if (!located || (tables.length > 1 && isSumOfSheets(table, profile))) {
        const why = located ? 'as it may be the sum of the others' : 'it has no such headings';
        if (table.rows.length > 0) texts.notes.push(`${where}not read, ${why}`);
        continue;
      }
      isKnown = true;
      texts.titles.push(...located.titles.flatMap(({ cells }) => cells.map(textOf)));
      const { entries, faults, notes } = new TableReader(profile, located, file.name, told).read(
        progress,
      );
      for (const entry of entries) all.push(entry);
      texts.problems.push(...faults.map((fault) => where + fault));
      texts.notes.push(...notes.map((note) => where + note));
      const unused = unusedColumns(located, profile);
      if (unused.length > 0) texts.notes.push(`${where}columns not used: ${unused.join(', ')}`);
    }
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    return { ...refused(file, error.message), profile };
  }
  if (!isKnown) return undefined;
  if (texts.problems.length === 0) texts.problems.push(...faultsOfName(file, profile, all));
  const entries = texts.problems.length === 0 ? all : [];
  return { name: file.name, profile, ...texts, entries };
}

/** Whether a sheet is called as the sum of the others, each of a restaurant, a till or a day. */
const isSumOfSheets = ({ sheet }: Table, { restaurant, till, date }: Profile): boolean =>
  [restaurant, till, date].some((place) => place?.from === 'sheet_name') && isNameOfTotal(sheet);

/** A name with one date must have a date of its lines, or the one that was told. */
function faultsOfName({ name }: SalesFile, { date }: Profile, entries: readonly Entry[]): string[] {
  const { texts } = datesIn(name);
  const isChecked = date.column !== undefined || isGiven(date);
  if (!isChecked || new Set(texts).size !== 1) return [];
  const inName = new Set(DATE_ORDERS.flatMap((order) => readDate(texts[0]!, order) ?? []));
  const inLines = new Set(entries.map((entry) => entry.date));
  if ([...inName].some((day) => inLines.has(day))) return [];
  const [first = '', ...more] = [...inLines];
  const lines = more.length > 0 ? `${first} and others` : first;
  return [
    `its name says ${[...inName].join(' or ')}, but its lines are of ${lines}: correct the date, or rename the file`,
  ];
}

function readJson(file: SalesFile, text: string): ReadFile {
  try {
    const { records } = JSON.parse(text) as { readonly records?: unknown };
    const repeated = JsonText.findRepeatedName(text);
    if (repeated)
      return refused(file, `has the name ${repeated.join('/')} twice: which one is right?`);
    if (Array.isArray(records) && records.length > 0 && records.every(isObject))
      return { name: file.name, entries: [], records, notes: [], problems: [] };
  } catch (error) {
    const [first = '', second = ''] = text.split('\n', 2);
    return isJson(first) && isJson(second)
      ? refused(file, `holds a JSON text in each line (JSON lines): make it ${WANTED_JSON}`)
      : refused(file, `is not JSON: ${(error as Error).message.replace(/, ".*$/s, '')}`);
  }
  return refused(file, `must be ${WANTED_JSON}`);
}

const WANTED_JSON =
  'a JSON object with an array "records" of objects, as POST /api/v1/sales/upload-daily takes it';

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
