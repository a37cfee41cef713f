import { decodeText, isZip } from './decode-file.js';
import { explainUnknown, hasHeadings, locate, type Located } from './find-columns.js';
import { Findings } from './findings.js';
import {
  BUILT_IN_PROFILES,
  type BuiltInProfile,
  type FieldName,
  fieldsOf,
  type Profile,
  usedColumns,
} from './profile.js';
import { PROFILE } from './profile-schema.js';
import { ask, type Question } from './question.js';
import { isJson, readJson } from './read-json.js';
import { type Given, TableReader } from './read-table.js';
import { readStart, readText, startOf } from './read-text.js';
import { FileRefused, matchesPattern, type Table, textOf, type TillDay } from './table.js';
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
}

/** What a file says. If there are problems or questions, nothing of it should be uploaded. */
export interface ReadFile {
  readonly name: string;
  /** The profile that reads it; undefined for a file that none knows. */
  readonly profile?: Profile;
  /** The fields that files of its source have. */
  readonly fields: readonly FieldName[];
  readonly days: readonly TillDay[];
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
    return choose(file, await openFile(file), options);
  } catch (error) {
    if (error instanceof FileRefused) return resultOf(file, { problems: [error.message] });
    throw error;
  }
}

const resultOf = ({ name }: SalesFile, found: Partial<ReadFile>): ReadFile => ({
  ...{ name, fields: [], days: [], notes: [], problems: [], questions: [], hasTotal: false },
  ...found,
});

/** A file whose bytes are understood; how its text is split depends on the profile. */
interface OpenFile {
  readonly notes: readonly string[];
  /** The rows that a workbook hides. */
  readonly hidden: readonly string[];
  /** Returns its tables, or of a text the first lines alone, as a profile would split it. */
  tables(profile: BuiltInProfile, isStart?: boolean): readonly Table[];
}

async function openFile({ bytes }: SalesFile): Promise<OpenFile> {
  if (isZip(bytes)) {
    const { readWorkbook } = await import('./read-workbook.js');
    const { tables, ...others } = await readWorkbook(bytes);
    return { tables: tablesFor(tables), ...others };
  }
  const tables = isJson(bytes) ? tablesFor([readJson(decodeText(bytes))]) : splitText(bytes);
  return { tables, notes: [], hidden: [] };
}

/** A table whose columns have no names can be read by headings alone. */
const tablesFor =
  (tables: readonly Table[]): OpenFile['tables'] =>
  ({ lines, width }) =>
    lines || width !== undefined ? [] : tables;

function splitText(bytes: Uint8Array): OpenFile['tables'] {
  const opened = new Map<string, { text: string; starts: ReturnType<typeof readStart> }>();
  const open = (encoding = '') => {
    const known = opened.get(encoding);
    if (known) return known;
    const text = decodeText(bytes, encoding || undefined);
    const made = { text, starts: readStart(text) };
    opened.set(encoding, made);
    return made;
  };
  return (profile, isStart) => {
    const { text, starts } = open(profile.encoding);
    const content = isStart ? startOf(text) : text;
    const used = isStart ? [] : usedColumns(profile).map(String);
    if (profile.lines) return [readTaggedLines(content, profile.lines, new Set(used))];
    // The separator is the one by which the headings stand in a line, or else the likeliest.
    const located = starts.find(({ rows }) => locate({ sheet: '', rows }, profile));
    const { separator, rows } = located ?? starts[0]!;
    if (isStart && profile.separator === undefined) return [{ sheet: '', rows }];
    return [{ sheet: '', rows: readText(content, profile.separator ?? separator, isStart) }];
  };
}

/** Reads a file by the profile that a person chose, or by the only one whose headings it has. */
function choose(file: SalesFile, opened: OpenFile, options: ReadingOptions): ReadFile {
  const all: BuiltInProfile[] = [...options.profiles, ...BUILT_IN_PROFILES];
  if (options.profile !== undefined) {
    const chosen = all.find(({ name }) => name === options.profile);
    if (!chosen) throw new FileRefused(`there is no profile ${options.profile}`);
    const { name, file_name: pattern } = chosen;
    if (!isNamedFor(chosen, file))
      throw new FileRefused(`its name is not like ${pattern}, as the profile ${name} wants`);
    return readBy(file, opened, chosen, options);
  }
  const fitting = all
    .map((profile) => ({ profile, located: locateAll(file, opened, profile) }))
    .filter(({ located }) => located.length > 0);
  // Lines with tags say less than headings, and headings less than all columns that there are.
  const headed = fitting.filter(({ profile }) => !profile.lines);
  const likely = headed.length > 0 ? headed : fitting;
  const whole = likely.filter(({ located }) => located.every(({ unknown }) => !unknown[0]));
  const [first, ...others] = (whole.length > 0 ? whole : likely).map(({ profile }) => profile);
  if (first && others.length === 0) return readBy(file, opened, first, options);
  const named = all.filter((each) => each.file_name !== undefined && isNamedFor(each, file));
  const proposed = first ? [first, ...others] : named;
  return proposed.length > 0 ? askForProfile(file, proposed) : readUnknown(file, opened, all);
}

const isNamedFor = ({ file_name: pattern }: Profile, { name }: SalesFile): boolean =>
  pattern === undefined || matchesPattern(name, pattern);

/** Finds the tables of a profile; a file whose start it cannot read is not of it. */
function locateAll(file: SalesFile, opened: OpenFile, profile: BuiltInProfile): Located[] {
  // Files without headings are told by their width, or by a person.
  const isKnowable = profile.width !== undefined || hasHeadings(profile);
  if (!isKnowable || !isNamedFor(profile, file)) return [];
  try {
    const located = opened.tables(profile, true).flatMap((table) => locate(table, profile) ?? []);
    return located.every((each) => mayBeInUnits(each, profile)) ? located : [];
  } catch (error) {
    if (error instanceof FileRefused) return [];
    throw error;
  }
}

/** Files of a mall without decimals may be in cents; those with decimals are not. */
function mayBeInUnits({ sources, body }: Located, { width, cents }: BuiltInProfile): boolean {
  const { index = -1 } = sources.find(({ field }) => field.name === 'gto') ?? {};
  const isPlain = (): boolean => body.every(({ cells }) => !/[.,]/.test(textOf(cells[index])));
  return width === undefined || !cents || isPlain();
}

function askForProfile(file: SalesFile, profiles: readonly Profile[]): ReadFile {
  const names = profiles.map(({ name }) => name);
  const text = `which profile is it of: ${names.join(' or ')}? Choose it (--profile)`;
  const values = names.map((name) => [name, name] as const);
  return resultOf(file, { questions: [ask('given.profile', text, values)] });
}

function readUnknown(
  file: SalesFile,
  opened: OpenFile,
  profiles: readonly BuiltInProfile[],
): ReadFile {
  const unknown = opened.tables(BUILT_IN_PROFILES[0]!, true);
  const table = unknown.find(({ rows }) => rows.length > 0);
  return resultOf(file, {
    problems: [explainUnknown(table?.rows ?? [], profiles)],
    unknown,
  });
}

const OPTIONS = new Set(['name', 'optional', 'width', ...Object.keys(PROFILE.entries)]);

/** A profile that an earlier release has stored may have an option that is gone. */
function assertKnown(profile: Profile): void {
  const gone = Object.keys(profile).find((option) => !OPTIONS.has(option));
  if (gone !== undefined)
    throw new FileRefused(
      `its profile ${profile.name} has ${gone}, which is no option: save it without`,
    );
}

/** Reads the tables of a file that have the headings of a profile. */
function readBy(
  file: SalesFile,
  opened: OpenFile,
  profile: BuiltInProfile,
  { given = {}, currency }: ReadingOptions,
): ReadFile {
  const findings = new Findings();
  findings.notes.push(...opened.notes);
  const hidden = `rows are hidden: ${opened.hidden.join(', ')}: show or delete them, and save the workbook again`;
  if (opened.hidden.length > 0 && profile.unchecked) findings.note(hidden);
  else if (opened.hidden.length > 0) findings.add(hidden);
  const { skip_sheets: skipped = [] } = profile;
  const found: TillDay[] = [];
  let hasTotal = true;
  let isKnown = false;
  try {
    assertKnown(profile);
    const tables = opened.tables(profile);
    for (const table of tables) {
      findings.where = tables.length > 1 ? `sheet ${table.sheet}: ` : '';
      const isSkipped = skipped.some((pattern) => matchesPattern(table.sheet, pattern));
      const located = isSkipped ? undefined : locate(table, profile);
      if (!located && table.rows.length > 0) findings.note('not read');
      if (!located) continue;
      isKnown = true;
      const reader = new TableReader(profile, located, file.name, given, findings, currency);
      for (const day of reader.read()) found.push(day);
      hasTotal &&= reader.hasTotal;
    }
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    return resultOf(file, { profile, problems: [error.message] });
  }
  if (!isKnown) return readUnknown(file, opened, [profile]);
  if (findings.isEmpty()) checkName(file, profile, found, findings);
  const days = findings.isEmpty() ? found : [];
  const { faults: problems, questions, notes } = findings;
  const fields = fieldsOf(profile);
  return resultOf(file, { profile, fields, days, problems, questions, notes, hasTotal });
}

/** The name of a mall's file has its date, which must be one of its lines. */
function checkName(
  { name }: SalesFile,
  { width }: BuiltInProfile,
  days: readonly TillDay[],
  findings: Findings,
): void {
  const [, year, month, day] = /_(20\d\d)(\d\d)(\d\d)\b/.exec(name) ?? [];
  const date = [year, month, day].join('-');
  if (width === undefined || year === undefined || days.some((each) => each.date === date)) return;
  const advice = 'correct the date, or rename the file';
  findings.add(`its name says ${date}, but its lines are of ${days[0]?.date}: ${advice}`);
}
