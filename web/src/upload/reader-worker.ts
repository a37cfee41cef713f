import { expose } from 'comlink';
import {
  namesOf,
  type PlannedDay,
  planUploads,
  restaurantFinder,
  type Surroundings,
} from '../../../src/sales/files/add-up.js';
import { firstDayOf } from '../../../src/sales/files/first-day.js';
import { BUILT_IN_PROFILES, type Profile } from '../../../src/sales/files/profile.js';
import { type Answer, withAnswer } from '../../../src/sales/files/question.js';
import { type ReadFile, readSalesFile } from '../../../src/sales/files/read-sales-file.js';
import type { Table } from '../../../src/sales/files/table.js';
import type { Draft } from './mapping-draft.js';

/** How many rows of an unknown file a person is shown at most. */
const ROWS_SHOWN = 500;

/** A file that was chosen, and what a person said about it. */
export interface ChosenFile {
  readonly id: number;
  readonly file: File;
  /** The name of the profile that reads it; undefined to recognize it. */
  readonly profile?: string;
  readonly restaurant?: string;
  readonly date?: string;
  readonly turnovers?: readonly TypedTurnover[];
  /** What was answered for this file alone. */
  readonly answers?: readonly Answer[];
  /** How it was mapped in this tab; the first table is the one that was shown. */
  readonly mapping?: { readonly tables: readonly Table[]; readonly draft: Draft };
}

/** The turnover of a day by the till's own report, as it was typed. */
export interface TypedTurnover {
  /** How the file names the restaurant; undefined for the one that a person said. */
  readonly restaurant?: string;
  readonly date: string;
  readonly typed?: string;
}

/** What the page is told of a file; its rows stay in the worker. */
export type FileSummary = Pick<
  ReadFile,
  'profile' | 'notes' | 'problems' | 'questions' | 'unknown'
>;

/** A planned day; its records are one text, as thousands of days would block the page. */
export type PageDay = Omit<PlannedDay, 'files' | 'records' | 'lines'> & {
  readonly files: readonly { readonly id: number; readonly name: string }[];
  readonly hours: number;
  /** JSON of the records, and of the lines where each was read. */
  readonly json: string;
};

/** The restaurants of codes, by profile: outlet 7 of one source is not that of another. */
export type Codes = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** How files name a restaurant that only a person can tell. */
export interface Code {
  readonly profile: string;
  readonly name: string;
  readonly files: readonly string[];
}

interface Reading {
  readonly profiles: readonly Profile[];
  readonly currency: string | undefined;
}

const files = new Map<number, ReadFile>();
/** The days of the last plan, which the page has. */
let told: ReadonlyMap<string, PageDay> = new Map();

async function readChosen(
  { file, profile, restaurant, date, answers = [] }: ChosenFile,
  reading: Reading,
): Promise<ReadFile> {
  const given = { ...(restaurant && { restaurant }), ...(date && { date }) };
  const bytes = new Uint8Array(await file.arrayBuffer());
  const answered = [...reading.profiles, ...BUILT_IN_PROFILES]
    .filter(({ name }) => name === profile)
    .map((each) => answers.reduce(withAnswer, each));
  const profiles = [...answered, ...reading.profiles];
  return readSalesFile({ name: file.name, bytes }, { ...reading, profiles, given, profile });
}

async function read(chosen: ChosenFile, reading: Reading): Promise<FileSummary> {
  const result = await readChosen(chosen, reading);
  files.set(chosen.id, result);
  const { notes, problems, questions, unknown, profile } = result;
  return {
    ...{ notes, problems, questions },
    ...(profile && { profile }),
    ...(unknown && { unknown: unknown.map(startOf) }),
  };
}

const startOf = ({ sheet, rows }: Table): Table => ({
  sheet,
  rows: rows.slice(0, ROWS_SHOWN).map(({ line, cells }) => ({ line, cells: cells.map(String) })),
});

/** Says what the files add up to, and how that differs from what the page was told before. */
function plan(ids: readonly number[], around: Surroundings, remembered: Codes) {
  for (const id of files.keys()) if (!ids.includes(id)) files.delete(id);
  const known = ids.filter((id) => files.has(id));
  const read = known.map((id) => files.get(id)!);
  const codes = new Map(around.codes);
  for (const [profile, more] of Object.entries(remembered))
    codes.set(profile, { ...codes.get(profile), ...more });
  const planned = planUploads(read, { ...around, codes });
  const byId = new Map(known.map((id, index) => [id, planned.files[index]!]));
  const before = told;
  told = new Map(planned.days.map((day) => [keyOf(day), pageDay(day)]));
  const isNew = ([id, day]: readonly [string, PageDay]): boolean =>
    JSON.stringify(day) !== JSON.stringify(before.get(id));
  const gone = [...before.keys()].filter((id) => !told.has(id));
  return { changed: [...told].filter(isNew), gone, byId, codes: codesOf(read, around) };
}

/** Tells a day of a plan from others; hours of two sources never are the same. */
const keyOf = ({ restaurantId, date, source, records }: PlannedDay): string =>
  JSON.stringify([restaurantId, date, source, records.map(({ hour }) => hour)]);

const pageDay = ({ records, lines, ...day }: PlannedDay): PageDay => ({
  ...day,
  hours: records.length,
  json: JSON.stringify({ records, lines }),
  files: [...files].flatMap(([id, file]) =>
    day.files.includes(file) ? [{ id, name: file.name }] : [],
  ),
});

async function preview(chosen: ChosenFile, reading: Reading) {
  const file = await readChosen(chosen, reading);
  const { questions, notes, hasTotal } = file;
  // Whichever restaurants they are, the sums are checked as for an upload.
  const codes = new Map([
    [chosen.profile!, Object.fromEntries(namesOf(file).map((name, index) => [name, index + 1]))],
  ]);
  const planned = planUploads([file], { restaurants: [], codes, latestDate: '9999-12-31' });
  const { problems } = planned.files[0]!;
  return { problems, questions, notes, hasTotal, first: firstDayOf(file) };
}

function codesOf(read: readonly ReadFile[], around: Surroundings): Code[] {
  const all = new Map<string, { profile: string; name: string; files: string[] }>();
  const find = restaurantFinder(around);
  for (const file of read)
    for (const name of namesOf(file)) {
      if (find(name, file.profile) !== undefined) continue;
      const profile = file.profile!.name;
      const key = `${profile}\n${name}`;
      const code = all.get(key) ?? { profile, name, files: [] };
      code.files.push(file.name);
      all.set(key, code);
    }
  return [...all.values()];
}

const STEPS = { read, plan, preview };

export type Steps = typeof STEPS;

expose(STEPS);
