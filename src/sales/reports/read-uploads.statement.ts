import { SALES_FIELDS } from '../sales-fields.js';

/** The 13 figures of a row of `sales_history`, before or after, as one JSON object. */
function figures(moment: 'before' | 'after'): string {
  const columns = SALES_FIELDS.map((field) => `h.${field}_${moment} AS ${field}`).join(', ');
  return `(SELECT row_to_json(f) FROM (SELECT ${columns}) AS f)`;
}

/**
 * The uploads of one restaurant's day ($1, $2) numbered below $3, newest first, $4 of them, as JSON text: amounts never
 * become JavaScript numbers. Uploads of a day are numbered from 1 without a gap, so there are more while 1 is not told.
 */
export const READ_UPLOADS = `
SELECT row_to_json(answer)::text AS json
FROM (
  WITH page AS (
    SELECT number, uploaded_at, user_id, processed
    FROM uploads
    WHERE restaurant_id = $1 AND date = $2 AND number < $3
    ORDER BY number DESC
    LIMIT $4
  ), upload AS (
    SELECT concat_ws('-', $1::integer, to_char($2::date, 'YYYY-MM-DD'), number) AS id,
      to_char(uploaded_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS uploaded_at,
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
) AS answer`;
