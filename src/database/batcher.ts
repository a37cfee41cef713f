import { DatabaseError } from 'pg';
import { counter, gauge } from '../metrics/metrics.js';
import { inSpan } from '../metrics/tracing.js';

const batches = counter<string>('batches_total', 'Statements that served waiting calls together', 'of');
const batched = counter<string>('batched_calls_total', 'Calls that these statements served', 'of');

export interface BatcherLimits {
  /** For the metrics. */
  readonly name: string;
  readonly maxConcurrency: number;
  readonly maxBatchSize: number;
}

/** How items may share a batch. */
export interface BatchRules<Item> {
  /** Items of one key never share a batch. */
  readonly keyOf?: ((item: Item) => string) | undefined;
  /** Items of different groups never do. */
  readonly groupOf?: ((item: Item) => string) | undefined;
  /** After a statement that failed as a whole, such items are rejected instead of run. */
  readonly isTooLate?: ((item: Item) => boolean) | undefined;
}

/** Running batches may be blocked. */
const MAX_WAIT_MS = 20;

/** Connections, time limits and moved shards: alone, each item would fail as well. */
const FAILED_AS_A_WHOLE = /^(08|57|40001)/;

interface WaitingCall<Item, Result> {
  readonly item: Item;
  readonly since: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/** Serves waiting calls by one statement. See docs/performance.md#batching */
export class Batcher<Item, Result> {
  private waiting: WaitingCall<Item, Result>[] = [];
  private runningBatches = 0;
  private runningItems = 0;
  private timer: NodeJS.Timeout | undefined;

  /** `run` keeps the order. */
  constructor(
    private readonly run: (items: Item[]) => Promise<Result[]>,
    private readonly limits: BatcherLimits,
    private readonly rules: BatchRules<Item> = {},
  ) {
    gauge(`${limits.name}_waiting`, `Calls that wait for a batch of ${limits.name}`, () => this.waiting.length);
  }

  add(item: Item): Promise<Result> {
    return inSpan(
      `batch ${this.limits.name}`,
      () =>
        new Promise((resolve, reject) => {
          this.waiting.push({ item, since: performance.now(), resolve, reject });
          this.flush();
        }),
    );
  }

  private flush(): void {
    const [first] = this.waiting;
    if (!first || this.runningBatches >= this.limits.maxConcurrency) return;
    const wait = this.waiting.length < this.runningItems ? first.since + MAX_WAIT_MS - performance.now() : 0;
    if (wait > 0) this.flushIn(wait);
    else {
      void this.start(this.nextBatch());
      this.flush();
    }
  }

  private flushIn(ms: number): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.flush();
    }, Math.ceil(ms)).unref();
  }

  private nextBatch(): WaitingCall<Item, Result>[] {
    const { keyOf, groupOf } = this.rules;
    if (!keyOf) return this.waiting.splice(0, this.limits.maxBatchSize);
    const group = groupOf?.(this.waiting[0]!.item);
    const batch = new Map<string, WaitingCall<Item, Result>>();
    const left: WaitingCall<Item, Result>[] = [];
    for (const call of this.waiting) {
      const key = keyOf(call.item);
      const fits = batch.size < this.limits.maxBatchSize && !batch.has(key);
      if (fits && (group === undefined || groupOf!(call.item) === group)) batch.set(key, call);
      else left.push(call);
    }
    this.waiting = left;
    return [...batch.values()];
  }

  private async start(batch: WaitingCall<Item, Result>[]): Promise<void> {
    batches.add(1, this.limits.name);
    batched.add(batch.length, this.limits.name);
    this.runningBatches++;
    this.runningItems += batch.length;
    await this.runBatch(batch);
    this.runningBatches--;
    this.runningItems -= batch.length;
    this.flush();
  }

  private async runBatch(batch: WaitingCall<Item, Result>[]): Promise<void> {
    try {
      const results = await this.run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(results[index]!));
    } catch (error) {
      if (!isOfOneItem(error)) {
        batch.forEach(({ reject }) => reject(error));
        this.rejectLate(error);
      } else if (batch.length === 1) batch[0]!.reject(error);
      // One item caused it: each runs alone.
      else for (const call of batch) await this.runBatch([call]);
    }
  }

  private rejectLate(error: unknown): void {
    const { isTooLate } = this.rules;
    if (!isTooLate) return;
    const waiting = this.waiting;
    this.waiting = [];
    for (const call of waiting)
      if (isTooLate(call.item)) call.reject(error);
      else this.waiting.push(call);
  }
}

function isOfOneItem(error: unknown): boolean {
  return error instanceof DatabaseError && !FAILED_AS_A_WHOLE.test(error.code ?? '');
}
