import { HOURS_PER_DAY } from '../../calendar/hour-set.js';
import { FIELD_NAMES, listFields } from '../fields/sales-fields.js';

/** The sets of uploaded hours of a restaurant, by days since the first. */
export type UploadedHours = Readonly<{
  restaurantId: number;
  hours: Readonly<Record<number, number>>;
}>;

/**
 * $1: restaurants, $2, $3: first and last date. `hours` has one bit per uploaded hour, by the days
 * since $2, and lacks days without uploads. It is JSON, which is parsed faster than an array.
 */
export const READ_HOURS = {
  name: 'read_uploaded_hours',
  text: `
SELECT restaurant_id AS "restaurantId", json_object_agg(date - $2::date, hours) AS hours
FROM sales_days
WHERE restaurant_id = ANY($1::integer[]) AND date BETWEEN $2 AND $3
GROUP BY restaurant_id`,
};

/** $1: restaurants, $2: first date, $3: today. */
export const LAST_SENT = {
  name: 'read_last_sent',
  text: `
SELECT restaurant_id AS "restaurantId", max(date)::text AS date
FROM sales_days
WHERE restaurant_id = ANY($1::integer[]) AND date BETWEEN $2 AND $3
GROUP BY restaurant_id`,
};

const TOTALS = listFields(({ name, kind }) => {
  const sum = `coalesce(sum(${name}), 0)`;
  return `${kind === 'count' ? sum : `trim_scale(${sum})`} AS ${name}`;
});

export const TIMESTAMP = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

/**
 * $1: restaurant, $2: date, $3: set of expected hours, $4: first day of the restaurant, $5: closure
 * of the day as JSON.
 */
export const READ_DAY = {
  name: 'read_day',
  text: `
SELECT row_to_json(day)::text AS json
FROM (
  WITH hours AS (
    -- what is stored of the day
    SELECT restaurant_id, date, hour, ${FIELD_NAMES} FROM hourly_sales
    WHERE restaurant_id = $1 AND date = $2
  ), expected AS (
    -- the hours of the set in $3
    SELECT hour FROM generate_series(0, ${HOURS_PER_DAY - 1}) AS hour
    WHERE ($3::integer >> hour) & 1 = 1
  )
  SELECT $1::integer AS restaurant_id, $2::date AS date, $4::date AS first_day, $5::json AS closed,
    coalesce((SELECT uploads FROM sales_days WHERE restaurant_id = $1 AND date = $2), 0) AS version,
    coalesce((SELECT json_agg(hours ORDER BY hour) FROM hours), '[]') AS records,
    ARRAY(SELECT hour FROM expected ORDER BY hour) AS expected_hours,
    -- the expected hours that are not stored
    ARRAY(SELECT hour FROM expected EXCEPT SELECT hour FROM hours ORDER BY hour) AS missing_hours,
    (SELECT row_to_json(total) FROM (SELECT ${TOTALS} FROM hours) AS total) AS totals,
    (SELECT to_char(last_uploaded_at AT TIME ZONE 'UTC', ${TIMESTAMP})
      FROM sales_days WHERE restaurant_id = $1 AND date = $2) AS last_uploaded_at
) AS day`,
};

function figures(suffix: 'before' | 'after'): string {
  const columns = listFields(({ name }) => `${name}_${suffix} AS ${name}`);
  return `(SELECT row_to_json(f) FROM (SELECT ${columns}) AS f)`;
}

/** $1: restaurant, $2: date, $3: number below which the page begins, $4: limit. */
export const READ_UPLOADS = {
  name: 'read_uploads',
  text: `
SELECT row_to_json(day)::text AS json
FROM (
  WITH page AS (
    -- the uploads of this page
    SELECT number, uploaded_at, user_id, source, processed
    FROM uploads
    WHERE restaurant_id = $1 AND date = $2 AND number < $3
    ORDER BY number DESC
    LIMIT $4
  ), change AS (
    -- what each of them changed; the range of numbers lets the view use the index of uploads
    SELECT upload_number AS number, json_agg(
      json_build_object('hour', hour,
        'before', CASE WHEN replaced_upload_number IS NOT NULL THEN ${figures('before')} END,
        'after', ${figures('after')})
      ORDER BY hour
    ) AS changes
    FROM sales_history
    WHERE restaurant_id = $1 AND date = $2
      AND upload_number BETWEEN (SELECT min(number) FROM page) AND (SELECT max(number) FROM page)
    GROUP BY upload_number
  ), upload AS (
    -- both together, with the name of the user
    SELECT concat_ws('-', $1::integer, to_char($2::date, 'YYYY-MM-DD'), number) AS id,
      to_char(uploaded_at AT TIME ZONE 'UTC', ${TIMESTAMP}) AS uploaded_at,
      username, source, processed, coalesce(changes, '[]') AS changes
    FROM page
    JOIN users ON users.id = user_id
    LEFT JOIN change USING (number)
    ORDER BY number DESC
  )
  SELECT $1::integer AS restaurant_id, $2::date AS date,
    coalesce((SELECT json_agg(upload) FROM upload), '[]') AS uploads,
    (SELECT nullif(min(number), 1) FROM page) AS next -- number 1 is the first upload of the day
) AS day`,
};
