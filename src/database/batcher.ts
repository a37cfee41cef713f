import { DatabaseError } from 'pg';
import { Counter } from 'prom-client';
import { gauge } from '../metrics/gauge.js';

const batches = new Counter({
  name: 'batches_total',
  help: 'Statements that served waiting calls together',
  labelNames: ['of'],
});
const batchedCalls = new Counter({
  name: 'batched_calls_total',
  help: 'Calls that these statements served',
  labelNames: ['of'],
});

export interface BatcherLimits {
  /** Labels the metrics. */
  readonly name: string;
  readonly maxConcurrency: number;
  readonly maxBatchSize: number;
}

/** How items may share a batch. */
export interface BatchRules<Item> {
  /** Items of one key never share a batch. */
  readonly keyOf?: ((item: Item) => string) | undefined;
  /** Items of different groups never share a batch. */
  readonly groupOf?: ((item: Item) => string) | undefined;
}

/** A call waits no longer for a batch to grow: the running batches may be blocked. */
const MAX_WAIT_MS = 20;

/** Codes of lost connections, time limits and moved shards, by which each item would fail alone as well. */
const FAILED_AS_A_WHOLE = /^(08|57|40001)/;

interface WaitingCall<Item, Result> {
  readonly item: Item;
  readonly since: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/** Serves calls that wait at the same moment by one statement. See docs/performance.md#batching */
export class Batcher<Item, Result> {
  private waiting: WaitingCall<Item, Result>[] = [];
  private runningBatches = 0;
  private runningItems = 0;
  private timer: NodeJS.Timeout | undefined;

  /** `run` returns the results in the order of its items. */
  constructor(
    private readonly run: (items: Item[]) => Promise<Result[]>,
    private readonly limits: BatcherLimits,
    private readonly rules: BatchRules<Item> = {},
  ) {
    gauge(
      `${limits.name}_waiting`,
      `Calls that wait for a batch of ${limits.name}`,
      () => this.waiting.length,
    );
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, since: performance.now(), resolve, reject });
      this.flush();
    });
  }

  private flush(): void {
    const [first] = this.waiting;
    if (!first || this.runningBatches >= this.limits.maxConcurrency) return;
    const wait =
      this.waiting.length < this.runningItems ? first.since + MAX_WAIT_MS - performance.now() : 0;
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
    const group = groupOf?.(this.waiting[0]!.item);
    const batch = new Map<unknown, WaitingCall<Item, Result>>();
    const left: WaitingCall<Item, Result>[] = [];
    for (const call of this.waiting) {
      const key = keyOf ? keyOf(call.item) : call;
      const fits = batch.size < this.limits.maxBatchSize && !batch.has(key);
      if (fits && groupOf?.(call.item) === group) batch.set(key, call);
      else left.push(call);
    }
    this.waiting = left;
    return [...batch.values()];
  }

  private async start(batch: WaitingCall<Item, Result>[]): Promise<void> {
    batches.inc({ of: this.limits.name });
    batchedCalls.inc({ of: this.limits.name }, batch.length);
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
        // Where PostgreSQL did not respond, waiting calls have no time left for another try.
        if (!(error instanceof DatabaseError))
          for (const { reject } of this.waiting.splice(0)) reject(error);
      } else if (batch.length === 1) batch[0]!.reject(error);
      // One item caused it: each runs alone.
      else for (const call of batch) await this.runBatch([call]);
    }
  }
}

function isOfOneItem(error: unknown): boolean {
  return error instanceof DatabaseError && !FAILED_AS_A_WHOLE.test(error.code ?? '');
}
