import { useState } from 'preact/hooks';
import type { Surroundings } from '../../../src/sales/files/add-up.js';
import type { Profile } from '../../../src/sales/files/profile.js';
import type { Answer } from '../../../src/sales/files/question.js';
import type { Account } from '../account.js';
import { addDecimals, amountOf } from '../amounts.js';
import { keep, recall } from '../api/session.js';
import { addDays } from '../dates.js';
import { errorText } from '../use-action.js';
import { check, type FileDay, save } from './file-days.js';
import type { ChosenFile, Code, Codes, FileSummary } from './reader-worker.js';

export type Said = Partial<Omit<ChosenFile, 'id' | 'file'>>;

/** A file, what was read of it, and what keeps it from being uploaded. */
export interface FileState extends FileSummary {
  readonly chosen: ChosenFile;
  /** Whether it was read since a person last said something about it. */
  readonly isRead: boolean;
}

/** How many days back a date is taken without a question. */
const RECENT_DAYS = 62;

const NOTHING_READ: FileSummary = { problems: [], questions: [], notes: [] };

let count = 0;
/** The steps of an import are loaded when the first file is chosen. */
export const loadReader = () => import('./reader.js');

/**
 * The chosen files of a tab, the days they add up to, and what a person said about them. What a
 * person does changes the state at once; one loop does what is then missing, one step after another,
 * and each step works on the state that it finds.
 */
export class Uploads {
  files: readonly FileState[] = [];
  readonly days = new Map<string, FileDay>();
  /** How files name restaurants that only a person can tell. */
  codes: readonly Code[] = [];
  reading: string | undefined;
  turnover = '0';
  /** The restaurant of each code by profile, as the browser remembers it. */
  remembered = (recall(() => localStorage, 'codes') ?? {}) as Codes;
  account: Account | undefined;
  private readonly allowed = new Set<string>();
  private isPlanned = true;
  private isWorking = false;
  private readonly waiting: string[] = [];

  constructor(private readonly draw: () => void) {}

  /** Whether there are days that are neither saved nor rejected. */
  get isWaiting(): boolean {
    return [...this.days.values()].some(({ state }) => !/saved|rejected/.test(state.kind));
  }

  readonly add = (added: readonly File[]): void => {
    const files = added.map((file): FileState => {
      return { chosen: { id: ++count, file }, isRead: false, ...NOTHING_READ };
    });
    this.settle([...this.files, ...files]);
  };

  /** Takes over what a person says about a file, which is read again where that matters. */
  readonly tell = (id: number, said: Said): void => {
    const isOfTotal = Object.keys(said).join() === 'turnovers';
    this.settle(
      this.files.map((each) =>
        each.chosen.id === id
          ? { ...each, chosen: { ...each.chosen, ...said }, isRead: each.isRead && isOfTotal }
          : each,
      ),
    );
  };

  readonly remove = (id: number): void =>
    this.settle(this.files.filter(({ chosen }) => chosen.id !== id));

  readonly clear = (): void => this.settle([]);

  readonly assign = ({ profile, name }: Code, restaurantId: string): void => {
    const codes = { ...this.remembered[profile], [name]: Number(restaurantId) };
    this.remembered = { ...this.remembered, [profile]: codes };
    keep(() => localStorage, 'codes', this.remembered);
    this.settle();
  };

  /** Lets stored hours that came from elsewhere be replaced. */
  readonly replace = (day: FileDay): void => {
    this.set(day.id, { replace: true });
    this.run([day], 'checking');
  };

  /** Keeps the turnover of a day that a person typed. */
  readonly compare = ({ id }: FileDay, typed: string): void => this.set(id, { typed });

  /** Reads a file by a profile that was made in this tab, and anew what it may read too. */
  readonly use = (id: number, profile: Profile, said: Said = {}): void => {
    const mayRead = (each: FileState): boolean =>
      each.unknown !== undefined || each.profile?.name === profile.name;
    this.files = this.files.map((each) => (mayRead(each) ? { ...each, isRead: false } : each));
    this.tell(id, { ...said, profile: profile.name });
  };

  /** Takes over an answer: it is of this import or file, or it is kept in the profile. */
  readonly answer = async (file: FileState, answer: Answer, isKept: boolean): Promise<void> => {
    const { option, value } = answer;
    const { id, answers = [] } = file.chosen;
    if (option === 'given.profile') this.tell(id, { profile: String(value) });
    else if (/given\.(old|future)/.test(option)) {
      this.allowed.add(option);
      this.settle();
    } else if (!isKept)
      this.tell(id, { profile: file.profile!.name, answers: [...answers, answer] });
    else {
      const reader = await loadReader();
      const profile = await reader.answered(file.profile!, answer);
      reader.make(profile);
      if (this.account?.hasAllRestaurants && !reader.isBuiltIn(profile.name))
        await reader.save(profile);
      this.use(id, profile);
    }
  };

  /** Checks or saves days, one request at a time. */
  readonly run = (days: readonly FileDay[], kind: 'checking' | 'sending'): void => {
    for (const { id } of days) this.set(id, { state: { kind } });
    this.waiting.push(...days.map(({ id }) => id));
    void this.work();
  };

  private set(id: string, change: Partial<FileDay>): void {
    const day = this.days.get(id);
    if (day) this.days.set(id, { ...day, ...change });
    this.draw();
  }

  private settle(files = this.files): void {
    this.files = files;
    this.isPlanned = false;
    this.draw();
    void this.work();
  }

  /** Reads what is not read yet, adds all up anew, then checks and sends days, until all is done. */
  private async work(): Promise<void> {
    if (this.isWorking) return;
    this.isWorking = true;
    while (!this.isPlanned || this.waiting.length > 0) {
      const unread = this.files.find(({ isRead }) => !isRead);
      if (unread) await this.read(unread);
      else if (!this.isPlanned) await this.plan().catch((error: unknown) => this.forget(error));
      else await this.send(this.waiting.shift()!);
      this.draw();
    }
    this.isWorking = false;
  }

  private async send(id: string): Promise<void> {
    const day = this.days.get(id);
    if (day?.state.kind !== 'checking' && day?.state.kind !== 'sending') return;
    const next = await (day.state.kind === 'checking' ? check(day) : save(day));
    // Of other figures, which came meanwhile, the answer says nothing.
    if (this.days.get(id)?.planned === day.planned) this.set(id, next);
  }

  private async read(file: FileState): Promise<void> {
    this.reading = file.chosen.file.name;
    this.draw();
    const read = await loadReader()
      .then((reader) => reader.read(file.chosen, this.account?.currency))
      .catch((error: unknown) => ({ ...NOTHING_READ, problems: [errorText(error)] }));
    this.reading = undefined;
    const done: FileState = { chosen: file.chosen, isRead: true, ...read };
    this.files = this.files.map((each) => (each === file ? done : each));
  }

  /** Takes over what the files add up to now; days whose figures are the same keep their state. */
  private async plan(): Promise<void> {
    this.isPlanned = true;
    const ids = this.files.map(({ chosen }) => chosen.id);
    const { plan } = await loadReader();
    const { changed, gone, codes, byId } = await plan(ids, this.surroundings(), this.remembered);
    this.codes = codes;
    this.files = this.files.map((file) => ({ ...file, ...byId.get(file.chosen.id) }));
    // What reads files may have been started anew, and then knows none of them.
    const lost = this.files.filter(({ chosen, problems }) => !byId.has(chosen.id) && !problems[0]);
    for (const { chosen } of lost) this.tell(chosen.id, {});
    for (const id of gone) this.days.delete(id);
    const state = { kind: 'checking' } as const;
    for (const [id, planned] of changed) this.days.set(id, { id, planned, state, replace: false });
    this.turnover = addDecimals([...this.days.values()].map(({ planned }) => planned.turnover));
    this.waiting.push(...changed.map(([id]) => id));
  }

  /** Nothing is known of the files where they could not be added up. */
  private forget(error: unknown): void {
    this.files = this.files.map((file) => ({ ...file, problems: [errorText(error)] }));
    this.days.clear();
  }

  private surroundings(): Surroundings {
    const { restaurants = [], today = '9999-01-01' } = this.account ?? {};
    const profiles = this.files.flatMap(({ profile }) => profile ?? []);
    const turnovers = this.files.flatMap(({ chosen }) =>
      (chosen.turnovers ?? []).flatMap(({ restaurant = chosen.restaurant, date, typed = '' }) => {
        const turnover = amountOf(typed);
        return restaurant && turnover !== undefined ? [{ restaurant, date, turnover }] : [];
      }),
    );
    return {
      restaurants: restaurants.map(({ restaurant_id: id, name }) => ({ id: Number(id), name })),
      codes: new Map(profiles.map(({ name, restaurant }) => [name, restaurant.codes ?? {}])),
      earliestDate: addDays(today, -RECENT_DAYS),
      latestDate: addDays(today, 1),
      allowOld: this.allowed.has('given.old'),
      allowFuture: this.allowed.has('given.future'),
      turnovers,
    };
  }
}

/** Keeps the chosen files of a tab over all views; what changes within a frame is drawn once. */
export function useUploads(account: Account | undefined): Uploads {
  const [, setVersion] = useState(0);
  const [uploads] = useState(() => {
    let frame = 0;
    return new Uploads(() => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        setVersion((version) => version + 1);
      });
    });
  });
  uploads.account = account;
  return uploads;
}
