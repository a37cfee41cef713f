import type { HourChange } from '../api/shapes.js';
import type { PageDay } from './reader-worker.js';

export type DayState =
  | { readonly kind: 'checking' | 'sending' }
  /** A faulty cell is named by its record and field: `3 gto`. */
  | { readonly kind: 'rejected'; readonly message: string; readonly cells: readonly string[] }
  /** Hours are stored from tills that are not in these files. */
  | { readonly kind: 'foreign'; readonly message: string }
  | {
      readonly kind: 'ready';
      readonly changes: readonly HourChange[];
      readonly warnings: readonly string[];
    }
  | { readonly kind: 'unchecked' | 'failed' | 'saved'; readonly message: string };

/** One upload: the hours of a restaurant and a date, added up over files and tills. */
export interface FileDay {
  readonly id: string;
  readonly planned: PageDay;
  readonly state: DayState;
  /** Whether hours of other tills may be replaced. */
  readonly replace: boolean;
}

/** Names a day of a plan; hours of two files never are the same. */
export const idOf = ({ restaurant, date, source, records }: PageDay): string =>
  JSON.stringify([restaurant, date, source, records.map(({ hour }) => hour)]);

/** Whether two plans have the same figures for a day: then it needs no new check. */
export const isSameDay = (one: PageDay, other: PageDay): boolean =>
  JSON.stringify(one.records) === JSON.stringify(other.records);

/** Takes the option of a command out of a text that the page shows. */
export const withoutOption = (text: string): string => text.replace(/ \(--[a-z-]+\)/, '');

export const filesOf = ({ planned }: FileDay): string =>
  planned.files.map(({ name }) => name).join(', ');

/** Files of which a day is rejected: their other days stay behind, as a file is uploaded whole. */
export function heldBackFiles(days: readonly FileDay[]): ReadonlySet<unknown> {
  const refused = days.filter(({ state }) => /rejected|foreign/.test(state.kind));
  return new Set(refused.flatMap(({ planned }) => planned.files));
}

export const isHeldBack = ({ planned }: FileDay, held: ReadonlySet<unknown>): boolean =>
  planned.files.some((file) => held.has(file));
