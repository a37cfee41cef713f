/** Counts for each value of its label. */
export class Counter<Value extends string = never> {
  private readonly counts = new Map<string, number>();

  constructor(
    readonly name: string,
    readonly help: string,
    readonly label: string | undefined,
    expected: readonly string[],
  ) {
    for (const value of label === undefined ? [''] : expected) this.counts.set(value, 0); // the first event shows as a rise
  }

  add(count = 1, ...[value]: [Value] extends [never] ? [] : [value: Value]): void {
    this.counts.set(value ?? '', (this.counts.get(value ?? '') ?? 0) + count);
  }

  get values(): ReadonlyMap<string, number> {
    return this.counts;
  }
}

/** Counts observed values by the bounds that they do not exceed. */
export class Histogram {
  readonly counts: number[];
  sum = 0;

  constructor(
    readonly name: string,
    readonly help: string,
    readonly bounds: readonly number[],
  ) {
    this.counts = [...bounds, Infinity].map(() => 0);
  }

  observe(value: number): void {
    this.sum += value;
    [...this.bounds, Infinity].forEach((bound, index) => (this.counts[index]! += Number(value <= bound)));
  }
}

export interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly read: () => number | Promise<number>;
  /** Of the workers' values. */
  readonly aggregator: 'sum' | 'min' | 'max';
}

type AnyCounter = Pick<Counter, 'name' | 'help' | 'label' | 'values'>;

const counters = new Map<string, AnyCounter>();
const gauges = new Map<string, Gauge>();
const histograms = new Map<string, Histogram>();

/** Registers a counter, once in a process; the expected values of its label begin at 0. */
export function counter<Value extends string = never>(
  name: string,
  help: string,
  label?: string,
  expected: readonly Value[] = [],
): Counter<Value> {
  if (counters.has(name)) throw new Error(`there is a counter ${name} already`);
  const made = new Counter<Value>(name, help, label, expected);
  counters.set(name, made);
  return made;
}

/** Registers a histogram, once in a process; the bounds of its buckets rise. */
export function histogram(name: string, help: string, bounds: readonly number[]): Histogram {
  if (histograms.has(name)) throw new Error(`there is a histogram ${name} already`);
  const made = new Histogram(name, help, bounds);
  histograms.set(name, made);
  return made;
}

/** Registers or replaces a gauge. */
export function gauge(name: string, help: string, read: Gauge['read'], aggregator: Gauge['aggregator'] = 'sum'): void {
  gauges.set(name, { name, help, read, aggregator });
}

/** Returns NaN if it fails, so that the others are still reported. */
export async function readGauge(read: Gauge['read']): Promise<number> {
  try {
    return await read();
  } catch {
    return NaN;
  }
}

export const allCounters = (): AnyCounter[] => [...counters.values()];
export const allHistograms = (): Histogram[] => [...histograms.values()];
export const allGauges = (): Gauge[] => [...gauges.values()];
