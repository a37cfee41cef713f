import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { AppConfig } from '../config/app-config.js';
import type { Log } from '../logging/log.js';
import { counter } from '../metrics/metrics.js';
import { urlOf, type ServerHandle } from './serve.js';

const BACK_OFF_MS = { first: 100, most: 30_000 };
/** A worker that ran as long did not die of its start: its successor begins with the first back-off again. */
const STEADY_MS = 60_000;

const deaths = counter('worker_deaths_total', 'Workers that ended without being told to');

/** What a worker tells the primary before it ends for want of something. */
interface Complaint {
  readonly cannotStart: string;
}

/** Told by a worker: why it could not start. */
export function reportStartupFailure(reason: string): void {
  process.send?.({ cannotStart: reason } satisfies Complaint);
}

/** Processes that serve on one port, each started again when it dies. */
export class WorkerPool implements ServerHandle {
  url = '';
  private readonly stopping = new AbortController();
  private readonly workers = new Set<Worker>();
  private failures = 0;
  private readonly serving = once(cluster, 'listening');

  private constructor(
    private readonly config: AppConfig,
    private readonly size: number,
    private readonly log: Log,
  ) {}

  /** Resolves when the first worker serves. Throws the reason where none can. */
  static async start(config: AppConfig, size: number, log: Log): Promise<WorkerPool> {
    const pool = new WorkerPool(config, size, log);
    await new Promise<void>((resolve, reject) => {
      cluster.on('listening', (_worker, { port }) => {
        pool.url = urlOf(config, port);
        resolve();
      });
      for (let index = 0; index < size; index++) pool.keepRunning(reject);
    });
    return pool;
  }

  /** Passes the signal on and resolves when the last worker has ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    const ends = [...this.workers].map((worker) => once(worker, 'exit'));
    // Not worker.kill(), which would first take the port away from it.
    for (const worker of this.workers) worker.process.kill('SIGTERM');
    await Promise.all(ends);
  }

  private keepRunning(onNoneStarts: (reason: Error) => void, backOff = BACK_OFF_MS.first): void {
    const startedAt = Date.now();
    const { DATABASE_URL, JWT_SECRET } = this.config;
    const worker = cluster.fork({ DATABASE_URL, JWT_SECRET, MIGRATE_ON_START: 'false' });
    let reason = '';
    this.workers.add(worker);
    worker.on('message', (message: Partial<Complaint>) => (reason = message.cannotStart ?? reason));
    worker.on('exit', (code, signal) => {
      this.workers.delete(worker);
      if (this.stopping.signal.aborted) return;
      reason ||= `it ended with ${signal || `status ${code}`}`;
      if (this.url === '' && ++this.failures === this.size) {
        onNoneStarts(new Error(reason));
        return;
      }
      const pause = Date.now() - startedAt > STEADY_MS ? BACK_OFF_MS.first : backOff;
      deaths.add();
      this.log.error({ worker: worker.process.pid, pause }, `a worker has died: ${reason}`);
      void this.replace(onNoneStarts, pause);
    });
  }

  private async replace(onNoneStarts: (reason: Error) => void, pause: number): Promise<void> {
    await this.serving; // where none can start, there is none to replace
    await delay(pause, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    if (!this.stopping.signal.aborted) this.keepRunning(onNoneStarts, Math.min(pause * 2, BACK_OFF_MS.most));
  }
}
