import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { AppConfig } from '../config/app-config.js';
import type { Log } from '../logging/log.js';
import { counter } from '../metrics/metrics.js';
import { urlOf, type ServerHandle } from './serve.js';

const MIN_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 30_000;

/** Then a worker's end is no failed start. */
const STEADY_MS = 60_000;

const deaths = counter('worker_deaths_total', 'Workers that ended unexpectedly');

interface StartupFailure {
  readonly cannotStart: string;
}

export function reportStartupFailure(reason: string): void {
  process.send?.({ cannotStart: reason } satisfies StartupFailure);
}

/** Runs processes that serve on one port, and replaces each one that ends. */
export class WorkerPool implements ServerHandle {
  url = '';
  private readonly stopping = new AbortController();
  private readonly workers = new Set<Worker>();
  private failures = 0;
  private readonly listening = once(cluster, 'listening');

  private constructor(
    private readonly config: AppConfig,
    private readonly size: number,
    private readonly log: Log,
  ) {}

  /** Resolves when the first worker listens; throws the reason if none can. */
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

  async stop(): Promise<void> {
    this.stopping.abort();
    const ends = [...this.workers].map((worker) => once(worker, 'exit'));
    // worker.kill() would close the port first
    for (const worker of this.workers) worker.process.kill('SIGTERM');
    await Promise.all(ends);
  }

  private keepRunning(onNoneStarts: (reason: Error) => void, backoff = MIN_BACKOFF_MS): void {
    const startedAt = Date.now();
    const { DATABASE_URL, JWT_SECRET } = this.config;
    const worker = cluster.fork({ DATABASE_URL, JWT_SECRET, MIGRATE_ON_START: 'false' });
    let reason = '';
    this.workers.add(worker);
    worker.on('message', (message: Partial<StartupFailure>) => (reason = message.cannotStart ?? reason));
    worker.on('exit', (code, signal) => {
      this.workers.delete(worker);
      if (this.stopping.signal.aborted) return;
      reason ||= `it ended with ${signal || `status ${code}`}`;
      if (this.url === '' && ++this.failures === this.size) {
        onNoneStarts(new Error(reason));
        return;
      }
      const pause = Date.now() - startedAt > STEADY_MS ? MIN_BACKOFF_MS : backoff;
      deaths.add();
      this.log.error({ worker: worker.process.pid, pause }, `a worker has died: ${reason}`);
      void this.replace(onNoneStarts, pause);
    });
  }

  private async replace(onNoneStarts: (reason: Error) => void, pause: number): Promise<void> {
    await this.listening; // if none can start, the pool has failed
    await delay(pause, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    if (!this.stopping.signal.aborted) this.keepRunning(onNoneStarts, Math.min(pause * 2, MAX_BACKOFF_MS));
  }
}
