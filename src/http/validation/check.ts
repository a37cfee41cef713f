import type { Faults } from './validation-failures.js';

/** Where in a request the explaining has got to, and where it writes. */
export interface Place {
  /** As the client would write it: `records[3].hour`. */
  readonly path: string;
  readonly depth: number;
  readonly faults: Faults;
}

/** What is wrong with a valid field beside the same field of other entries. */
export type Beside = (field: string, value: unknown) => readonly string[];

/**
 * Compiled rules. `passes` is all that a valid request meets, and allocates nothing of its own; `explain` is for a
 * request that did not pass, and tells every fault.
 */
export interface Check {
  passes(value: unknown, depth: number): boolean;
  explain(value: unknown, at: Place, beside?: Beside): void;
}
