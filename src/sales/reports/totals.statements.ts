import { columnsOf, FIELD_NAMES, listFields, SALES_FIELDS } from '../fields/sales-fields.js';
import { READ_HOURS } from './reports.statements.js';

/** Whether a day's totals have every field, and no upload came after them. */
const ARE_TRUE = `(totals_upload = uploads AND cardinality(totals) = ${SALES_FIELDS.length}) IS TRUE`;

/** The totals of a day, added up from its hours. */
const ADDED_UP = `ARRAY[${listFields(({ name }) => `sum(${name})`)}]::numeric[]`;

/** Most days whose totals are stored at once: an upload of one of them waits so long. */
export const DAYS_AT_ONCE = 500;

/** $1: a restaurant. Returns the days whose totals it has stored; see docs/performance.md#totals */
export const STORE_TOTALS = {
  name: 'store_totals',
  text: `
WITH stale AS MATERIALIZED (
  -- Locks the days that were uploaded after their totals, as an upload would. One that an upload
  -- holds is skipped: neither waits for the other.
  SELECT date, uploads
  FROM sales_days
  WHERE restaurant_id = $1 AND NOT ${ARE_TRUE}
  LIMIT ${DAYS_AT_ONCE}
  FOR NO KEY UPDATE SKIP LOCKED
), fresh AS (
  -- their totals in this statement's snapshot
  SELECT stale.date, uploads, sums.totals
  FROM stale
  CROSS JOIN LATERAL (
    SELECT ${ADDED_UP} AS totals
    FROM hourly_sales AS h
    WHERE h.restaurant_id = $1 AND h.date = stale.date
  ) AS sums
)
-- A lock returns the newest version of a day, the hours are those of the snapshot: where an upload
-- was saved between, the numbers differ, and the day is left for the next time.
UPDATE sales_days AS day
SET totals = fresh.totals, totals_upload = fresh.uploads
FROM fresh
WHERE day.restaurant_id = $1 AND day.date = fresh.date AND day.uploads = fresh.uploads
RETURNING day.date`,
};

const DAYS = 'restaurant_id = ANY($1::integer[]) AND date BETWEEN $2::date AND $3::date';

/** What was sold in a range by day; $1: restaurants, $2, $3: first and last date. */
const SOLD_BY_DAY = `
  -- days whose totals are true
  SELECT restaurant_id, date, hours, totals, 0 AS added_up
  FROM sales_days
  WHERE ${DAYS} AND ${ARE_TRUE}
  UNION ALL
  -- days that were uploaded after their totals, which are added up now
  SELECT restaurant_id, date, stale.hours, sums.totals, 1
  FROM (
    SELECT restaurant_id, date, hours
    FROM sales_days
    WHERE ${DAYS} AND NOT ${ARE_TRUE}
  ) AS stale
  CROSS JOIN LATERAL (
    SELECT ${ADDED_UP} AS totals
    FROM hourly_sales AS h
    WHERE h.restaurant_id = stale.restaurant_id AND h.date = stale.date
  ) AS sums`;

/** The range is hidden from the planner, which would else read the whole table from a month on. */
const SOLD_BY_HOUR = `
  SELECT date, hour, ${FIELD_NAMES}
  FROM hourly_sales
  WHERE restaurant_id = ANY($1::integer[])
    AND date BETWEEN (SELECT $2::date) AND (SELECT $3::date)`;

/** Writes a statement of one row: a line per group, and which hours of which days were uploaded. */
const totalsBy = (group: string, counts: string, sums: string, sold: string): string => `
WITH sold AS (${sold}
), line AS (
  -- a line for each group, with its totals as text, so that no digit is lost
  SELECT key, days, hours, added_up AS "addedUp",
    (SELECT row_to_json(f)::text FROM (SELECT ${columnsOf('summed')}) AS f) AS totals
  FROM (SELECT ${group} AS key, ${counts}, ${sums} FROM sold GROUP BY 1) AS summed
), uploaded AS (${READ_HOURS.text}
)
SELECT coalesce((SELECT json_agg(line) FROM line), '[]') AS lines,
  coalesce((SELECT json_agg(uploaded) FROM uploaded), '[]') AS uploaded`;

const totalsOfDays = (group: string): string => {
  const sums = SALES_FIELDS.map(
    ({ name }, index) => `trim_scale(sum(totals[${index + 1}])) AS ${name}`,
  );
  const counts = `count(*) AS days, sum(bit_count(hours::bit(24))) AS hours, sum(added_up) AS added_up`;
  return totalsBy(group, counts, sums.join(), SOLD_BY_DAY);
};

const totalsOfHours = (group: string): string => {
  const sums = listFields(({ name }) => `trim_scale(sum(${name})::numeric) AS ${name}`);
  return totalsBy(group, 'count(*) AS hours, 0 AS days, 0 AS added_up', sums, SOLD_BY_HOUR);
};

/**
 * $1: restaurants, $2, $3: first and last date. Those of days have no name: PostgreSQL plans them
 * for the range each time, as a week and a year need different plans.
 */
export const READ_TOTALS = {
  date: { text: totalsOfDays('date') },
  restaurant: { text: totalsOfDays('restaurant_id') },
  hour: { name: 'read_totals_by_hour', text: totalsOfHours('hour') },
  weekday_hour: {
    name: 'read_totals_by_weekday_hour',
    text: totalsOfHours('24 * extract(isodow FROM date)::integer + hour'),
  },
};
