import cluster from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { takeSnapshot, type Snapshot } from './process-metrics.js';

/** Longer than a busy worker needs, shorter than a scrape lasts. */
const PATIENCE_MS = 2000;

interface Question {
  readonly metricsAsked: number;
}

interface Answer {
  readonly metricsAnswered: number;
  readonly snapshot: Snapshot;
}

let asked = 0;

/** In a worker: tells the primary its figures whenever asked. */
export function answerForMetrics(): void {
  process.on('message', (message: Partial<Question>) => {
    const { metricsAsked } = message;
    if (metricsAsked === undefined) return;
    void takeSnapshot().then((snapshot) => {
      process.send?.({ metricsAnswered: metricsAsked, snapshot } satisfies Answer);
    });
  });
}

/** In the primary: the figures of the workers that tell them in time. One that hangs or starts keeps nobody waiting long. */
export async function askWorkers(): Promise<Snapshot[]> {
  const question = ++asked;
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected());
  const snapshots: Snapshot[] = [];
  const enough = new AbortController();
  const collect = (_worker: unknown, { metricsAnswered, snapshot }: Partial<Answer>): void => {
    if (metricsAnswered !== question || !snapshot) return;
    snapshots.push(snapshot);
    if (snapshots.length === workers.length) enough.abort();
  };
  cluster.on('message', collect);
  for (const worker of workers) worker?.send({ metricsAsked: question } satisfies Question);
  if (workers.length > 0) await delay(PATIENCE_MS, undefined, { signal: enough.signal }).catch(() => undefined);
  cluster.off('message', collect);
  return snapshots;
}
