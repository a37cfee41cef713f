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

export interface BatcherOptions<Item> {
  /** Label of the metrics. */
  readonly name: string;
  readonly maxConcurrency: number;
  readonly maxBatchSize: number;
  /** Items of one key never share a batch. */
  readonly keyOf?: ((item: Item) => string) | undefined;
  /** Items of different groups never share a batch. */
  readonly groupOf?: ((item: Item) => string) | undefined;
}

/** Milliseconds that a call waits at most for its batch to grow: running batches may be blocked. */
const MAX_WAIT_MS = 20;

/** Codes of lost connections, time limits and moved shards: each item would fail alone as well. */
const FAILED_AS_A_WHOLE = /^(08|57|40001)/;
/** PostgreSQL ended a statement at its time limit. */
const QUERY_CANCELED = '57014';

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
  ) {
    const { name } = options;
    gauge(`${name}_waiting`, `Calls that wait for a batch of ${name}`, () => this.waiting.length);
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.flush();
    });
  }

  /** Starts a batch once as many calls wait as are running, or once one has waited long enough. */
  private flush(hasWaited = false): void {
    const { waiting, runningBatches, runningItems } = this;
    if (waiting.length === 0 || runningBatches >= this.options.maxConcurrency) return;
    if (waiting.length < runningItems && !hasWaited) {
      this.timer ??= setTimeout(() => {
        this.timer = undefined;
        this.flush(true);
      }, MAX_WAIT_MS).unref();
      return;
    }
    void this.start(this.nextBatch());
    this.flush();
  }

  private nextBatch(): WaitingCall<Item, Result>[] {
    const { maxBatchSize, keyOf, groupOf } = this.options;
    const group = groupOf?.(this.waiting[0]!.item);
    const batch = new Map<unknown, WaitingCall<Item, Result>>();
    const left: WaitingCall<Item, Result>[] = [];
    for (const call of this.waiting) {
      const key = keyOf?.(call.item) ?? call;
      const fits = batch.size < maxBatchSize && !batch.has(key);
      if (fits && groupOf?.(call.item) === group) batch.set(key, call);
      else left.push(call);
    }
    this.waiting = left;
    return [...batch.values()];
  }

  private async start(batch: WaitingCall<Item, Result>[]): Promise<void> {
    const of = this.options.name;
    batches.inc({ of });
    batchedCalls.inc({ of }, batch.length);
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
        // Where the statement took all its time, waiting calls have none left for another try.
        if (!(error instanceof DatabaseError) || error.code === QUERY_CANCELED)
          for (const { reject } of this.waiting.splice(0)) reject(error);
      } else if (batch.length === 1) batch[0]!.reject(error);
      // One item may have caused the error, so that each runs alone.
      else for (const call of batch) await this.runBatch([call]);
    }
  }
}

function isOfOneItem(error: unknown): boolean {
  return error instanceof DatabaseError && !FAILED_AS_A_WHOLE.test(error.code ?? '');
}
