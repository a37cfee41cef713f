import cluster from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { takeSnapshot, type Snapshot } from './process-metrics.js';

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

/** Runs in the primary; leaves out workers that respond late. */
export async function collectSnapshots(): Promise<Snapshot[]> {
  const request = ++requests;
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected());
  const snapshots: Snapshot[] = [];
  const complete = new AbortController();
  const collect = (_worker: unknown, { respondsTo, snapshot }: Partial<SnapshotResponse>): void => {
    if (respondsTo !== request || !snapshot) return;
    snapshots.push(snapshot);
    if (snapshots.length === workers.length) complete.abort();
  };
  cluster.on('message', collect);
  for (const worker of workers) worker?.send({ snapshotRequest: request } satisfies SnapshotRequest);
  if (workers.length > 0)
    await delay(RESPONSE_TIMEOUT_MS, undefined, { signal: complete.signal }).catch(() => undefined);
  cluster.off('message', collect);
  return snapshots;
}
