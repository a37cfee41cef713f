import { readFileSync } from 'node:fs';
import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, register } from 'prom-client';
import { allCounters, allGauges, allHistograms, readGauge, type Histogram } from './metrics.js';

collectDefaultMetrics();

const packageFile = new URL('../../../package.json', import.meta.url); // from dist
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
new Gauge({
  name: 'service_build_info',
  help: 'Version of the service and of Node, as labels',
  labelNames: ['version', 'node'],
  aggregator: 'first',
}).set({ version, node: process.version }, 1);

interface MetricSnapshot {
  readonly name: string;
  readonly help: string;
  readonly type: unknown;
  readonly aggregator: string;
  readonly values: readonly object[];
}

export type Snapshot = readonly MetricSnapshot[];

export async function takeSnapshot(): Promise<Snapshot> {
  for (const { name, help, label, values } of allCounters()) {
    const metric =
      (register.getSingleMetric(name) as Counter | undefined) ??
      new Counter({ name, help, labelNames: label === undefined ? [] : [label] });
    metric.reset();
    for (const [value, count] of values) metric.inc(label === undefined ? {} : { [label]: value }, count);
  }
  for (const { name, help, read, aggregator } of allGauges()) {
    const metric = (register.getSingleMetric(name) as Gauge | undefined) ?? new Gauge({ name, help, aggregator });
    metric.set(await readGauge(read));
  }
  return [...(await register.getMetricsAsJSON()), ...allHistograms().map(snapshotOf)];
}

function snapshotOf({ name, help, bounds, counts, sum }: Histogram): MetricSnapshot {
  const sample = (suffix: string, value: number, labels: Record<string, string> = {}) => {
    return { metricName: `${name}_${suffix}`, value, labels };
  };
  const buckets = counts.map((count, index) => sample('bucket', count, { le: String(bounds[index] ?? '+Inf') }));
  const values = [...buckets, sample('sum', sum), sample('count', counts.at(-1)!)];
  return { name, help, type: 'histogram', aggregator: 'sum', values };
}

/** Sums the counts of processes that have ended; they have no current values. */
export function sumCounts(snapshots: Snapshot[]): Promise<Snapshot> {
  const counts = snapshots.map((metrics) => metrics.filter(({ type }) => String(type) !== 'gauge'));
  return AggregatorRegistry.aggregate(counts).getMetricsAsJSON();
}

/** Aggregates metrics, in Prometheus' text format. */
export async function combine(snapshots: Snapshot[]): Promise<{ type: string; text: string }> {
  const registry = AggregatorRegistry.aggregate(snapshots);
  return { type: registry.contentType, text: await registry.metrics() };
}
