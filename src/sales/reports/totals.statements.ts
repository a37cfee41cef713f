import { columnsOf, FIELD_NAMES, listFields, SALES_FIELDS } from '../fields/sales-fields.js';
import { READ_HOURS } from './reports.statements.js';

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

/** $1: a restaurant. Returns the days whose totals it has stored; see docs/performance.md#totals */
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

/** The same, hidden from the planner, which expects few rows then, and reads them by the index. */
const FEW_DAYS = `restaurant_id = ANY((SELECT $1::integer[])::integer[])
      AND date BETWEEN (SELECT $2::date) AND (SELECT $3::date)`;

const SUMS = listFields(({ name }) => `trim_scale(sum(${name})::numeric) AS ${name}`);

/** What was sold in a range by the totals of its days; $1: restaurants, $2, $3: first, last date. */
const soldByDay = (group: string): string => `kept AS MATERIALIZED (
  -- a line for each group, by the totals that are true
  SELECT ${group} AS key, count(*) AS days,
    ${listFields(({ name }) => `sum(total_${name}) AS ${name}`)}
  FROM sales_days
  WHERE ${DAYS} AND ${ARE_TRUE}
  GROUP BY 1
), line AS (
  SELECT key, sum(added_up) AS added_up, ${SUMS}
  FROM (
    SELECT key, 0 AS added_up, ${FIELD_NAMES}
    FROM kept
    UNION ALL
    -- days that were uploaded after their totals, if there are any, which are added up now
    SELECT stale.${group}, 1, ${columnsOf('sums')}
    FROM (
      SELECT restaurant_id, date
      FROM sales_days
      WHERE ${FEW_DAYS} AND NOT ${ARE_TRUE}
        AND (SELECT sum("dayCount") FROM uploaded) > (SELECT coalesce(sum(days), 0) FROM kept)
    ) AS stale
    CROSS JOIN LATERAL (${addUp('stale')}
    ) AS sums
  ) AS part
  GROUP BY key
)`;

/** Sums the same from the hours, by the index and not from the whole table. */
const soldByHour = (group: string): string => `line AS (
  SELECT ${group} AS key, 0 AS added_up, ${SUMS}
  FROM hourly_sales
  WHERE ${FEW_DAYS}
  GROUP BY 1
)`;

/** Writes a statement of one row: a line per group, and which hours of which days were uploaded. */
const totals = (sold: string): string => `
WITH uploaded AS (${READ_HOURS.text}
), ${sold}, written AS (
  -- the totals as text, so that no digit is lost
  SELECT key, added_up AS "addedUp",
    (SELECT row_to_json(f)::text FROM (SELECT ${columnsOf('line')}) AS f) AS totals
  FROM line
)
SELECT coalesce((SELECT json_agg(written) FROM written), '[]') AS lines,
  coalesce((SELECT json_agg(uploaded) FROM uploaded), '[]') AS uploaded`;

/**
 * $1: restaurants, $2, $3: first and last date. Those of days have no name: PostgreSQL plans them
 * for the range each time, as a week and a year need different plans.
 */
export const READ_TOTALS = {
  date: { text: totals(soldByDay('date')) },
  restaurant: { text: totals(soldByDay('restaurant_id')) },
  hour: { name: 'read_totals_by_hour', text: totals(soldByHour('hour')) },
  weekday_hour: {
    name: 'read_totals_by_weekday_hour',
    text: totals(soldByHour('24 * extract(isodow FROM date)::integer + hour')),
  },
};
