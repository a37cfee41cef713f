import { Counter, Gauge, Histogram, register } from 'prom-client';

/** Registers a counter, once in a process; the expected values of its label begin at 0. */
export function counter<Value extends string = never>(
  name: string,
  help: string,
  label?: string,
  expected: readonly Value[] = [],
) {
  const counted = new Counter({ name, help, labelNames: label === undefined ? [] : [label] });
  const add = (count = 1, ...[value]: [Value] extends [never] ? [] : [value: Value]): void =>
    counted.inc(label === undefined ? {} : { [label]: value }, count);
  for (const value of expected) counted.inc({ [label!]: value }, 0); // the first event shows as a rise
  return { add };
}

/** Registers a histogram, once in a process; the bounds of its buckets rise. */
export function histogram(name: string, help: string, bounds: number[]): Histogram {
  return new Histogram({ name, help, buckets: bounds });
}

/** Registers or replaces a gauge; NaN if reading fails, so that the others are still reported. */
export function gauge(
  name: string,
  help: string,
  read: () => number | Promise<number>,
  aggregator: 'sum' | 'min' | 'max' = 'sum', // of the workers' values
): void {
  register.removeSingleMetric(name);
  new Gauge({
    name,
    help,
    aggregator,
    async collect() {
      this.set(await Promise.resolve().then(read).catch(() => NaN)); // prettier-ignore
    },
  });
}
