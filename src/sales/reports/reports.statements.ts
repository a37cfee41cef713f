import { FIELD_NAMES, HOURS_PER_DAY, listFields, SALES_FIELDS } from '../fields/sales-fields.js';
import { joinBefore, valueIn } from '../fields/upload-history.js';

export const TOTALS = listFields(({ name, kind }) => {
  const sum = `coalesce(sum(${name}), 0)`;
  return `${kind === 'count' ? sum : `trim_scale(${sum})`} AS ${name}`;
});

const TIMESTAMP = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

/** $1: restaurant, $2: date. */
export const READ_DAY = {
  name: 'read_day',
  text: `
SELECT row_to_json(day)::text AS json
FROM (
  WITH hours AS (
    SELECT restaurant_id, date, hour, ${FIELD_NAMES} FROM hourly_sales WHERE restaurant_id = $1 AND date = $2
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

const DAY = { restaurantId: '$1', date: '$2', hoursOf: 'upload_hours' };

function figures(hour: 'before' | 'now'): string {
  return `(SELECT row_to_json(f) FROM (SELECT ${listFields((field) => `${valueIn(hour, field)} AS ${field.name}`)}) AS f)`;
}

/** $1: restaurant, $2: date, $3: numbers below, $4: limit; number 1 is the last. */
export const READ_UPLOADS = {
  name: 'read_uploads',
  text: `
SELECT row_to_json(day)::text AS json
FROM (
  WITH page AS (
    SELECT number, uploaded_at, user_id, processed, changed_hours, records
    FROM uploads
    WHERE restaurant_id = $1 AND date = $2 AND number < $3
    ORDER BY number DESC
    LIMIT $4
  ), change AS (
    SELECT number, json_agg(
      json_build_object('hour', now.hour, 'before', CASE WHEN before.upload_number IS NOT NULL THEN ${figures('before')} END,
        'after', ${figures('now')})
      ORDER BY now.hour
    ) AS changes
    FROM page AS u
    CROSS JOIN LATERAL upload_hours(records) AS now${joinBefore(SALES_FIELDS, DAY)}
    WHERE (changed_hours >> now.hour) & 1 = 1
    GROUP BY number
  ), upload AS (
    SELECT concat_ws('-', $1::integer, to_char($2::date, 'YYYY-MM-DD'), number) AS id,
      to_char(uploaded_at AT TIME ZONE 'UTC', ${TIMESTAMP}) AS uploaded_at,
      username, processed, coalesce(changes, '[]') AS changes
    FROM page
    JOIN users ON users.id = user_id
    LEFT JOIN change USING (number)
    ORDER BY number DESC
  )
  SELECT $1::integer AS restaurant_id, $2::date AS date,
    coalesce((SELECT json_agg(upload) FROM upload), '[]') AS uploads,
    (SELECT nullif(min(number), 1) FROM page) AS next
) AS day`,
};
