import { HOURS_PER_DAY } from '../../calendar/hour-set.js';
import type { Statement } from '../../database/database.js';
import { columnsOf, listFields, SALES_FIELDS, type SalesField } from '../fields/sales-fields.js';

/** Whether a day's totals have every field, and no upload came after them. */
export const ARE_TRUE = `coalesce(totals_upload = uploads AND totals_fields = ${SALES_FIELDS.length}, false)`;

/** The totals that a day keeps, by the names of their fields. */
export const KEPT_TOTALS = listFields(({ name }) => `total_${name} AS ${name}`);

/** The totals of the days of an alias, each added up from its hours. */
export const addUp = (day: string): string => `
  SELECT h.restaurant_id, h.date, ${listFields(({ name }) => `sum(${name}) AS ${name}`)}
  FROM hourly_sales AS h
  WHERE h.restaurant_id = ${day}.restaurant_id AND h.date = ${day}.date
  GROUP BY h.restaurant_id, h.date`;

/** Most days whose totals are stored at once: an upload of one of them waits so long. */
export const DAYS_AT_ONCE = 500;

/**
 * $1: a restaurant. Returns the days whose totals it has stored. Reading stored totals takes at most
 * 0.05 of the CPU of adding up the hours.
 */
export const STORE_TOTALS = {
  name: 'store_totals',
  text: `
WITH stale AS MATERIALIZED (
  -- Locks the days that were uploaded after their totals, as an upload would. One that an upload
  -- holds is skipped: neither waits for the other.
  SELECT restaurant_id, date, uploads
  FROM sales_days
  WHERE restaurant_id = $1 AND NOT ${ARE_TRUE}
  LIMIT ${DAYS_AT_ONCE}
  FOR NO KEY UPDATE SKIP LOCKED
), fresh AS (
  -- their totals in this statement's snapshot
  SELECT stale.date, stale.uploads, ${columnsOf('sums')}
  FROM stale
  CROSS JOIN LATERAL (${addUp('stale')}
  ) AS sums
)
-- A lock returns the newest version of a day, the hours are those of the snapshot: where an upload
-- was saved between, the numbers differ, and the day is left for the next time.
UPDATE sales_days AS day
SET totals_upload = fresh.uploads, totals_fields = ${SALES_FIELDS.length},
  ${listFields(({ name }) => `total_${name} = fresh.${name}`)}
FROM fresh
WHERE day.restaurant_id = $1 AND day.date = fresh.date AND day.uploads = fresh.uploads
RETURNING day.date`,
};

const DAYS = 'restaurant_id = ANY($1::integer[]) AND date BETWEEN $2::date AND $3::date';

/** The same, with the dates hidden from the planner: it expects few of them, and uses the index. */
const FEW_DAYS = `restaurant_id = ANY($1::integer[])
      AND date BETWEEN (SELECT $2::date) AND (SELECT $3::date)`;

/** What tells the lines of each list apart, in SQL. */
const KEYS = {
  date: 'date',
  week: "date_trunc('week', date::timestamp)::date",
  month: "date_trunc('month', date::timestamp)::date",
  restaurant: 'restaurant_id',
  hour: 'hour',
  weekday_hour: `${HOURS_PER_DAY} * extract(isodow FROM date)::integer + hour`,
};

export type Grouping = keyof typeof KEYS;

export function isByHour(grouping: Grouping): boolean {
  return grouping === 'hour' || grouping === 'weekday_hour';
}

const sumOf = (name: string): string => `trim_scale(sum(${name})::numeric)::text AS ${name}`;

/** Writes an SQL list with an item for each of some names. */
type WriteList = (write: (name: string) => string) => string;

/** Adds up what days keep, and the hours of those that were uploaded after their totals. */
function linesByDay(keys: string, names: string, sets: string, fields: WriteList): string {
  return `kept AS MATERIALIZED (
  SELECT ${keys}, count(*) FILTER (WHERE NOT ${ARE_TRUE}) AS stale,
    ${fields((name) => `sum(total_${name}) AS ${name}`)}
  FROM sales_days
  WHERE ${DAYS}
  GROUP BY ${sets}
), line AS (
  SELECT ${names}, ${fields(sumOf)}
  FROM (
    SELECT ${names}, ${fields((name) => name)} FROM kept
    UNION ALL
    -- what stale days have more or less than they keep, if there are any
    SELECT ${names}, ${fields((name) => `sum(sums.${name} - coalesce(stale.total_${name}, 0))`)}
    FROM (
      SELECT ${keys}, * FROM sales_days
      WHERE ${FEW_DAYS} AND NOT ${ARE_TRUE} AND (SELECT sum(stale) FROM kept) > 0
    ) AS stale
    CROSS JOIN LATERAL (${addUp('stale')}
    ) AS sums
    GROUP BY ${sets}
  ) AS part
  GROUP BY ${names}
)`;
}

/** Adds up the hours, by the index and not from the whole table. */
const linesByHour = (keys: string, sets: string, fields: WriteList): string => `line AS (
  SELECT ${keys}, ${fields(sumOf)} FROM hourly_sales WHERE ${FEW_DAYS} GROUP BY ${sets}
)`;

/**
 * Writes a statement of one row with the lines of several lists, all by hour or none, from one read
 * of the rows; `key` is a list's grouping and what tells the line apart. Totals are text, so that no
 * digit is lost. $1: restaurants, $2, $3: first and last date. It has no name: PostgreSQL plans it
 * for the restaurants and the range each time, as a week and a year need different plans.
 */
export function readTotals(
  groupings: readonly Grouping[],
  fields: readonly SalesField[],
): Statement {
  const list: WriteList = (write) => fields.map(({ name }) => write(name)).join();
  const keys = groupings.map((grouping) => `${KEYS[grouping]} AS by_${grouping}`).join();
  const names = groupings.map((grouping) => `by_${grouping}`).join();
  const sets = `GROUPING SETS (${groupings.map((_grouping, at) => at + 1).join()})`;
  const isHourly = groupings.every(isByHour);
  return {
    text: `
WITH ${isHourly ? linesByHour(keys, sets, list) : linesByDay(keys, names, sets, list)}
SELECT ${isHourly ? '0' : '(SELECT coalesce(sum(stale), 0) FROM kept)'}::integer AS "addedUp",
  coalesce(json_agg(json_build_object(
    'key', concat_ws(' ', ${groupings.map((grouping) => `'${grouping} ' || by_${grouping}`).join()}),
    'totals', (SELECT row_to_json(f) FROM (SELECT ${list((name) => name)}) AS f))), '[]') AS lines
FROM line`,
  };
}
