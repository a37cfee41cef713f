import {
  findRestaurant,
  type Plan,
  type PlannedDay,
  planUploads,
  type Surroundings,
} from '../../../src/sales/files/add-up.js';
import type { Profile } from '../../../src/sales/files/profile.js';
import { type ReadFile, readSalesFile } from '../../../src/sales/files/read-sales-file.js';
import type { Progress, Table } from '../../../src/sales/files/table.js';

/** How many rows of an unknown file a person is shown at most. */
const ROWS_SHOWN = 500;
/** How many days a preview tells. */
const DAYS_TOLD = 6;

/** A file that was chosen, and what a person said about it. */
export interface ChosenFile {
  readonly id: number;
  readonly file: File;
  /** The name of the profile that reads it; undefined to recognize it. */
  readonly profile?: string;
  readonly restaurant?: string;
  readonly date?: string;
}

/** What the page is told of a file; its rows stay in the worker. */
export type FileSummary = Pick<ReadFile, 'name' | 'profile' | 'notes' | 'problems' | 'unknown'>;

/** A planned day without the rows of its files. */
export type PageDay = Omit<PlannedDay, 'files'> & {
  readonly files: readonly { readonly id: number; readonly name: string }[];
};

export interface PagePlan {
  readonly days: readonly PageDay[];
  readonly files: Plan['files'];
  /** How many days there are; a preview has only the first ones. */
  readonly count: number;
}

/** What the files of the tab add up to, and how that differs from what the page was told before. */
export interface PlanOfTab {
  /** Days that are new or that have other figures. */
  readonly changed: readonly (readonly [id: string, day: PageDay])[];
  /** Names of the days that are in no file any more. */
  readonly gone: readonly string[];
  readonly byId: ReadonlyMap<number, Plan['files'][number]>;
  readonly codes: readonly Code[];
}

/** How files name a restaurant that only a person can tell. */
export interface Code {
  readonly name: string;
  readonly files: readonly string[];
}

/** The files of the tab, by number. */
const files = new Map<number, ReadFile>();
/** The days of the last plan, which the page has. */
let told: ReadonlyMap<string, PageDay> = new Map();

async function read(
  { id, file, profile, restaurant, date }: ChosenFile,
  profiles: readonly Profile[],
  progress: Progress,
): Promise<FileSummary> {
  const said = { ...(restaurant && { restaurant }), ...(date && { date }) };
  const bytes = new Uint8Array(await file.arrayBuffer());
  const result = await readSalesFile(
    { name: file.name, bytes },
    { profiles, given: said, progress, ...(profile && { profile }) },
  );
  files.set(id, result);
  const { name, notes, unknown, profile: known } = result;
  const problems = [...result.problems, ...result.questions.map(({ text }) => text)];
  return {
    ...{ name, notes, problems },
    ...(known && { profile: known }),
    ...(unknown && { unknown: unknown.map(startOf) }),
  };
}

const startOf = ({ sheet, rows }: Table): Table => ({
  sheet,
  rows: rows.slice(0, ROWS_SHOWN).map(({ line, cells }) => ({ line, cells: cells.map(String) })),
});

/** Adds the files up, and forgets all others. */
function plan(ids: readonly number[], around: Surroundings): PlanOfTab {
  for (const id of files.keys()) if (!ids.includes(id)) files.delete(id);
  const known = ids.filter((id) => files.has(id));
  const read = known.map((id) => files.get(id)!);
  const codes = codesOf(read, around);
  const planned = pagePlan(planUploads(read, around));
  const byId = new Map(known.map((id, index) => [id, planned.files[index]!]));
  const before = told;
  told = new Map(planned.days.map((day) => [nameOf(day), day]));
  const isNew = ([id, day]: readonly [string, PageDay]): boolean =>
    JSON.stringify(day) !== JSON.stringify(before.get(id));
  const gone = [...before.keys()].filter((id) => !told.has(id));
  return { changed: [...told].filter(isNew), gone, byId, codes };
}

/** Names a day of a plan; hours of two files never are the same. */
const nameOf = ({ restaurant, date, source, records }: PageDay): string =>
  JSON.stringify([restaurant, date, source, records.map(({ hour }) => hour)]);

/** Reads a file by a profile that is being made. */
async function preview(
  chosen: ChosenFile,
  profile: Profile,
  around: Surroundings,
  progress: Progress,
): Promise<PagePlan> {
  await read({ ...chosen, id: 0, profile: profile.name }, [profile], progress);
  const result = files.get(0)!;
  files.delete(0);
  const all = planUploads([result], around);
  return { ...pagePlan({ ...all, days: all.days.slice(0, DAYS_TOLD) }), count: all.days.length };
}

function pagePlan({ days, files: planned }: Plan): PagePlan {
  const ids = new Map([...files].map(([id, file]) => [file, id]));
  return {
    days: days.map((day) => ({
      ...day,
      files: day.files.map((file) => ({ id: ids.get(file) ?? 0, name: file.name })),
    })),
    files: planned.map((file) => ({
      ...file,
      problems: [...file.problems, ...file.questions.map(({ text }) => text)],
    })),
    count: days.length,
  };
}

/** Returns how files name restaurants that only a person can tell. */
function codesOf(read: readonly ReadFile[], around: Surroundings): Code[] {
  const alone = { ...around, machines: new Map<string, number>() };
  const filesOf = new Map<string, string[]>();
  for (const { name: file, entries, profile } of read)
    for (const name of new Set(entries.map(({ restaurant }) => restaurant)))
      if (findRestaurant(name, profile, alone) === undefined)
        filesOf.set(name, [...(filesOf.get(name) ?? []), file]);
  return [...filesOf].map(([name, named]) => ({ name, files: named }));
}

export interface Call {
  readonly id: number;
  readonly work:
    | { readonly kind: 'read'; readonly chosen: ChosenFile; readonly profiles: readonly Profile[] }
    | { readonly kind: 'plan'; readonly ids: readonly number[]; readonly around: Surroundings }
    | {
        readonly kind: 'preview';
        readonly chosen: ChosenFile;
        readonly profile: Profile;
        readonly around: Surroundings;
      };
}

export interface Answer {
  readonly id: number;
  readonly share?: number;
  readonly result?: unknown;
  readonly error?: string;
}

function run(work: Call['work'], progress: Progress): unknown {
  if (work.kind === 'read') return read(work.chosen, work.profiles, progress);
  if (work.kind === 'plan') return plan(work.ids, work.around);
  return preview(work.chosen, work.profile, work.around, progress);
}

addEventListener('message', ({ data }: MessageEvent<Call>) => {
  const { id, work } = data;
  const answer = (answered: Omit<Answer, 'id'>): void => postMessage({ id, ...answered });
  void Promise.resolve()
    .then(() => run(work, (share) => answer({ share })))
    .then(
      (result) => answer({ result }),
      (error: unknown) => answer({ error: String(error) }),
    );
});
