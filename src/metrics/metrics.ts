interface Sample {
  readonly value: number;
  readonly labels: Readonly<Partial<Record<string, string | number>>>;
  readonly metricName?: string;
}

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** Of the workers' values. */
  readonly aggregator: 'sum' | 'min' | 'max';
  /** Returns the samples as prom-client does, which is loaded only where metrics are served: it takes 10 MB. */
  readonly read: () => Sample[] | Promise<Sample[]>;
}

/** The counters, histograms and gauges of this process by name. */
export const metrics = new Map<string, Metric>();

/** Registers a counter, once in a process; the expected values of its label begin at 0. */
export function counter<Value extends string = never>(
  name: string,
  help: string,
  label?: string,
  expected: readonly Value[] = [],
) {
  const counts = new Map<string, number>();
  for (const value of label === undefined ? [''] : expected) counts.set(value, 0); // the first event shows as a rise
  const sample = ([value, count]: [string, number]): Sample => ({
    value: count,
    labels: label === undefined ? {} : { [label]: value },
  });
  addOnce({ name, help, type: 'counter', aggregator: 'sum', read: () => Array.from(counts, sample) });
  return {
    add(count = 1, ...[value]: [Value] extends [never] ? [] : [value: Value]): void {
      counts.set(value ?? '', (counts.get(value ?? '') ?? 0) + count);
    },
  };
}

/** Registers a histogram, once in a process; the bounds of its buckets rise. */
export function histogram(name: string, help: string, bounds: readonly number[]) {
  const buckets = [...bounds, Infinity].map((bound) => ({ bound, count: 0 }));
  let sum = 0;
  const sample = (suffix: string, value: number, labels = {}): Sample => {
    return { metricName: `${name}_${suffix}`, value, labels };
  };
  const read = (): Sample[] => [
    ...buckets.map(({ bound, count }) => sample('bucket', count, { le: bound === Infinity ? '+Inf' : bound })),
    sample('sum', sum),
    sample('count', buckets.at(-1)!.count),
  ];
  addOnce({ name, help, type: 'histogram', aggregator: 'sum', read });
  return {
    observe(value: number): void {
      sum += value;
      for (const bucket of buckets) if (value <= bucket.bound) bucket.count++;
    },
  };
}

function addOnce(metric: Metric): void {
  if (metrics.has(metric.name)) throw new Error(`there is a ${metric.type} ${metric.name} already`);
  metrics.set(metric.name, metric);
}

/** Registers or replaces a gauge; NaN if reading fails, so that the others are still reported. */
export function gauge(
  name: string,
  help: string,
  read: () => number | Promise<number>,
  aggregator: Metric['aggregator'] = 'sum',
): void {
  const readSafely = async (): Promise<Sample[]> => {
    const value = await Promise.resolve().then(read).catch(() => NaN); // prettier-ignore
    return [{ value, labels: {} }];
  };
  metrics.set(name, { name, help, type: 'gauge', aggregator, read: readSafely });
}
