import { addDecimals } from '../amounts.js';
import type { components } from '../api/schema.js';
import { get, getPages, type Exact } from '../api/service.js';
import { addDays } from '../dates.js';
import type { Figures } from '../fields.js';
import { compare, type Compared } from '../range/range-data.js';

type Schemas = components['schemas'];
export type Day = Exact<Schemas['DayResponse']>;
export type Upload = Exact<Schemas['DayUpload']>;

/** Reads all uploads of the day, newest first. */
export async function loadUploads(id: string, date: string): Promise<Upload[]> {
  const pages = await getPages('/api/v1/sales/uploads', { restaurant_id: Number(id), date });
  return pages.flatMap(({ uploads }) => uploads);
}

/** Reads the day, and the same weekday of the week before. */
export async function loadDays(id: string, date: string): Promise<[day: Day, before: Day]> {
  const load = (on: string): Promise<Day> =>
    get('/api/v1/sales/daily', { restaurant_id: Number(id), date: on });
  return Promise.all([load(date), load(addDays(date, -7))]);
}

/** Compares the day with that of the week before. */
export function compareDays(day: Day, before: Day): Compared {
  const sumOf = ({ records, totals }: Day) => ({ hours: String(records.length), totals });
  return compare(sumOf(day), sumOf(before), 24, 24);
}

/** Lists the fields that an upload changed in hours that were there before. */
export function overwritesOf(changes: Upload['changes']) {
  return changes.flatMap(({ hour, before, after }) => {
    const [then, now] = [before as Figures | null, after as Figures];
    if (!then) return [];
    const fields = Object.keys(now).filter((field) => then[field] !== now[field]);
    return fields.map((field) => ({ hour, field, before: then[field] ?? '0', after: now[field]! }));
  });
}

export type Change = ReturnType<typeof overwritesOf>[number];

/** Says what an upload did to the turnover of the day. */
export function turnoverOf(changes: Upload['changes']): { before: string; after: string } {
  return {
    before: addDecimals(changes.map(({ before }) => before?.gto ?? '0')),
    after: addDecimals(changes.map(({ after }) => after.gto)),
  };
}
