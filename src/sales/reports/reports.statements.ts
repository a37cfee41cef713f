import { ALL_HOURS, HOURS_PER_DAY, SALES_FIELDS } from '../fields/sales-fields.js';

export const NAMES = SALES_FIELDS.map(({ name }) => name);

export const TOTALS = SALES_FIELDS.map(({ name, kind }) => {
  const sum = `coalesce(sum(${name}), 0)`;
  return `${kind === 'count' ? sum : `trim_scale(${sum})`} AS ${name}`;
}).join(', ');

const TIMESTAMP = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

/** $1: restaurant, $2: date. */
export const READ_DAY = {
  name: 'read_day',
  text: `
SELECT row_to_json(day)::text AS json
FROM (
  WITH hours AS (
    SELECT restaurant_id, date, hour, ${NAMES.join(', ')} FROM hourly_sales WHERE restaurant_id = $1 AND date = $2
  )
  SELECT $1::integer AS restaurant_id, $2::date AS date,
    coalesce((SELECT json_agg(hours ORDER BY hour) FROM hours), '[]') AS records,
    ARRAY(
      SELECT hour FROM generate_series(0, ${HOURS_PER_DAY - 1}) AS hour EXCEPT SELECT hour FROM hours ORDER BY hour
    ) AS missing_hours,
    (SELECT row_to_json(total) FROM (SELECT ${TOTALS} FROM hours) AS total) AS totals,
    (SELECT to_char(last_uploaded_at AT TIME ZONE 'UTC', ${TIMESTAMP})
      FROM sales_days WHERE restaurant_id = $1 AND date = $2) AS last_uploaded_at
) AS day`,
};

function figures(moment: 'before' | 'after'): string {
  const columns = NAMES.map((name) => `h.${name}_${moment} AS ${name}`).join(', ');
  return `(SELECT row_to_json(f) FROM (SELECT ${columns}) AS f)`;
}

/** $1: restaurant, $2: date, $3: numbers below, $4: limit; number 1 is the last. */
export const READ_UPLOADS = {
  name: 'read_uploads',
  text: `
SELECT row_to_json(day)::text AS json
FROM (
  WITH page AS (
    SELECT number, uploaded_at, user_id, processed
    FROM uploads
    WHERE restaurant_id = $1 AND date = $2 AND number < $3
    ORDER BY number DESC
    LIMIT $4
  ), upload AS (
    SELECT concat_ws('-', $1::integer, to_char($2::date, 'YYYY-MM-DD'), number) AS id,
      to_char(uploaded_at AT TIME ZONE 'UTC', ${TIMESTAMP}) AS uploaded_at,
      username, processed,
      coalesce((
        SELECT json_agg(change ORDER BY hour)
        FROM (
          SELECT h.hour, CASE WHEN h.replaced_upload_number IS NOT NULL THEN ${figures('before')} END AS before,
            ${figures('after')} AS after
          FROM sales_history AS h
          WHERE h.restaurant_id = $1 AND h.date = $2 AND h.upload_number = page.number
        ) AS change
      ), '[]') AS changes
    FROM page
    JOIN users ON users.id = user_id
    ORDER BY number DESC
  )
  SELECT $1::integer AS restaurant_id, $2::date AS date,
    coalesce((SELECT json_agg(upload) FROM upload), '[]') AS uploads,
    (SELECT nullif(min(number), 1) FROM page) AS next
) AS day`,
};

/**
 * $1, $2: first and last date, $3: user, null for all, $4, $5: after this restaurant's date, $6: limit, $7: only this
 * restaurant. OFFSET 0: see docs/performance.md#missing-days
 */
export const FIND_MISSING = {
  name: 'find_missing_days',
  text: `
SELECT r.id AS restaurant_id, r.name, to_char(day.date, 'YYYY-MM-DD') AS date, day.hours
FROM restaurants AS r
CROSS JOIN LATERAL (
  SELECT date, coalesce(uploaded.hours, 0) AS hours
  FROM (SELECT $1::date + n AS date FROM generate_series(0, $2::date - $1::date) AS n) AS range
  LEFT JOIN (
    SELECT date, hours FROM sales_days WHERE restaurant_id = r.id AND date BETWEEN $1::date AND $2::date OFFSET 0
  ) AS uploaded USING (date)
  WHERE coalesce(uploaded.hours, 0) <> ${ALL_HOURS} AND NOT date <@ r.closed
) AS day
WHERE r.id >= $4::integer AND (r.id > $4::integer OR day.date > $5::date)
  AND ($7::integer IS NULL OR r.id = $7::integer)
  AND ($3::integer IS NULL
    OR (SELECT all_restaurants FROM users WHERE id = $3::integer)
    OR EXISTS (SELECT FROM restaurant_grants AS g WHERE g.user_id = $3::integer AND g.restaurant_id = r.id))
ORDER BY r.id, day.date
LIMIT $6`,
};
