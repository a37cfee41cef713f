import { HOURS_PER_DAY } from '../../calendar/hour-set.js';
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

/** The same, with the dates hidden from the planner: it expects few of them, and uses the index. */
const FEW_DAYS = `restaurant_id = ANY($1::integer[])
      AND date BETWEEN (SELECT $2::date) AND (SELECT $3::date)`;

const SUMS = listFields(({ name }) => `trim_scale(sum(${name})::numeric) AS ${name}`);

/** What days keep: their totals, how many of these are not true, and their uploaded hours. */
const kept = (day: string): string => `json_object_agg(${day}, hours) AS hours,
    count(*) FILTER (WHERE NOT ${ARE_TRUE}) AS stale,
    ${listFields(({ name }) => `sum(total_${name}) AS ${name}`)}
  FROM sales_days`;

const KEPT_BY_DATE = `
  SELECT date AS key, ${kept('restaurant_id')}
  WHERE ${DAYS}
  GROUP BY date`;

/** One restaurant after the other, which needs no sort nor table of groups. */
const KEPT_BY_RESTAURANT = `
  SELECT key, of_restaurant.*
  FROM unnest($1::integer[]) AS key
  CROSS JOIN LATERAL (
    SELECT ${kept('date - $2::date')}
    WHERE restaurant_id = key AND date BETWEEN $2 AND $3
    GROUP BY restaurant_id
  ) AS of_restaurant`;

/** Adds up the totals of days, and the hours of those that were uploaded after their totals. */
const totalsByDay = (group: string, lines: string): string => `kept AS MATERIALIZED (${lines}
), line AS (
  SELECT key, sum(added_up) AS added_up, ${SUMS}
  FROM (
    SELECT key, 0 AS added_up, ${FIELD_NAMES}
    FROM kept
    UNION ALL
    -- what stale days have more or less than they keep, if there are any
    SELECT stale.${group}, 1,
      ${listFields(({ name }) => `sums.${name} - coalesce(stale.total_${name}, 0)`)}
    FROM (
      SELECT * FROM sales_days
      WHERE ${FEW_DAYS} AND NOT ${ARE_TRUE} AND (SELECT sum(stale) FROM kept) > 0
    ) AS stale
    CROSS JOIN LATERAL (${addUp('stale')}
    ) AS sums
  ) AS part
  GROUP BY key
)`;

/** Adds up the hours, by the index and not from the whole table. */
const totalsByHour = (group: string): string => `line AS (
  SELECT ${group} AS key, 0 AS added_up, ${SUMS}
  FROM hourly_sales
  WHERE ${FEW_DAYS}
  GROUP BY 1
)`;

/** Writes a statement of one row: a line for each group, and which hours were uploaded. */
const totals = (line: string, uploaded: string): string => `
WITH ${line}, written AS (
  -- the totals as text, so that no digit is lost
  SELECT key, added_up AS "addedUp",
    (SELECT row_to_json(f)::text FROM (SELECT ${columnsOf('line')}) AS f) AS totals
  FROM line
), uploaded AS (${uploaded}
)
SELECT coalesce((SELECT json_agg(written) FROM written), '[]') AS lines,
  coalesce((SELECT json_agg(uploaded) FROM uploaded), '[]') AS uploaded`;

const byDay = (group: string, lines: string) => ({
  text: totals(totalsByDay(group, lines), 'SELECT key, hours FROM kept'),
});

const byHour = (group: string) => ({ text: totals(totalsByHour(group), READ_HOURS.text) });

/**
 * $1: restaurants, $2, $3: first and last date. The uploaded hours are those of each restaurant as
 * in READ_HOURS, or of each date by restaurant. The statements have no name: PostgreSQL plans them
 * for the restaurants and the range each time, as a week and a year need different plans.
 */
export const READ_TOTALS = {
  date: byDay('date', KEPT_BY_DATE),
  restaurant: byDay('restaurant_id', KEPT_BY_RESTAURANT),
  hour: byHour('hour'),
  weekday_hour: byHour(`${HOURS_PER_DAY} * extract(isodow FROM date)::integer + hour`),
};
