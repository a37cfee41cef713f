import { columnsOf, FIELD_NAMES, listFields } from '../fields/sales-fields.js';

const columns = listFields(({ name, kind }) => `${name} ${kind === 'count' ? 'integer' : 'numeric'}[]`);

/** $1 lists uploads, `place` is the index of the records in $2. OFFSET 0 and scalar subqueries keep the planner from reading whole tables. */
export const UPLOAD = `upload AS MATERIALIZED (
  SELECT u.*, ($2::json[])[u.place] AS records, r.name, u.date <@ r.closed AS closed,
    (SELECT true FROM archived_months WHERE month = date_trunc('month', u.date::timestamp)::date) AS archived,
    (SELECT true FROM restaurant_grants AS g WHERE g.user_id = u.user_id AND g.restaurant_id = u.restaurant_id)
      OR (SELECT all_restaurants FROM users WHERE id = u.user_id) AS granted,
    (SELECT revoked_at IS NULL FROM tokens AS t WHERE t.jti = u.token_id AND t.user_id = u.user_id) AS live
  FROM json_to_recordset($1) AS u (
    place integer, restaurant_id integer, date date, user_id integer, token_id uuid, client_address text, processed smallint, hours integer)
  LEFT JOIN LATERAL (SELECT name, closed FROM restaurants WHERE id = u.restaurant_id OFFSET 0) AS r ON true
)`;

/** The rows of a column `records`. */
export const SENT_HOURS = `
    SELECT unnest(c.hour) AS hour, ${listFields(({ name }) => `unnest(c.${name}) AS ${name}`)}
    FROM json_to_record(records) AS c (hour smallint[], ${columns})`;

/**
 * Saves uploads of different days; see docs/performance.md#save-uploads
 *
 * Uploads of one day queue for its row: no deadlock, and `ON CONFLICT` sees the newest version of an hour.
 */
export const SAVE_UPLOADS = {
  name: 'save_uploads',
  text: `
WITH ${UPLOAD}, day AS (
  INSERT INTO sales_days AS d (restaurant_id, date, uploads, hours, last_uploaded_at)
  SELECT restaurant_id, date, 1, hours, clock_timestamp()
  FROM upload
  WHERE live AND granted AND NOT closed AND archived IS NULL
  ORDER BY restaurant_id, date
  ON CONFLICT (restaurant_id, date) DO UPDATE
    SET uploads = d.uploads + 1, hours = d.hours | excluded.hours, hours_before = d.hours, last_uploaded_at = clock_timestamp()
  RETURNING restaurant_id, date, uploads AS number, hours_before, last_uploaded_at AS uploaded_at
), taken AS MATERIALIZED (
  SELECT place, restaurant_id, date, number, hours_before, user_id, client_address, uploaded_at, processed, records
  FROM day
  JOIN upload USING (restaurant_id, date)
), hour AS (
  INSERT INTO hourly_sales AS h (restaurant_id, date, hour, ${FIELD_NAMES}, upload_number)
  SELECT restaurant_id, date, r.hour, ${columnsOf('r')}, number
  FROM taken,
  LATERAL (${SENT_HOURS}
  ) AS r
  ON CONFLICT (restaurant_id, date, hour) DO UPDATE
    SET ${listFields(({ name }) => `${name} = excluded.${name}`)}, upload_number = excluded.upload_number
    WHERE (${columnsOf('h')}) IS DISTINCT FROM (${columnsOf('excluded')})
  RETURNING restaurant_id, date, hour
), saved AS MATERIALIZED (
  SELECT taken.*, coalesce(changed_hours, 0) AS changed_hours
  FROM taken
  LEFT JOIN (SELECT restaurant_id, date, bit_or(1 << hour) AS changed_hours FROM hour GROUP BY restaurant_id, date) AS c
    USING (restaurant_id, date)
), ledger AS (
  INSERT INTO uploads (restaurant_id, date, number, user_id, client_address, uploaded_at, processed, changed_hours, records)
  SELECT restaurant_id, date, number, user_id, client_address, uploaded_at, processed, changed_hours,
    CASE WHEN changed_hours <> 0 THEN records END
  FROM saved
)
SELECT place, live, name, closed, archived, granted, number, coalesce(changed_hours & hours_before, 0) AS "overwrittenHours"
FROM upload
LEFT JOIN saved USING (place)`,
} as const;
