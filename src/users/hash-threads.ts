import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Piscina, queueOptionsSymbol, type PiscinaTask, type TaskQueue } from 'piscina';
import { inSpan } from '../metrics/tracing.js';
import { TooManyLogins } from './users.errors.js';

/** An optional comparison, then a hash for each cost. */
export interface HashJob {
  readonly password: string;
  readonly compareWith?: string;
  readonly costs: readonly number[];
}

export interface HashResult {
  readonly equal: boolean;
  /** Of the last cost, or empty. */
  readonly hash: string;
  readonly seconds: number;
}

export interface HashLimits {
  readonly threads: number;
  /** In each queue. */
  readonly waiting: number;
  /** That a job may wait. */
  readonly seconds: number;
}

const WORKER = new URL('./hash-worker.js', import.meta.url).href;
/** Only Linux has priorities for threads. */
const NICENESS = process.platform === 'linux' ? 10 : 0;

const LOAD_TIMEOUT_MS = 2000;

/** Hashes passwords in threads: see docs/performance.md#hash-threads */
export class HashThreads {
  private readonly queue = new UrgentFirstQueue();
  private pool: Piscina<HashJob, HashResult> | undefined;
  private loaded: Promise<unknown> = Promise.resolve();
  private secondsPerJob = 0.25;

  constructor(
    private readonly limits: HashLimits,
    private readonly filename = WORKER,
  ) {}

  async run(job: HashJob, urgent = false): Promise<HashResult> {
    this.assertCapacity(urgent);
    const pool = (this.pool ??= this.start());
    const result = await inSpan('hash', () => pool.run(Object.assign({ [queueOptionsSymbol]: { urgent } }, job)));
    this.secondsPerJob += (result.seconds - this.secondsPerJob) / 8;
    return result;
  }

  assertCapacity(urgent = false): void {
    const before = urgent ? this.queue.urgent.length : this.queue.size;
    const seconds = (before * this.secondsPerJob) / this.limits.threads;
    const { length } = urgent ? this.queue.urgent : this.queue.ordinary;
    if (length >= this.limits.waiting || seconds > this.limits.seconds) {
      throw new TooManyLogins(Math.max(1, Math.ceil(seconds)));
    }
  }

  get depth(): number {
    return this.queue.size;
  }

  /** Rejects running and waiting jobs. A thread that is ended while it loads bcrypt aborts the process. */
  async close(): Promise<void> {
    await Promise.race([this.loaded, delay(LOAD_TIMEOUT_MS, undefined, { ref: false })]);
    await this.pool?.destroy();
  }

  private start(): Piscina<HashJob, HashResult> {
    const { threads } = this.limits;
    const pool = new Piscina<HashJob, HashResult>({
      filename: this.filename,
      recordTiming: false,
      minThreads: threads, // replaces threads that end
      maxThreads: threads,
      niceIncrement: NICENESS,
      taskQueue: this.queue,
      stricterFIFO: true, // a task without a thread returns to the front
    });
    this.loaded = Promise.allSettled(pool.threads.map((thread) => once(thread, 'message')));
    return pool;
  }
}

class UrgentFirstQueue implements TaskQueue {
  readonly urgent: PiscinaTask[] = [];
  readonly ordinary: PiscinaTask[] = [];

  get size(): number {
    return this.urgent.length + this.ordinary.length;
  }

  push(task: PiscinaTask): void {
    this.queueOf(task).push(task);
  }

  unshift(task: PiscinaTask): void {
    this.queueOf(task).unshift(task);
  }

  shift(): PiscinaTask | null {
    return this.urgent.shift() ?? this.ordinary.shift() ?? null;
  }

  remove(task: PiscinaTask): void {
    const queue = this.queueOf(task);
    if (queue.includes(task)) queue.splice(queue.indexOf(task), 1);
  }

  private queueOf(task: PiscinaTask): PiscinaTask[] {
    return (task[queueOptionsSymbol] as { readonly urgent: boolean }).urgent ? this.urgent : this.ordinary;
  }
}
