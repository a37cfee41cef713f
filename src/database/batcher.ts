import { DatabaseError } from 'pg';
import { Overloaded } from '../http/errors/http.errors.js';
import { DatabaseTimeout } from './timed-pool.js';

export interface BatcherOptions<Item> {
  /** Number of batches that run at once. */
  readonly lanes: number;
  readonly maxBatchSize: number;
  /** Milliseconds after which a call that is not running yet is rejected. */
  readonly maxWaitMs: number;
  /** Items of one key never run at once. */
  readonly keyOf: (item: Item) => string;
  /** Items of different groups never share a batch. */
  readonly groupOf?: ((item: Item) => string) | undefined;
}

/** The statement met a shard that is being moved. */
export const SERIALIZATION_FAILURE = '40001';

const MAX_SUSPECTS = 10_000;

interface Call<Item, Result> {
  readonly item: Item;
  readonly key: string;
  readonly latestStart: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Serves calls that wait at the same moment by one statement. No call waits for others to
 * arrive: a delay of up to 20 ms did not save more uploads. A call of a key that runs takes no lane,
 * so that a key whose row another session has locked keeps only its own calls waiting.
 *
 * If a statement fails because of one of several items, which is not known, all of them wait again,
 * as suspects. A key is suspect after its batch has failed or met a time limit, until it succeeds.
 * Suspects run alone and one after the other, so that however many rows are locked, they block one
 * lane and no other call.
 */
export class Batcher<Item, Result> {
  private waiting: Call<Item, Result>[] = [];
  /**
   * A Map of the calls would keep them alive for two collections of V8, which cost up to a fifth of
   * the CPU of an upload.
   */
  private readonly runningKeys = new Set<string>();
  private readonly suspects = new Set<string>();
  private isSuspectRunning = false;
  private runningBatches = 0;
  private starting: NodeJS.Immediate | undefined;

  /** Takes the function that runs a batch; it must return the results in the order of the items. */
  constructor(
    private readonly run: (items: Item[]) => Promise<Result[]>,
    private readonly options: BatcherOptions<Item>,
  ) {}

  add(item: Item): Promise<Result> {
    const { keyOf, maxWaitMs } = this.options;
    const latestStart = performance.now() + maxWaitMs;
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, key: keyOf(item), latestStart, resolve, reject });
      // What arrives in the same turn of the event loop shares a batch.
      this.starting ??= setImmediate(() => {
        this.starting = undefined;
        this.startBatches();
      });
    });
  }

  private startBatches(): void {
    while (this.runningBatches < this.options.lanes) {
      const batch = this.takeBatch();
      if (batch.length === 0) return;
      void this.start(batch);
    }
  }

  /** Takes calls that may run now and together; rejects those that have waited too long. */
  private takeBatch(): Call<Item, Result>[] {
    const now = performance.now();
    const batch: Call<Item, Result>[] = [];
    this.waiting = this.waiting.filter((call) => {
      if (now > call.latestStart) {
        call.reject(new Overloaded());
        return false;
      }
      if (this.runningKeys.has(call.key) || !this.mayJoin(batch, call)) return true;
      this.runningKeys.add(call.key);
      batch.push(call);
      return false;
    });
    return batch;
  }

  private mayJoin(
    batch: readonly Call<Item, Result>[],
    { item, key }: Call<Item, Result>,
  ): boolean {
    const { maxBatchSize, groupOf } = this.options;
    const isSuspect = this.suspects.has(key);
    const [first] = batch;
    if (!first) return !isSuspect || !this.isSuspectRunning;
    if (isSuspect || this.suspects.has(first.key) || batch.length === maxBatchSize) return false;
    return groupOf?.(item) === groupOf?.(first.item);
  }

  private async start(batch: Call<Item, Result>[]): Promise<void> {
    const isSuspect = this.suspects.has(batch[0]!.key);
    if (isSuspect) this.isSuspectRunning = true;
    this.runningBatches++;
    try {
      const results = await this.run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(results[index]!));
      for (const { key } of batch) this.suspects.delete(key);
    } catch (error) {
      this.fail(batch, error);
    }
    for (const { key } of batch) this.runningKeys.delete(key);
    this.runningBatches--;
    if (isSuspect) this.isSuspectRunning = false;
    this.startBatches();
  }

  private fail(batch: Call<Item, Result>[], error: unknown): void {
    const mayBeOfOneItem =
      error instanceof DatabaseError &&
      error.severity !== 'FATAL' &&
      error.code !== SERIALIZATION_FAILURE;
    if (this.suspects.size > MAX_SUSPECTS) this.suspects.clear();
    if (mayBeOfOneItem || error instanceof DatabaseTimeout)
      for (const { key } of batch) this.suspects.add(key);
    if (mayBeOfOneItem && batch.length > 1) this.waiting.unshift(...batch);
    else for (const { reject } of batch) reject(error);
  }
}
