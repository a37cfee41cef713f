import { parseExact, type Exact } from '../api/exact.js';
import type { components } from '../api/schema.js';
import { api, unwrap } from '../api/session.js';
import type { Figures } from '../fields.js';

type Schemas = components['schemas'];
export type Day = Exact<Schemas['DayResponse']>;
export type Upload = Exact<Schemas['DayUpload']>;

/** A field of an hour that an upload changed; before is undefined for a new hour. */
export interface Change {
  readonly hour: string;
  readonly field: string;
  readonly before: string | undefined;
  readonly after: string;
}

export async function loadDay(restaurant_id: number, date: string): Promise<Day> {
  const params = { query: { restaurant_id, date } };
  return parseExact<Schemas['DayResponse']>(unwrap(await api.GET('/api/v1/sales/daily', { params, parseAs: 'text' })));
}

/** All uploads of the day, newest first. */
export async function loadUploads(restaurant_id: number, date: string): Promise<Upload[]> {
  const uploads: Upload[] = [];
  for (let after: number | undefined; ;) {
    const params = { query: { restaurant_id, date, ...(after === undefined ? {} : { after }) } };
    const json = unwrap(await api.GET('/api/v1/sales/uploads', { params, parseAs: 'text' }));
    const page = parseExact<Schemas['UploadsResponse']>(json);
    uploads.push(...page.uploads);
    if (!page.next) return uploads;
    after = Number(page.next);
  }
}

/** The fields that differ; of a new hour, turnover and covers. */
export function changesOf({ changes }: Pick<Upload, 'changes'>): Change[] {
  return changes.flatMap(({ hour, before, after }) => {
    const now: Figures = after;
    const earlier: Figures | null | undefined = before;
    const fields = earlier ? Object.keys(now).filter((field) => earlier[field] !== now[field]) : ['gto', 'pax'];
    return fields.map((field) => ({ hour, field, before: earlier?.[field], after: now[field] ?? '' }));
  });
}
