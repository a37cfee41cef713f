import { DatabaseError } from 'pg';
import { DatabaseTimeout } from './timed-pool.js';

export interface BatcherOptions<Item> {
  readonly maxConcurrency: number;
  readonly maxBatchSize: number;
  /** Items of one key never share a batch. */
  readonly keyOf?: ((item: Item) => string) | undefined;
  /** Items of different groups never share a batch. */
  readonly groupOf?: ((item: Item) => string) | undefined;
}

/** Milliseconds that a call waits at most for its batch to grow: running batches may be blocked. */
const MAX_WAIT_MS = 20;

/** The statement met a shard that is being moved. */
export const SERIALIZATION_FAILURE = '40001';

interface WaitingCall<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/** Serves calls that wait at the same moment by one statement. See docs/performance.md#batching */
export class Batcher<Item, Result> {
  private waiting: WaitingCall<Item, Result>[] = [];
  private runningBatches = 0;
  private runningItems = 0;
  private timer: NodeJS.Timeout | undefined;

  /** Takes the function that runs a batch; it must return the results in the order of the items. */
  constructor(
    private readonly run: (items: Item[]) => Promise<Result[]>,
    private readonly options: BatcherOptions<Item>,
  ) {}

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.flush();
    });
  }

  /** Starts a batch once as many calls wait as are running, or once one has waited long enough. */
  private flush(minBatchSize = this.runningItems): void {
    const { length } = this.waiting;
    if (length === 0 || this.runningBatches >= this.options.maxConcurrency) return;
    if (length >= minBatchSize) {
      void this.start(this.nextBatch());
      this.flush();
    } else {
      this.timer ??= setTimeout(() => {
        this.timer = undefined;
        this.flush(0);
      }, MAX_WAIT_MS).unref();
    }
  }

  private nextBatch(): WaitingCall<Item, Result>[] {
    const { maxBatchSize, keyOf, groupOf } = this.options;
    const group = groupOf?.(this.waiting[0]!.item);
    const batch = new Map<unknown, WaitingCall<Item, Result>>();
    this.waiting = this.waiting.filter((call) => {
      const key = keyOf?.(call.item) ?? call;
      const fits = batch.size < maxBatchSize && !batch.has(key);
      if (!fits || groupOf?.(call.item) !== group) return true;
      batch.set(key, call);
      return false;
    });
    return [...batch.values()];
  }

  private async start(batch: WaitingCall<Item, Result>[]): Promise<void> {
    this.runningBatches++;
    this.runningItems += batch.length;
    try {
      const results = await this.run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(results[index]!));
    } catch (error) {
      await this.fail(batch, error);
    }
    this.runningBatches--;
    this.runningItems -= batch.length;
    this.flush();
  }

  private async fail(batch: WaitingCall<Item, Result>[], error: unknown): Promise<void> {
    const isLate = error instanceof DatabaseTimeout || !(error instanceof DatabaseError);
    // One item may have caused the error, so each runs alone.
    if (!isLate && batch.length > 1 && error.code !== SERIALIZATION_FAILURE)
      for (const call of batch) await this.start([call]);
    else for (const { reject } of batch) reject(error);
    // Waiting calls have no time left for another try after a statement that took all of it.
    if (isLate) for (const { reject } of this.waiting.splice(0)) reject(error);
  }
}
