import { ApiError, isPassing, post } from '../api/service.js';
import type { UploadResponse } from '../api/shapes.js';
import { labelOf } from '../fields.js';
import { errorText } from '../use-load.js';
import { type FileDay, filesOf, recordsOf } from './file-days.js';

/** Lets the service check a day and say what an upload would change. */
export async function check(day: FileDay): Promise<Pick<FileDay, 'state' | 'version'>> {
  const { planned, replace } = day;
  try {
    const preview = await send(day, '?dry_run=true');
    const { changes, version } = preview;
    const { reasonsToAsk, warningsOf } = (await import('./reader.js')).reader;
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
    const { message } = await send(day, `?expected_version=${day.version}`);
    return { state: { kind: 'saved', message } };
  } catch (error) {
    if (error instanceof ApiError && error.status === 409)
      return { state: { kind: 'unchecked', message: HAS_CHANGED } };
    return { state: { kind: 'failed', message: errorText(error) } };
  }
}

const HAS_CHANGED = 'this day has changed since it was checked, and nothing was saved';

function send(day: FileDay, query: string): Promise<UploadResponse> {
  const source = Array.from(filesOf(day)).slice(0, 200).join('');
  const origin = { source, importSource: day.planned.source };
  const { records } = recordsOf(day);
  return post<UploadResponse>('/api/v1/sales/upload-daily', { records }, { query, ...origin });
}
