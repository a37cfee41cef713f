import { useState } from 'preact/hooks';
import type { loadAccount } from '../account.js';
import { addDecimals } from '../amounts.js';
import { keep, recall } from '../api/service.js';
import { addDays } from '../dates.js';
import { errorText } from '../use-load.js';
import { check, save } from './check-day.js';
import type { DayState, FileDay } from './file-days.js';
import type { ChosenFile, Code, FileSummary, Profile, Reader, Surroundings } from './reader.js';

/** The restaurant of each machine, as the browser remembers it. */
type Machines = Readonly<Record<string, string>>;

/** A file, what was read of it, and what keeps it from being uploaded. */
export interface FileState {
  readonly chosen: ChosenFile;
  /** Whether it was read since a person last said something about it. */
  readonly isRead: boolean;
  readonly read?: FileSummary;
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

let count = 0;
const loadReader = (): Promise<Reader> => import('./reader.js').then(({ reader }) => reader);

type Account = Awaited<ReturnType<typeof loadAccount>>;

/**
 * The chosen files of a tab, the days they add up to, and what a person said about them. What a
 * person does changes the state at once; two loops do what is then missing, one step after another,
 * and each step works on the state that it finds: one reads files and adds them up, the other one
 * checks days and saves them.
 */
export class Uploads {
  files: readonly FileState[] = [];
  readonly days = new Map<string, FileDay>();
  /** How files name restaurants that only a person can tell. */
  codes: readonly Code[] = [];
  /** The file that is being read, and which share of it is. */
  reading: { readonly name: string; readonly share: number } | undefined;
  /** The sum of all days. */
  turnover = '0';
  allowFuture = false;
  machines = (recall(() => localStorage, 'machines') ?? {}) as Machines;
  account: Account | undefined;
  private isPlanned = true;
  private isSettling = false;
  private readonly waiting: string[] = [];
  private isRunning = false;

  constructor(private readonly draw: () => void) {}

  /** Whether there are days that are neither saved nor rejected. */
  get isWaiting(): boolean {
    return [...this.days.values()].some(({ state }) => !/saved|rejected/.test(state.kind));
  }

  readonly add = (added: readonly File[]): void => {
    const files = added.map((file): FileState => {
      return { chosen: { id: ++count, file }, isRead: false, problems: [], notes: [] };
    });
    this.settle([...this.files, ...files]);
  };

  /** Lets a file be read again with what a person says about it. */
  readonly tell = (id: number, said: Partial<ChosenFile>): void =>
    this.settle(
      this.files.map((each) =>
        each.chosen.id === id
          ? { ...each, chosen: { ...each.chosen, ...said }, isRead: false }
          : each,
      ),
    );

  readonly remove = (id: number): void =>
    this.settle(this.files.filter(({ chosen }) => chosen.id !== id));

  readonly clear = (): void => this.settle([]);

  readonly assign = (machine: string, restaurantId: string): void => {
    this.machines = { ...this.machines, [machine]: restaurantId };
    keep(() => localStorage, 'machines', this.machines);
    this.settle();
  };

  readonly allow = (isAllowed: boolean): void => {
    this.allowFuture = isAllowed;
    this.settle();
  };

  /** Lets hours of other tills be replaced. */
  readonly replace = (day: FileDay): void => {
    this.days.set(day.id, { ...day, replace: true });
    this.run([{ ...day, state: { kind: 'checking' } }]);
  };

  /** Reads a file by a profile that was made in this tab. */
  readonly use = async (id: number, profile: Profile): Promise<void> => {
    await (await loadReader()).profiles(profile);
    this.tell(id, { profile: profile.name });
  };

  /** Checks or saves days, as their new states say, one request at a time. */
  readonly run = (changed: readonly Pick<FileDay, 'id' | 'state'>[]): void => {
    for (const { id, state } of changed) this.set(id, state);
    this.waiting.push(...changed.map(({ id }) => id));
    void this.work();
  };

  private set(id: string, state: DayState): void {
    const day = this.days.get(id);
    if (day) this.days.set(id, { ...day, state });
    this.draw();
  }

  private async work(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    for (let id = this.waiting.shift(); id !== undefined; id = this.waiting.shift()) {
      const day = this.days.get(id);
      if (day?.state.kind !== 'checking' && day?.state.kind !== 'sending') continue;
      const { state } = day;
      const next = await (state.kind === 'checking' ? check(day) : save(day, state.version));
      // Of other figures, which came meanwhile, the answer says nothing.
      if (this.days.get(id)?.planned === day.planned) this.set(id, next);
    }
    this.isRunning = false;
  }

  /** Reads what is not read yet and adds all up anew, until nothing of that is left to do. */
  private settle(files = this.files): void {
    this.files = files;
    this.isPlanned = false;
    this.draw();
    if (!this.isSettling) void this.readAndPlan();
  }

  private async readAndPlan(): Promise<void> {
    this.isSettling = true;
    while (!this.isPlanned) {
      const next = this.files.find(({ isRead }) => !isRead);
      await (next ? this.read(next) : this.plan().catch((error: unknown) => this.forget(error)));
      this.draw();
    }
    this.isSettling = false;
  }

  private async read(file: FileState): Promise<void> {
    const { name } = file.chosen.file;
    const report = (share: number): void => {
      this.reading = { name, share };
      this.draw();
    };
    report(0);
    const failed = (error: unknown): FileSummary => {
      return { name, notes: [], problems: [errorText(error)] };
    };
    const read = await loadReader()
      .then((reader) => reader.read(file.chosen, report))
      .catch(failed);
    this.reading = undefined;
    const { problems, notes } = read;
    const done: FileState = { ...file, isRead: true, read, problems, notes };
    this.files = this.files.map((each) => (each === file ? done : each));
  }

  /** Takes over what the files add up to now; days whose figures are the same keep their state. */
  private async plan(): Promise<void> {
    this.isPlanned = true;
    const ids = this.files.map(({ chosen }) => chosen.id);
    const { plan } = await loadReader();
    const { changed, gone, codes, byId } = await plan(ids, this.surroundings());
    this.codes = codes;
    this.files = this.files.map((file) => ({ ...file, ...byId.get(file.chosen.id) }));
    // What reads files may have been started anew, and then knows none of them.
    const lost = this.files.filter(({ chosen, problems }) => !byId.has(chosen.id) && !problems[0]);
    for (const { chosen } of lost) this.tell(chosen.id, {});
    for (const id of gone) this.days.delete(id);
    const state: DayState = { kind: 'checking' };
    for (const [id, planned] of changed) this.days.set(id, { id, planned, state, replace: false });
    const figures = [...this.days.values()].map(({ planned }) => planned.turnover ?? '0');
    this.turnover = addDecimals(figures);
    this.run(changed.map(([id]) => ({ id, state })));
  }

  /** Nothing is known of the files where they could not be added up. */
  private forget(error: unknown): void {
    this.files = this.files.map((file) => ({ ...file, problems: [errorText(error)] }));
    this.days.clear();
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

/** Keeps the chosen files of a tab over all views; what changes within a frame is drawn once. */
export function useUploads(account: Account | undefined): Uploads {
  const [, setVersion] = useState(0);
  const [uploads] = useState(() => {
    let isDrawn = true;
    return new Uploads(() => {
      if (!isDrawn) return;
      isDrawn = false;
      requestAnimationFrame(() => {
        isDrawn = true;
        setVersion((version) => version + 1);
      });
    });
  });
  uploads.account = account;
  return uploads;
}
