import { parseExact } from '../api/exact.js';
import type { components } from '../api/schema.js';
import { api, ApiError, unwrap } from '../api/session.js';
import { changesOf } from '../day/day-data.js';
import { errorText } from '../use-load.js';
import type { CellError, DayState, FileDay } from './file-days.js';

type Schemas = components['schemas'];
type Records = Schemas['UploadDailyDto']['records'];

/** RFC 9457: names the field of each error. */
const HEADERS = { Accept: 'application/problem+json, application/json' };

/** Which restaurant each machine is. */
export type Machines = ReadonlyMap<string, number>;

function isUnassigned({ machine }: FileDay, machines: Machines): boolean {
  return machine !== undefined && !machines.has(machine);
}

/** Lets the service check a day and say what an upload would change. */
export async function checkDay(day: FileDay, machines: Machines): Promise<DayState> {
  if (isUnassigned(day, machines)) return { kind: 'unassigned' };
  try {
    const json = await post(day, machines, true);
    const { changes = [], warnings = [] } = parseExact<Schemas['UploadResponse']>(json);
    const overwrites = changesOf({ changes }).flatMap(({ before, ...change }) =>
      before === undefined ? [] : [{ ...change, before }],
    );
    return { kind: 'ready', overwrites, warnings: warnings.map(({ message }) => message) };
  } catch (error) {
    if (error instanceof ApiError && error.status < 500 && error.status >= 400) {
      return { kind: 'rejected', message: error.message, cells: cellsOf(error.body) };
    }
    return { kind: 'unchecked', message: errorText(error) };
  }
}

export async function saveDay(day: FileDay, machines: Machines): Promise<DayState> {
  try {
    const { message } = JSON.parse(await post(day, machines, false)) as Schemas['UploadResponse'];
    return { kind: 'saved', message };
  } catch (error) {
    return { kind: 'failed', message: errorText(error) };
  }
}

/** Records of a file may be anything; the service validates them. */
async function post({ machine, records }: FileDay, machines: Machines, dry_run: boolean): Promise<string> {
  const restaurant_id = machine === undefined ? undefined : machines.get(machine);
  const sent = restaurant_id === undefined ? records : records.map((record) => ({ restaurant_id, ...record }));
  const body = { records: sent as Records };
  const params = { query: dry_run ? { dry_run } : {} };
  return unwrap(await api.POST('/api/v1/sales/upload-daily', { params, body, headers: HEADERS, parseAs: 'text' }));
}

/** From pointers such as `/records/3/hour`. */
function cellsOf(body: unknown): CellError[] {
  if (typeof body !== 'object' || body === null || !('errors' in body) || !Array.isArray(body.errors)) return [];
  return (body.errors as { pointer: string; detail: string }[]).flatMap(({ pointer, detail }) => {
    const [, record, field] = /^\/records\/(\d+)\/(\w+)$/.exec(pointer) ?? [];
    return record === undefined || field === undefined ? [] : [{ record: Number(record), field, detail }];
  });
}
