import { subtract } from '../amounts.js';
import type { HourChange } from '../api/shapes.js';
import type { PageDay } from './reader-worker.js';

export type DayState =
  /** The day waits until it is checked or sent, or it is just now. */
  | { readonly kind: 'checking' | 'sending' }
  /** Hours are stored that came from elsewhere, or figures would become 0. */
  | { readonly kind: 'foreign'; readonly reasons: readonly string[] }
  | {
      readonly kind: 'ready';
      readonly changes: readonly HourChange[];
      readonly warnings: readonly string[];
    }
  | { readonly kind: 'rejected' | 'unchecked' | 'failed' | 'saved'; readonly message: string };

/** One upload: the hours of a restaurant and a date, added up over files and tills. */
export interface FileDay {
  readonly id: string;
  readonly planned: PageDay;
  readonly state: DayState;
  /** How many uploads the day had when it was checked. */
  readonly version?: string;
  /** Whether hours that came from elsewhere may be replaced. */
  readonly replace: boolean;
  /** The turnover by the till's own report, as a person typed it. */
  readonly typed?: string;
}

interface Records {
  readonly records: readonly Readonly<Record<string, unknown>>[];
  /** The lines of each record. */
  readonly lines: readonly (readonly number[])[];
}

export const recordsOf = ({ planned }: FileDay): Records => JSON.parse(planned.json) as Records;

export const filesOf = ({ planned }: FileDay): string =>
  planned.files.map(({ name }) => name).join(', ');

const OPTIONS =
  / \((?:--[a-z-]+|date\.order|decimal|first: 1|next_day|day_begins|add_up|ignore|skip_\w+|accept|rows)\)/g;

/** Takes options of commands and profiles out of a text that the page shows. */
export const withoutOption = (text: string): string => text.replace(OPTIONS, '');

/** Reads an amount as a person types it, such as `1,234.5` or `1234,50`; undefined if it is none. */
export function amountOf(typed: string): string | undefined {
  const plain = typed
    .trim()
    .replace(/,(?=\d{1,2}$)/, '.')
    .replace(/[\s,](?=\d{3})/g, '');
  return /^\d+(\.\d+)?$/.test(plain) ? plain : undefined;
}

/** Whether what was typed is what was read. */
export function isSame(typed: string, read: string | undefined): boolean {
  const given = amountOf(typed);
  return given !== undefined && read !== undefined && !/[1-9]/.test(subtract(read, given));
}
