import { COUNTS, SALES_FIELDS } from '../sales-fields.js';

const fields = SALES_FIELDS.join(', ');
const columns = SALES_FIELDS.map((field) => `${field} ${COUNTS.has(field) ? 'integer' : 'numeric'}[]`).join(', ');
const list = (write: (field: string) => string): string => SALES_FIELDS.map(write).join(', ');

/**
 * Saves uploads, each whole or not at all, in one round trip and without a transaction of its own: judges the token and
 * the grant, writes the hours, numbers the upload and keeps it in the ledger. A row for each, told by its place in the list.
 *
 * - The first parameter is JSON, a list of uploads of different days; the second an array of their records, on their own
 *   because what is inside of other JSON is read once more. Amounts travel as text and become decimals only here.
 * - Taking the day's row first makes uploads of one day queue: no deadlock, and their numbers are the order in which they
 *   took effect. `ON CONFLICT` acts on the newest version of an hour, so nothing that was read before the wait is used.
 * - An hour whose values stay the same gets no new version. `changed_hours` is what really changed; a ledger row that
 *   changed nothing keeps no records. What an hour was before is what the latest earlier upload that changed it says.
 * - Records come by columns, `{"hour": [0, 1], "gto": [1.5, 2]}`: 0.9 of the price of a list of objects.
 * - Scalar subqueries and OFFSET 0, not joins and not EXISTS: for those the planner would read whole tables.
 * - What is joined is kept for those who ask next: each further join costs every statement its setting up.
 */
export const SAVE_UPLOADS = {
  name: 'save_uploads',
  text: `
WITH upload AS MATERIALIZED (
  SELECT u.*, ($2::json[])[u.place] AS records, r.name, u.date <@ r.closed AS closed,
    (SELECT true FROM restaurant_grants AS g WHERE g.user_id = u.user_id AND g.restaurant_id = u.restaurant_id)
      OR (SELECT all_restaurants FROM users WHERE id = u.user_id) AS granted,
    (SELECT revoked_at IS NULL FROM tokens AS t WHERE t.jti = u.token_id AND t.user_id = u.user_id) AS live
  FROM json_to_recordset($1) AS u (
    place integer, restaurant_id integer, date date, user_id integer, token_id uuid, client_address text, processed smallint, hours integer)
  LEFT JOIN LATERAL (SELECT name, closed FROM restaurants WHERE id = u.restaurant_id OFFSET 0) AS r ON true
), day AS (
  INSERT INTO sales_days AS d (restaurant_id, date, uploads, hours, last_uploaded_at)
  SELECT restaurant_id, date, 1, hours, clock_timestamp()
  FROM upload
  WHERE live AND granted AND NOT closed
  ORDER BY restaurant_id, date
  ON CONFLICT (restaurant_id, date) DO UPDATE
    SET uploads = d.uploads + 1, hours = d.hours | excluded.hours, hours_before = d.hours, last_uploaded_at = clock_timestamp()
  RETURNING restaurant_id, date, uploads AS number, hours_before, last_uploaded_at AS uploaded_at
), taken AS MATERIALIZED (
  SELECT place, restaurant_id, date, number, hours_before, user_id, client_address, uploaded_at, processed, records
  FROM day
  JOIN upload USING (restaurant_id, date)
), hour AS (
  INSERT INTO hourly_sales AS h (restaurant_id, date, hour, ${fields}, upload_number)
  SELECT restaurant_id, date, r.hour, ${list((field) => `r.${field}`)}, number
  FROM taken,
  LATERAL (
    SELECT unnest(c.hour) AS hour, ${list((field) => `unnest(c.${field}) AS ${field}`)}
    FROM json_to_record(records) AS c (hour smallint[], ${columns})
  ) AS r
  ON CONFLICT (restaurant_id, date, hour) DO UPDATE
    SET ${list((field) => `${field} = excluded.${field}`)}, upload_number = excluded.upload_number
    WHERE (${list((field) => `h.${field}`)}) IS DISTINCT FROM (${list((field) => `excluded.${field}`)})
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
SELECT place, live, name, closed, granted, coalesce(changed_hours & hours_before, 0) AS "overwrittenHours"
FROM upload
LEFT JOIN saved USING (place)`,
} as const;
