import { useState } from 'preact/hooks';
import type { loadAccount } from '../account.js';
import { addDecimals } from '../amounts.js';
import { ApiError, keep, post, recall } from '../api/service.js';
import type { UploadResponse } from '../api/shapes.js';
import { addDays } from '../dates.js';
import { labelOf } from '../fields.js';
import { errorText } from '../use-load.js';
import {
  type DayState,
  type FileDay,
  heldBackFiles,
  idOf,
  isHeldBack,
  isSameDay,
} from './file-days.js';
import type { ChosenFile, Code, FileSummary, Profile, Reader, Surroundings } from './reader.js';

/** The restaurant of each machine, as the browser remembers it. */
type Machines = Readonly<Record<string, string>>;

/** A file with what was read of it, and what keeps it from being uploaded. */
export interface FileResult {
  readonly chosen: ChosenFile;
  readonly read: FileSummary;
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

let count = 0;
const loadReader = (): Promise<Reader> => import('./reader.js').then(({ reader }) => reader);

type Account = Awaited<ReturnType<typeof loadAccount>>;

/** The chosen files of a tab, the days they add up to, and what a person said about them. */
class UploadSession {
  days: readonly FileDay[] = [];
  files: readonly FileResult[] = [];
  /** How files name restaurants that only a person can tell. */
  codes: readonly Code[] = [];
  /** The file that is being read, and which share of it is. */
  reading: { readonly name: string; readonly share: number } | undefined;
  /** The sum of all days. */
  turnover = '0';
  allowFuture = false;
  machines = (recall(() => localStorage, 'machines') ?? {}) as Machines;
  account: Account | undefined;
  onChange: () => void = () => undefined;

  /** Whether there are days that are neither saved nor rejected. */
  get isWaiting(): boolean {
    return this.days.some(({ state }) => state.kind !== 'saved' && state.kind !== 'rejected');
  }

  get ready(): FileDay[] {
    const held = heldBackFiles(this.days);
    return this.days.filter((day) => day.state.kind === 'ready' && !isHeldBack(day, held));
  }

  readonly add = async (added: readonly File[]): Promise<void> => {
    const results: FileResult[] = [];
    for (const file of added) results.push(await this.read({ id: ++count, file }));
    await this.planAgain([...this.files, ...results]);
  };

  /** Reads a file again with what a person said about it. */
  readonly tell = async (id: number, said: Partial<ChosenFile>): Promise<void> => {
    const results: FileResult[] = [];
    for (const each of this.files)
      results.push(each.chosen.id === id ? await this.read({ ...each.chosen, ...said }) : each);
    await this.planAgain(results);
  };

  readonly remove = (id: number): Promise<void> =>
    this.planAgain(this.files.filter(({ chosen }) => chosen.id !== id));

  readonly clear = (): Promise<void> => this.planAgain([]);

  readonly assign = async (machine: string, restaurantId: string): Promise<void> => {
    this.machines = { ...this.machines, [machine]: restaurantId };
    keep(() => localStorage, 'machines', this.machines);
    await this.planAgain(this.files);
  };

  readonly allow = async (isAllowed: boolean): Promise<void> => {
    this.allowFuture = isAllowed;
    await this.planAgain(this.files);
  };

  readonly replace = (day: FileDay): Promise<void> => {
    this.set(day.id, { replace: true });
    return this.run([{ ...day, replace: true }], 'checking');
  };

  /** Reads a file, and those like it, by a profile that was made in this tab. */
  readonly use = async (id: number, profile: Profile): Promise<void> => {
    await (await loadReader()).profiles(profile);
    await this.tell(id, { profile: profile.name });
  };

  /** Checks or saves days, one request at a time. */
  readonly run = async (chosen: readonly FileDay[], kind: 'checking' | 'sending') => {
    for (const day of chosen) {
      this.set(day.id, { state: { kind } });
      this.set(day.id, { state: await (kind === 'checking' ? check(day) : save(day)) });
    }
  };

  private show(changes: Partial<UploadSession>): void {
    Object.assign(this, changes);
    this.onChange();
  }

  private set(id: string, change: Partial<FileDay>): void {
    this.show({ days: this.days.map((each) => (each.id === id ? { ...each, ...change } : each)) });
  }

  private async read(chosen: ChosenFile): Promise<FileResult> {
    const { name } = chosen.file;
    this.show({ reading: { name, share: 0 } });
    const failed = (error: unknown): FileSummary => {
      return { name, notes: [], problems: [errorText(error)] };
    };
    const read = await loadReader()
      .then((reader) => reader.read(chosen, (share) => this.show({ reading: { name, share } })))
      .catch(failed);
    this.show({ reading: undefined });
    return { chosen, read, problems: read.problems, notes: read.notes };
  }

  /** Adds all files up anew; days whose figures are the same keep their state. */
  private async planAgain(results: readonly FileResult[]): Promise<void> {
    const { plan } = await loadReader();
    const planned = await plan(
      results.map(({ chosen }) => chosen.id),
      this.surroundings(),
    );
    const known = new Map(this.days.map((day) => [day.id, day]));
    const days = planned.days.map((day): FileDay => {
      const id = idOf(day);
      const earlier = known.get(id);
      const { state, replace } = earlier ?? { state: { kind: 'checking' }, replace: false };
      if (earlier && isSameDay(earlier.planned, day)) return { id, planned: day, state, replace };
      known.delete(id);
      return { id, planned: day, state: { kind: 'checking' }, replace: false };
    });
    // A file that could not be read at all is not in the plan.
    const files = results.map((result) => {
      const { problems, notes } = planned.byId.get(result.chosen.id) ?? result.read;
      return { ...result, problems, notes };
    });
    const turnover = addDecimals(days.map((day) => day.planned.turnover ?? '0'));
    this.show({ files, days, turnover, codes: planned.codes });
    await this.run(
      days.filter(({ id }) => !known.has(id)),
      'checking',
    );
  }

  private surroundings(): Surroundings {
    const { restaurants = [], today = '9999-01-01' } = this.account ?? {};
    return {
      restaurants: restaurants.map(({ restaurant_id: id, name }) => ({ id: Number(id), name })),
      machines: new Map(Object.entries(this.machines).map(([name, id]) => [name, Number(id)])),
      latestDate: addDays(today, 1),
      allowFuture: this.allowFuture,
    };
  }
}

/** Keeps the chosen files of a tab over all views. */
export function useUploads(account: Account | undefined): UploadSession {
  const [session] = useState(() => new UploadSession());
  const [, setVersion] = useState(0);
  session.account = account;
  session.onChange = () => setVersion((version) => version + 1);
  return session;
}

export type Uploads = UploadSession;

/** Lets the service check a day and say what an upload would change. */
async function check(day: FileDay): Promise<DayState> {
  try {
    const { changes, warnings, stored } = await send(day, '?dry_run=true');
    const { findForeignTills, warningsOf } = await loadReader();
    const preview = { changes, warnings, stored };
    const foreign = day.replace ? undefined : findForeignTills(day.planned, preview);
    if (foreign !== undefined) return { kind: 'foreign', message: foreign };
    return { kind: 'ready', changes, warnings: warningsOf(day.planned, preview) };
  } catch (error) {
    const message = errorText(error);
    if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500)
      return { kind: 'unchecked', message };
    const { lines } = day.planned;
    const placeOf = (_path: string, record: string, field: string): string =>
      `line ${lines[Number(record)]?.join(', ') ?? Number(record) + 1}, ${labelOf(field)}:`;
    const pointers = [...error.fields.matchAll(/\/records\/(\d+)\/(\w+)/g)];
    const cells = pointers.map(([, record, field]) => `${record!} ${field!}`);
    const inWords = message.replace(/records\[(\d+)\]\.(\w+)/g, placeOf);
    return { kind: 'rejected', message: inWords, cells };
  }
}

async function save(day: FileDay): Promise<DayState> {
  try {
    return { kind: 'saved', message: (await send(day, '')).message };
  } catch (error) {
    return { kind: 'failed', message: errorText(error) };
  }
}

/** Sends records unchecked: those of a JSON file may be anything, and the service validates them. */
function send({ planned }: FileDay, query: string): Promise<UploadResponse> {
  const { records, source } = planned;
  return post<UploadResponse>('/api/v1/sales/upload-daily', { records }, { query, source });
}
