import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, register } from 'prom-client';
import { allCounters, allGauges } from './metrics.js';

collectDefaultMetrics();

/** The metrics of a process, in a form that can be sent to another. */
export type Snapshot = Awaited<ReturnType<typeof register.getMetricsAsJSON>>;

/** Takes the metrics of this process: Node's, the features' and those of HTTP where they are observed. */
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

/** Sums the metrics of several processes, in Prometheus' text format. */
export async function combine(snapshots: Snapshot[]): Promise<{ type: string; text: string }> {
  const registry = AggregatorRegistry.aggregate(snapshots);
  return { type: registry.contentType, text: await registry.metrics() };
}
