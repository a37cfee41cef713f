import cluster, { type Worker } from 'node:cluster';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { AggregatorRegistry, collectDefaultMetrics, Gauge, register } from 'prom-client';
import { metrics } from './metrics.js';

collectDefaultMetrics();

const packageFile = new URL('../../../package.json', import.meta.url); // from dist
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
new Gauge({
  name: 'service_build_info',
  help: 'Version of the service and of Node, as labels',
  labelNames: ['version', 'node'],
  aggregator: 'first',
}).set({ version, node: process.version }, 1);

/** The metrics of a process. */
type Snapshot = Awaited<ReturnType<typeof takeSnapshot>>;

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

/** Sums the counts of processes that have ended; they have no current values. */
function sumCounts(snapshots: Snapshot[]): Promise<Snapshot> {
  const counts = snapshots.map((snapshot) => snapshot.filter(({ type }) => String(type) !== 'gauge'));
  return AggregatorRegistry.aggregate(counts).getMetricsAsJSON();
}

/** Runs in the primary, or in the only process; returns the metrics of all processes in Prometheus' text format. */
export async function exportMetrics(): Promise<{ type: string; text: string }> {
  const registry = AggregatorRegistry.aggregate([await takeSnapshot(), ...(await collectSnapshots()), await ended]);
  return { type: registry.contentType, text: await registry.metrics() };
}

async function takeSnapshot() {
  const own = Array.from(metrics.values(), async ({ read, ...metric }) => ({ ...metric, values: await read() }));
  return [...(await register.getMetricsAsJSON()), ...(await Promise.all(own))];
}

/** A worker that responds late counts with its latest snapshot. */
async function collectSnapshots(): Promise<Snapshot[]> {
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
  return [...latest.values()];
}
