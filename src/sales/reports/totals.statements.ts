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

/**
 * Writes a statement of the totals of each line of a list, by what tells the line apart; `stale` is
 * the number of days that it adds up. Totals are text, so that no digit is lost. $1: restaurants, $2,
 * $3: first and last date. It has no name: PostgreSQL plans it for the restaurants and the range each
 * time, as a week and a year need different plans.
 */
export function readTotals(grouping: Grouping, fields: readonly SalesField[]): Statement {
  const list = (write: (name: string) => string) => fields.map(({ name }) => write(name)).join();
  const key = `${KEYS[grouping]} AS key`;
  const totals = `json_build_object(${list(
    (name) => `'${name}', trim_scale(sum(${name})::numeric)::text`,
  )}) AS totals`;
  // Hours are read by the index and not from the whole table.
  if (isByHour(grouping))
    return {
      text: `
SELECT ${key}, 0 AS stale, ${totals} FROM hourly_sales WHERE ${FEW_DAYS} GROUP BY key`,
    };
  return {
    text: `
WITH kept AS MATERIALIZED (
  -- what days keep, and how many of them were uploaded after their totals
  SELECT ${key}, count(*) FILTER (WHERE NOT ${ARE_TRUE}) AS stale,
    ${list((name) => `sum(total_${name}) AS ${name}`)}
  FROM sales_days
  WHERE ${DAYS}
  GROUP BY key
)
SELECT key::text, sum(stale)::integer AS stale, ${totals}
FROM (
  SELECT * FROM kept
  UNION ALL
  -- what stale days have more or less than they keep, if there are any
  SELECT key, 0, ${list((name) => `sum(sums.${name} - coalesce(day.total_${name}, 0))`)}
  FROM (
    SELECT ${key}, * FROM sales_days
    WHERE ${FEW_DAYS} AND NOT ${ARE_TRUE} AND (SELECT sum(stale) FROM kept) > 0
  ) AS day
  CROSS JOIN LATERAL (${addUp('day')}
  ) AS sums
  GROUP BY key
) AS part
GROUP BY part.key`,
  };
}
