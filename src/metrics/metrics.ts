/**
 * What features count for the metrics, without knowing how those are read: a number in memory that costs nothing to
 * speak of. One a process, so made once, beside the classes of a module:
 *
 * ```ts
 * const logins = counter<'success' | 'failure'>('logins_total', 'Logins by their outcome', 'outcome');
 * logins.add(1, 'failure');
 * ```
 */
export class Counter<Value extends string = never> {
  private readonly counts = new Map<string, number>();

  constructor(
    readonly name: string,
    readonly help: string,
    readonly label: string | undefined,
  ) {
    if (label === undefined) this.counts.set('', 0); // told from the start, so that a first one shows as a rise
  }

  /** A counter with a label has a value for each; its type keeps them few. */
  add(count = 1, ...[value]: [Value] extends [never] ? [] : [value: Value]): void {
    this.counts.set(value ?? '', (this.counts.get(value ?? '') ?? 0) + count);
  }

  get values(): ReadonlyMap<string, number> {
    return this.counts;
  }
}

/** A number that is looked up when somebody asks. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly read: () => number;
}

type AnyCounter = Pick<Counter, 'name' | 'help' | 'label' | 'values'>;

const counters = new Map<string, AnyCounter>();
const gauges = new Map<string, Gauge>();

/** A number that only grows; its name ends in `_total`. */
export function counter<Value extends string = never>(name: string, help: string, label?: string): Counter<Value> {
  const made = new Counter<Value>(name, help, label);
  counters.set(name, made);
  return made;
}

/** Where there are several applications in a process, as in tests, the last one made is asked. */
export function gauge(name: string, help: string, read: () => number): void {
  gauges.set(name, { name, help, read });
}

export function allCounters(): AnyCounter[] {
  return [...counters.values()];
}

export function allGauges(): Gauge[] {
  return [...gauges.values()];
}
