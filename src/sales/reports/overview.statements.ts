import { ALL_HOURS, FIELD_NAMES, listFields } from '../fields/sales-fields.js';
import { TOTALS } from './reports.statements.js';

/** $1: user, null for all, $2: only these restaurants, null for all. */
const SELECTED = `($2::integer[] IS NULL OR r.id = ANY($2::integer[])) AND (
    $1::integer IS NULL OR (SELECT all_restaurants FROM users WHERE id = $1)
    OR EXISTS (SELECT FROM restaurant_grants AS g WHERE g.user_id = $1 AND g.restaurant_id = r.id))`;

/** $3, $4: first and last date. */
const RANGE = '(SELECT $3::date + n AS date FROM generate_series(0, $4::date - $3::date) AS n) AS range';

/** Of the restaurant `r`. OFFSET 0: see docs/performance.md#missing-days */
const DAYS = `${RANGE}
  LEFT JOIN (
    SELECT date, hours FROM sales_days WHERE restaurant_id = r.id AND date BETWEEN $3::date AND $4::date OFFSET 0
  ) AS uploaded USING (date)`;

/** $5, $6: after this restaurant's date, $7: limit. */
export const FIND_MISSING = {
  name: 'find_missing_days',
  text: `
SELECT r.id AS restaurant_id, r.name, to_char(day.date, 'YYYY-MM-DD') AS date, day.hours
FROM restaurants AS r
CROSS JOIN LATERAL (
  SELECT date, coalesce(uploaded.hours, 0) AS hours
  FROM ${DAYS}
  WHERE coalesce(uploaded.hours, 0) <> ${ALL_HOURS} AND NOT date <@ r.closed
) AS day
WHERE r.id >= $5::integer AND (r.id > $5::integer OR day.date > $6::date) AND ${SELECTED}
ORDER BY r.id, day.date
LIMIT $7`,
  distributedText: `
WITH r AS MATERIALIZED (
  SELECT id, name, closed FROM restaurants AS r WHERE r.id >= $5::integer AND ${SELECTED}
), uploaded AS MATERIALIZED (
  SELECT restaurant_id AS id, date, hours FROM sales_days
  WHERE date BETWEEN $3::date AND $4::date AND restaurant_id IN (SELECT id FROM r)
)
SELECT id AS restaurant_id, name, to_char(date, 'YYYY-MM-DD') AS date, coalesce(hours, 0) AS hours
FROM r
CROSS JOIN ${RANGE}
LEFT JOIN uploaded USING (id, date)
WHERE coalesce(hours, 0) <> ${ALL_HOURS} AND NOT date <@ closed AND (id > $5::integer OR range.date > $6::date)
ORDER BY id, range.date
LIMIT $7`,
};

const PAGE = `
  SELECT id, name, closed FROM restaurants AS r WHERE r.id > $6::integer AND ${SELECTED} ORDER BY r.id LIMIT $7`;

/** Stops at the first hour with turnover. The hours of archived days are gone. */
function hasTurnover(restaurantId: string, day: string): string {
  const hours = `FROM hourly_sales AS h WHERE h.restaurant_id = ${restaurantId} AND h.date = ${day}`;
  return `coalesce(
    (SELECT true ${hours} AND h.gto > 0 ORDER BY h.hour DESC LIMIT 1), (SELECT false ${hours} LIMIT 1), true)`;
}

/** Days per restaurant, oldest first. */
function lettersOf(isOpen: string): string {
  return `string_agg(
    CASE
      WHEN date <@ r.closed THEN 'X'
      WHEN hours = ${ALL_HOURS} THEN CASE WHEN ${isOpen} THEN 'C' ELSE 'Z' END
      WHEN date = $5::date THEN 'T'
      WHEN date > $5::date THEN 'F'
      WHEN hours IS NULL THEN 'M'
      ELSE 'P'
    END, '' ORDER BY date)`;
}

/** $5: today, $6: after this restaurant, $7: limit; see docs/performance.md#calendar */
export const READ_CALENDAR = {
  name: 'read_calendar',
  text: `
SELECT r.id AS restaurant_id, r.name, calendar.days
FROM (${PAGE}
) AS r
CROSS JOIN LATERAL (
  SELECT ${lettersOf(hasTurnover('r.id', 'range.date'))} AS days
  FROM ${DAYS}
) AS calendar
ORDER BY r.id`,
  distributedText: `
WITH page AS MATERIALIZED (${PAGE}
), uploaded AS MATERIALIZED (
  SELECT restaurant_id AS id, date, hours,
    CASE WHEN hours = ${ALL_HOURS} THEN ${hasTurnover('d.restaurant_id', 'd.date')} END AS is_open
  FROM sales_days AS d
  WHERE restaurant_id IN (SELECT id FROM page) AND date BETWEEN $3::date AND $4::date
)
SELECT id AS restaurant_id, r.name, ${lettersOf('is_open')} AS days
FROM page AS r
CROSS JOIN ${RANGE}
LEFT JOIN uploaded USING (id, date)
GROUP BY id, r.name
ORDER BY id`,
};

const SUMS = listFields(({ name }) => `sum(${name}) AS ${name}`);

/** Adds up each restaurant in the order of its index first: see docs/performance.md#totals */
export const READ_TOTALS = {
  name: 'read_totals',
  text: totalsOf(`
      SELECT sums.*
      FROM restaurants AS r
      CROSS JOIN LATERAL (
        SELECT date, count(*) AS hours, ${SUMS}
        FROM hourly_sales
        WHERE restaurant_id = r.id AND date BETWEEN $3::date AND $4::date
        GROUP BY date
      ) AS sums
      WHERE ${SELECTED}`),
  distributedText: totalsOf(`
      SELECT date, count(*) AS hours, ${SUMS}
      FROM hourly_sales
      WHERE restaurant_id IN (SELECT id FROM restaurants AS r WHERE ${SELECTED})
        AND date BETWEEN $3::date AND $4::date
      GROUP BY restaurant_id, date`),
};

function totalsOf(sums: string): string {
  return `
SELECT row_to_json(range)::text AS json
FROM (
  WITH day AS (
    SELECT date, coalesce(sum(hours), 0) AS hours, ${TOTALS}
    FROM ${RANGE}
    LEFT JOIN (${sums}
    ) AS sales USING (date)
    GROUP BY date
  )
  SELECT $3::date AS "from", $4::date AS "to", (
    SELECT json_agg(row_to_json(each) ORDER BY date)
    FROM (SELECT date, hours, (SELECT row_to_json(t) FROM (SELECT ${FIELD_NAMES}) AS t) AS totals FROM day) AS each
  ) AS days
) AS range`;
}
