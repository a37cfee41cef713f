import cluster, { type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { sumCounts, takeSnapshot, type Snapshot } from './process-metrics.js';

/** Shorter than a scrape may take. */
const RESPONSE_TIMEOUT_MS = 2000;

interface SnapshotRequest {
  readonly snapshotRequest: number;
}

interface SnapshotResponse {
  readonly respondsTo: number;
  readonly snapshot: Snapshot;
}

let requests = 0;
const latest = new Map<number, Snapshot>();
let ended: Promise<Snapshot> = Promise.resolve([]);

/** Runs in a worker. */
export function sendSnapshotsOnRequest(): void {
  process.on('message', (message: Partial<SnapshotRequest>) => {
    const { snapshotRequest } = message;
    if (snapshotRequest === undefined) return;
    void takeSnapshot().then((snapshot) => {
      process.send?.({ respondsTo: snapshotRequest, snapshot } satisfies SnapshotResponse);
    });
  });
}

/** Runs in the primary: to Prometheus, a sum that falls is a restart, and counts again what is left. */
export function keepCountsOfEndedWorkers(): void {
  cluster.on('exit', ({ id }) => {
    const snapshot = latest.get(id);
    latest.delete(id);
    if (snapshot) ended = ended.then((sum) => sumCounts([sum, snapshot]));
  });
}

/** Runs in the primary; a worker that responds late counts with its latest snapshot. */
export async function collectSnapshots(): Promise<Snapshot[]> {
  const request = ++requests;
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected());
  let waiting = workers.length;
  const complete = new AbortController();
  const collect = ({ id }: Worker, { respondsTo, snapshot }: Partial<SnapshotResponse>): void => {
    if (snapshot && cluster.workers?.[id]) latest.set(id, snapshot);
    if (respondsTo === request && --waiting === 0) complete.abort();
  };
  cluster.on('message', collect);
  for (const worker of workers) worker?.send({ snapshotRequest: request } satisfies SnapshotRequest);
  if (workers.length > 0)
    await delay(RESPONSE_TIMEOUT_MS, undefined, { signal: complete.signal }).catch(() => undefined);
  cluster.off('message', collect);
  return [...latest.values(), await ended];
}
