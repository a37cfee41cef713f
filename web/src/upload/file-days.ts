import { ApiError, isPassing, upload } from '../api/service.js';
import type { HourChange, UploadResponse } from '../api/shapes.js';
import { labelOf } from '../fields.js';
import { errorText } from '../use-action.js';
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
  readonly lines: readonly (readonly number[])[];
}

export const recordsOf = ({ planned }: FileDay): Records => JSON.parse(planned.json) as Records;

export const filesOf = ({ planned }: FileDay): string =>
  planned.files.map(({ name }) => name).join(', ');

const OPTIONS =
  / \((?:--[a-z-]+|date\.order|decimal|hour\.digits|first: 1|next_day|day_begins|add_up|ignore|skip_\w+|accept|rows)\)/g;

/** Takes options of commands and profiles out of a text that the page shows. */
export const withoutOption = (text: string): string => text.replace(OPTIONS, '');

/** Lets the service check a day and say what an upload would change. */
export async function check(day: FileDay): Promise<Pick<FileDay, 'state' | 'version'>> {
  const { planned, replace } = day;
  try {
    const preview = await send(day, { dry_run: true });
    const { changes, version } = preview;
    const { reasonsToAsk, warningsOf } = await import('./reader.js');
    const reasons = replace ? [] : reasonsToAsk(planned, preview);
    if (reasons.length > 0) return { state: { kind: 'foreign', reasons } };
    const warnings = warningsOf({ ...planned, records: recordsOf(day).records }, preview);
    return { state: { kind: 'ready', changes, warnings }, version };
  } catch (error) {
    const kind = error instanceof ApiError && !isPassing(error) ? 'rejected' : 'unchecked';
    return { state: { kind, message: inLines(errorText(error), day) } };
  }
}

/** Says by line and heading what is wrong. */
const inLines = (message: string, day: FileDay): string =>
  message.replace(
    /records\[(\d+)\]\.(\w+)/g,
    (_path, record: string, field: string) =>
      `line ${recordsOf(day).lines[Number(record)]?.join(', ')}, ${labelOf(field)}:`,
  );

/** Saves a day, unless somebody else sent it since it was checked. */
export async function save(day: FileDay): Promise<Pick<FileDay, 'state'>> {
  try {
    const { message } = await send(day, { expected_version: day.version! });
    return { state: { kind: 'saved', message } };
  } catch (error) {
    if (error instanceof ApiError && error.status === 409)
      return { state: { kind: 'unchecked', message: HAS_CHANGED } };
    return { state: { kind: 'failed', message: errorText(error) } };
  }
}

const HAS_CHANGED = 'this day has changed since it was checked, and nothing was saved';

function send(day: FileDay, query: Parameters<typeof upload>[1]): Promise<UploadResponse> {
  const source = Array.from(filesOf(day)).slice(0, 200).join('');
  const { records } = recordsOf(day);
  return upload({ records }, query, source, day.planned.source);
}
