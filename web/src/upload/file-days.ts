import type { HourChange } from '../api/shapes.js';
import type { PageDay } from './reader-worker.js';

export type DayState =
  /** The day waits until it is checked or sent, or it is just now. */
  | { readonly kind: 'checking' }
  | { readonly kind: 'sending'; readonly version: number }
  /** A faulty cell is named by its record and field: `3 gto`. */
  | { readonly kind: 'rejected'; readonly message: string; readonly cells: readonly string[] }
  /** Hours are stored from tills that are not in these files. */
  | { readonly kind: 'foreign'; readonly message: string }
  | {
      readonly kind: 'ready';
      readonly changes: readonly HourChange[];
      readonly warnings: readonly string[];
      /** How many uploads the day had when it was checked. */
      readonly version: number;
    }
  | { readonly kind: 'failed'; readonly message: string; readonly version: number }
  | { readonly kind: 'unchecked' | 'saved'; readonly message: string };

/** One upload: the hours of a restaurant and a date, added up over files and tills. */
export interface FileDay {
  readonly id: string;
  readonly planned: PageDay;
  readonly state: DayState;
  /** Whether hours of other tills may be replaced. */
  readonly replace: boolean;
}

/** Takes the option of a command out of a text that the page shows. */
export const withoutOption = (text: string): string => text.replace(/ \(--[a-z-]+\)/, '');

export const filesOf = ({ planned }: FileDay): string =>
  planned.files.map(({ name }) => name).join(', ');
