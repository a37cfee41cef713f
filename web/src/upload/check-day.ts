import { ApiError, isPassing, post } from '../api/service.js';
import type { UploadResponse } from '../api/shapes.js';
import { labelOf } from '../fields.js';
import { errorText } from '../use-load.js';
import type { DayState, FileDay } from './file-days.js';

/** Lets the service check a day and say what an upload would change. */
export async function check(day: FileDay): Promise<DayState> {
  try {
    const { changes, warnings, stored, version } = await send(day, '?dry_run=true');
    const { reasonsToAsk, warningsOf } = (await import('./reader.js')).reader;
    const preview = { changes, warnings, stored };
    const foreign = day.replace ? [] : reasonsToAsk(day.planned, preview);
    if (foreign.length > 0) return { kind: 'foreign', message: foreign.join('; ') };
    const said = warningsOf(day.planned, preview);
    return { kind: 'ready', changes, warnings: said, version: Number(version) };
  } catch (error) {
    if (error instanceof ApiError && !isPassing(error)) return rejected(day, error);
    return { kind: 'unchecked', message: errorText(error) };
  }
}

/** Says what is wrong by line and heading, and marks the cells. */
function rejected({ planned: { lines } }: FileDay, { message, fields }: ApiError): DayState {
  const placeOf = (_path: string, record: string, field: string): string =>
    `line ${lines[Number(record)]?.join(', ') ?? Number(record) + 1}, ${labelOf(field)}:`;
  const pointers = [...fields.matchAll(/\/records\/(\d+)\/(\w+)/g)];
  const cells = pointers.map(([, record, field]) => `${record!} ${field!}`);
  const inWords = message.replace(/records\[(\d+)\]\.(\w+)/g, placeOf);
  return { kind: 'rejected', message: inWords, cells };
}

/** Saves a day, unless somebody else sent it since it was checked. */
export async function save(day: FileDay, version: number): Promise<DayState> {
  try {
    const { message } = await send(day, `?expected_version=${version}`);
    return { kind: 'saved', message };
  } catch (error) {
    if (error instanceof ApiError && error.status === 409)
      return { kind: 'unchecked', message: HAS_CHANGED };
    return { kind: 'failed', message: errorText(error), version };
  }
}

const HAS_CHANGED = 'this day has changed since it was checked, and nothing was saved';

/** Sends records unchecked: those of a JSON file may be anything, and the service validates them. */
function send({ planned }: FileDay, query: string): Promise<UploadResponse> {
  const { records, files, source: importSource } = planned;
  const source = files.map(({ name }) => name).join(', ');
  const origin = { source: Array.from(source).slice(0, 200).join(''), importSource };
  return post<UploadResponse>('/api/v1/sales/upload-daily', { records }, { query, ...origin });
}
