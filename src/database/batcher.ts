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
 * arrive: a delay of up to 20 ms did not save more uploads.
 *
 * A call is in one of these states:
 * - queued: an earlier call of its key has not ended. It takes no lane, so that a key whose row
 *   another session has locked keeps only its own calls waiting.
 * - ready: it is the first of its key. A free lane takes the ready calls, as a batch, at the end of
 *   the turn of the event loop.
 * - running: its batch is. If the statement fails because of one of several items, which is not
 *   known, all of them become ready again, as suspects.
 * - ended: with its result or an error, or rejected since it was not running in time.
 *
 * A key is suspect after its batch has failed or met a time limit, until it succeeds. Suspects run
 * alone and one after the other, so that however many rows are locked, they block one lane and no
 * other call.
 */
export class Batcher<Item, Result> {
  /**
   * The keys of the calls that are ready or running. A Map of the calls would keep them alive for two
   * collections of V8, which cost up to a fifth of the CPU of an upload.
   */
  private readonly busyKeys = new Set<string>();
  private readonly queued: Call<Item, Result>[] = [];
  private ready: Call<Item, Result>[] = [];
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
    const key = keyOf(item);
    const latestStart = performance.now() + maxWaitMs;
    return new Promise((resolve, reject) => {
      const call = { item, key, latestStart, resolve, reject };
      if (this.busyKeys.has(key)) {
        this.queued.push(call);
      } else {
        this.busyKeys.add(key);
        this.ready.push(call);
        // What arrives in the same turn of the event loop shares a batch.
        this.starting ??= setImmediate(() => {
          this.starting = undefined;
          this.startReady();
        });
      }
    });
  }

  private startReady(): void {
    while (this.runningBatches < this.options.lanes) {
      const first = this.ready.find(({ key }) => !this.isSuspectRunning || !this.suspects.has(key));
      if (!first) return;
      const batch = this.takeBatch(first).filter((call) => this.isInTime(call));
      if (batch.length > 0) void this.start(batch);
    }
  }

  /** Takes a call out of the ready ones, with those that may share its batch. */
  private takeBatch(first: Call<Item, Result>): Call<Item, Result>[] {
    const { maxBatchSize, groupOf } = this.options;
    const isSuspect = this.suspects.has(first.key);
    const group = groupOf?.(first.item);
    const batch: Call<Item, Result>[] = [];
    this.ready = this.ready.filter((call) => {
      const mayShare = !isSuspect && !this.suspects.has(call.key) && groupOf?.(call.item) === group;
      const isTaken = call === first || (mayShare && batch.length < maxBatchSize);
      if (isTaken) batch.push(call);
      return !isTaken;
    });
    return batch;
  }

  /** Rejects a call that has waited too long. */
  private isInTime(call: Call<Item, Result>): boolean {
    if (performance.now() <= call.latestStart) return true;
    this.end(call).reject(new Overloaded());
    return false;
  }

  private async start(batch: Call<Item, Result>[]): Promise<void> {
    const isSuspect = this.suspects.has(batch[0]!.key);
    if (isSuspect) this.isSuspectRunning = true;
    this.runningBatches++;
    try {
      const results = await this.run(batch.map(({ item }) => item));
      batch.forEach((call, index) => this.end(call).resolve(results[index]!));
      for (const { key } of batch) this.suspects.delete(key);
    } catch (error) {
      this.fail(batch, error);
    }
    this.runningBatches--;
    if (isSuspect) this.isSuspectRunning = false;
    this.startReady();
  }

  private fail(batch: Call<Item, Result>[], error: unknown): void {
    const mayBeOfOneItem =
      error instanceof DatabaseError &&
      error.severity !== 'FATAL' &&
      error.code !== SERIALIZATION_FAILURE;
    if (this.suspects.size > MAX_SUSPECTS) this.suspects.clear();
    if (mayBeOfOneItem || error instanceof DatabaseTimeout)
      for (const { key } of batch) this.suspects.add(key);
    if (mayBeOfOneItem && batch.length > 1) this.ready.unshift(...batch);
    else for (const call of batch) this.end(call).reject(error);
  }

  /** Makes the next call of the same key ready. */
  private end(call: Call<Item, Result>): Call<Item, Result> {
    const next = this.queued.findIndex(({ key }) => key === call.key);
    if (next >= 0) this.ready.push(...this.queued.splice(next, 1));
    else this.busyKeys.delete(call.key);
    return call;
  }
}
