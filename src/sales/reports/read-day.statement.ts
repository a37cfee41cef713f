import { COUNTS, SALES_FIELDS } from '../sales-fields.js';

const fields = SALES_FIELDS.join(', ');
const totals = SALES_FIELDS.map((field) => {
  const sum = `coalesce(sum(${field}), 0)`;
  return `${COUNTS.has(field) ? sum : `trim_scale(${sum})`} AS ${field}`;
}).join(', ');

/**
 * One restaurant's day ($1, $2) as JSON text, so that amounts leave as the decimals they are: JavaScript numbers would
 * lose the exact totals.
 */
export const READ_DAY = `
SELECT row_to_json(answer)::text AS json
FROM (
  WITH hours AS (
    SELECT restaurant_id, date, hour, ${fields} FROM hourly_sales WHERE restaurant_id = $1 AND date = $2
  )
  SELECT $1::integer AS restaurant_id, $2::date AS date,
    coalesce((SELECT json_agg(hours ORDER BY hour) FROM hours), '[]') AS records,
    ARRAY(SELECT hour FROM generate_series(0, 23) AS hour EXCEPT SELECT hour FROM hours ORDER BY hour) AS missing_hours,
    (SELECT row_to_json(total) FROM (SELECT ${totals} FROM hours) AS total) AS totals,
    (SELECT to_char(last_uploaded_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      FROM sales_days WHERE restaurant_id = $1 AND date = $2) AS last_uploaded_at
) AS answer`;
