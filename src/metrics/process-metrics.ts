import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, register } from 'prom-client';
import { allCounters, allGauges } from './metrics.js';

collectDefaultMetrics();

export type Snapshot = Awaited<ReturnType<typeof register.getMetricsAsJSON>>;

export async function takeSnapshot(): Promise<Snapshot> {
  for (const { name, help, label, values } of allCounters()) {
    const metric =
      (register.getSingleMetric(name) as Counter | undefined) ??
      new Counter({ name, help, labelNames: label === undefined ? [] : [label] });
    metric.reset();
    for (const [value, count] of values) metric.inc(label === undefined ? {} : { [label]: value }, count);
  }
  for (const { name, help, read } of allGauges()) {
    const metric = (register.getSingleMetric(name) as Gauge | undefined) ?? new Gauge({ name, help });
    metric.set(read());
  }
  return register.getMetricsAsJSON();
}

/** Sums metrics, in Prometheus' text format. */
export async function combine(snapshots: Snapshot[]): Promise<{ type: string; text: string }> {
  const registry = AggregatorRegistry.aggregate(snapshots);
  return { type: registry.contentType, text: await registry.metrics() };
}
