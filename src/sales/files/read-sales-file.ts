import { decodeText, isZip, NotUtf8 } from './decode-file.js';
import type { Entry } from './entry.js';
import { explainUnknown } from './explain-unknown.js';
import { hasHeadings, locate } from './find-columns.js';
import { BUILT_IN_PROFILES, type BuiltInProfile, type Profile, usedColumns } from './profile.js';
import { ask, type Question } from './question.js';
import { isJson, readJson } from './read-json.js';
import { type Given, TableReader } from './read-table.js';
import { readStart, readText, startOf } from './read-text.js';
import { FileRefused, matchesPattern, type Progress, type Table } from './table.js';
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
  readonly given?: Given;
  /** The currency of the service; amounts in another one are asked about. */
  readonly currency?: string | undefined;
  /** Is told how far the reading is. */
  readonly progress?: Progress;
}

/** What a file says. If there are problems or questions, nothing of it should be uploaded. */
export interface ReadFile {
  readonly name: string;
  /** The profile that reads it; undefined for a file that none knows. */
  readonly profile?: Profile;
  readonly entries: readonly Entry[];
  readonly notes: readonly string[];
  readonly problems: readonly string[];
  readonly questions: readonly Question[];
  /** Whether it has a total of its turnover, which is the sum of its rows. */
  readonly hasTotal: boolean;
  /** The tables of a file that no profile knows, to be shown to who makes one. */
  readonly unknown?: readonly Table[];
}

/** Reads a file of sales by the profile that knows it. Runs in browsers too. */
export async function readSalesFile(file: SalesFile, options: ReadingOptions): Promise<ReadFile> {
  try {
    return choose(file, await openFile(file, options.progress), options);
  } catch (error) {
    if (error instanceof FileRefused) return readNothing(file, { problems: [error.message] });
    throw error;
  }
}

const readNothing = ({ name }: SalesFile, found: Partial<ReadFile>): ReadFile => ({
  ...{ name, entries: [], notes: [], problems: [], questions: [], hasTotal: false },
  ...found,
});

/** A file whose bytes are understood; how its text is split depends on the profile. */
interface OpenFile {
  readonly notes: readonly string[];
  /** The rows that a workbook hides. */
  readonly hidden: readonly string[];
  /** The tables to find headings in: of a text, its first lines. Undefined if it cannot be of the profile. */
  start(profile: BuiltInProfile): readonly Table[] | undefined;
  tables(profile: BuiltInProfile): readonly Table[];
  /** What is shown of a file that no profile knows. */
  unknown(): readonly Table[];
}

async function openFile({ bytes }: SalesFile, progress?: Progress): Promise<OpenFile> {
  if (!isZip(bytes)) return openText(bytes, progress);
  const { readWorkbook } = await import('./read-workbook.js');
  const { tables, ...others } = await readWorkbook(bytes);
  return { ...openTables(tables), ...others };
}

/** A table whose columns have no names can be read by headings alone. */
const openTables = (tables: readonly Table[]): OpenFile => ({
  ...{ notes: [], hidden: [] },
  start: (profile) => (profile.lines || profile.width !== undefined ? undefined : tables),
  tables: () => tables,
  unknown: () => tables,
});

function openText(bytes: Uint8Array, progress?: Progress): OpenFile {
  const texts = new Map<string | undefined, string>();
  const starts = new Map<string, ReturnType<typeof readStart>>();
  const textIn = (encoding: string | undefined): string => {
    const text = texts.get(encoding) ?? decodeText(bytes, encoding);
    texts.set(encoding, text);
    return text;
  };
  const startsOf = (text: string): ReturnType<typeof readStart> => {
    const found = starts.get(text) ?? readStart(text);
    starts.set(text, found);
    return found;
  };
  const plain = decodable(() => textIn(undefined));
  if (plain !== undefined && isJson(plain)) return openTables([readJson(plain)]);
  /** Returns the separator by which the headings of a profile stand in a text. */
  const separatorOf = (text: string, profile: BuiltInProfile): string | undefined =>
    profile.separator ??
    startsOf(text).find(({ rows }) => locate({ sheet: '', rows }, profile))?.separator;
  return {
    ...{ notes: [], hidden: [] },
    start(profile) {
      const text = textIn(profile.encoding);
      if (profile.lines) return [readTaggedLines(startOf(text), profile.lines)];
      if (profile.width !== undefined && !/^[^\n]*\|/.test(text)) return undefined;
      const separator = separatorOf(text, profile);
      if (separator === undefined) return undefined;
      return [{ sheet: '', rows: readText(startOf(text), separator, { isCut: true }) }];
    },
    tables(profile) {
      const text = textIn(profile.encoding);
      if (profile.lines)
        return [readTaggedLines(text, profile.lines, new Set(usedColumns(profile).map(String)))];
      const separator = separatorOf(text, profile) ?? startsOf(text)[0]?.separator ?? ',';
      return [{ sheet: '', rows: readText(text, separator, { progress }) }];
    },
    unknown() {
      return [{ sheet: '', rows: startsOf(textIn(undefined))[0]?.rows ?? [] }];
    },
  };
}

/** Returns the text of a file; undefined if it is not in UTF-8 or UTF-16. */
function decodable(read: () => string): string | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof NotUtf8) return undefined;
    throw error;
  }
}

/** Reads a file by the profile that a person chose, or by the only one whose headings it has. */
function choose(file: SalesFile, opened: OpenFile, options: ReadingOptions): ReadFile {
  const all: BuiltInProfile[] = [...options.profiles, ...BUILT_IN_PROFILES];
  if (options.profile !== undefined) {
    const chosen = all.find(({ name }) => name === options.profile);
    if (!chosen) throw new FileRefused(`there is no profile ${options.profile}`);
    if (!isNamedFor(chosen, file))
      throw new FileRefused(
        `its name is not like ${chosen.file_name}, as the profile ${chosen.name} wants`,
      );
    return readBy(file, opened, chosen, options) ?? readUnknown(file, opened, [chosen]);
  }
  const fitting = all.flatMap((profile) => fitOf(file, opened, profile));
  const whole = fitting.filter(({ hasUnknown }) => !hasUnknown);
  const [first, ...others] = whole.length > 0 ? whole : fitting;
  if (others.length > 0) return askForProfile(file, [first!, ...others]);
  const proposed = all.filter((each) => each.file_name !== undefined && isNamedFor(each, file));
  if (!first)
    return proposed.length > 0
      ? askForProfile(
          file,
          proposed.map((profile) => ({ profile })),
        )
      : readUnknown(file, opened, all);
  const read = readBy(file, opened, first.profile, options) ?? readUnknown(file, opened, all);
  return isInCentsToo(file, opened, read, options)
    ? askForProfile(file, [first, { profile: byName(first.profile.alternative) }])
    : read;
}

const isNamedFor = ({ file_name: pattern }: Profile, { name }: SalesFile): boolean =>
  pattern === undefined || matchesPattern(name, pattern);

const byName = (name: string | undefined): BuiltInProfile =>
  BUILT_IN_PROFILES.find((profile) => profile.name === name)!;

interface Fit {
  readonly profile: BuiltInProfile;
  /** Whether there are columns that it neither uses nor ignores. */
  readonly hasUnknown?: boolean;
}

/** Finds out whether a profile is of a file; one that cannot read its start is not, and ends nothing. */
function fitOf(file: SalesFile, opened: OpenFile, profile: BuiltInProfile): Fit[] {
  // Files without headings are told by their width, or by a person.
  const isKnowable = profile.width === undefined ? hasHeadings(profile) : !profile.cents;
  if (!isKnowable || !isNamedFor(profile, file)) return [];
  try {
    const located = (opened.start(profile) ?? []).flatMap((table) => locate(table, profile) ?? []);
    const hasUnknown = located.some(({ unknown }) => unknown.length > 0);
    return located.length > 0 ? [{ profile, hasUnknown }] : [];
  } catch (error) {
    if (error instanceof FileRefused) return [];
    throw error;
  }
}

function askForProfile(file: SalesFile, fits: readonly Fit[]): ReadFile {
  const names = fits.map(({ profile }) => profile.name);
  const text = `which profile is it of: ${names.join(' or ')}? Choose it (--profile)`;
  const values = names.map((name) => [name, name] as const);
  return readNothing(file, { questions: [ask('given.profile', text, values)] });
}

/** Whole numbers of a mall file may be amounts or cents. */
function isInCentsToo(
  file: SalesFile,
  opened: OpenFile,
  { profile, entries }: ReadFile,
  options: ReadingOptions,
): boolean {
  const { alternative } = (profile ?? {}) as Partial<BuiltInProfile>;
  if (alternative === undefined || entries.every(({ figures }) => figures.gto === 0)) return false;
  return readBy(file, opened, byName(alternative), options)?.problems.length === 0;
}

function readUnknown(
  file: SalesFile,
  opened: OpenFile,
  profiles: readonly BuiltInProfile[],
): ReadFile {
  const unknown = opened.unknown();
  const table = unknown.find(({ rows }) => rows.length > 0);
  return readNothing(file, { problems: [explainUnknown(table?.rows ?? [], profiles)], unknown });
}

/** Reads the tables of a file that have the headings of a profile; undefined if none has. */
function readBy(
  file: SalesFile,
  opened: OpenFile,
  profile: BuiltInProfile,
  { given = {}, currency, progress }: ReadingOptions,
): ReadFile | undefined {
  const found = { entries: [] as Entry[], notes: [...opened.notes] };
  const problems: string[] = [];
  const questions: Question[] = [];
  (profile.unchecked ? found.notes : problems).push(...faultsOfHidden(opened));
  let totals = true;
  let isKnown = false;
  try {
    const tables = opened.tables(profile);
    for (const table of tables) {
      const where = tables.length > 1 ? `sheet ${table.sheet}: ` : '';
      const located = isSkipped(table, profile) ? undefined : locate(table, profile);
      if (!located) {
        if (table.rows.length > 0) found.notes.push(`${where}not read`);
        continue;
      }
      isKnown = true;
      const reader = new TableReader(profile, located, file.name, given, currency);
      const read = reader.read(progress);
      for (const entry of read.entries) found.entries.push(entry);
      problems.push(...read.faults.map((fault) => where + fault));
      questions.push(...read.questions.map((each) => ({ ...each, text: where + each.text })));
      found.notes.push(...read.notes.map((note) => where + note));
      totals &&= read.hasTotal;
    }
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    return readNothing(file, { profile, problems: [error.message] });
  }
  if (!isKnown) return undefined;
  if (problems.length + questions.length === 0)
    problems.push(...faultsOfName(file, profile, found.entries));
  const entries = problems.length + questions.length === 0 ? found.entries : [];
  return { name: file.name, profile, ...found, entries, problems, questions, hasTotal: totals };
}

const faultsOfHidden = ({ hidden }: OpenFile): string[] =>
  hidden.length > 0
    ? [`rows are hidden: ${hidden.join(', ')}: show or delete them, and save the workbook again`]
    : [];

const isSkipped = ({ sheet }: Table, { skip_sheets: patterns = [] }: Profile): boolean =>
  patterns.some((pattern) => matchesPattern(sheet, pattern));

/** The name of a mall's file has its date, which must be one of its lines. */
function faultsOfName(
  { name }: SalesFile,
  { width }: BuiltInProfile,
  entries: readonly Entry[],
): string[] {
  const [, year, month, day] = /_(20\d\d)(\d\d)(\d\d)\b/.exec(name) ?? [];
  const date = [year, month, day].join('-');
  if (width === undefined || year === undefined || entries.some((each) => each.day === date))
    return [];
  return [
    `its name says ${date}, but its lines are of ${entries[0]?.day}: correct the date, or rename the file`,
  ];
}
