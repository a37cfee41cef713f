/**
 * $1: restaurant or null, $2: user or null, $3, $4: first and last day on which the uploads came,
 * in the time zone $5; $6: limit. Without a restaurant it reads the whole ledger.
 */
export const LIST_UPLOADS = `
SELECT concat_ws('-', restaurant_id, to_char(date, 'YYYY-MM-DD'), number) AS id, restaurant_id,
  to_char(date, 'YYYY-MM-DD') AS date, uploaded_at, username, client_address, source, processed,
  changed_hours, replaced_hours
FROM uploads
JOIN users ON users.id = user_id
WHERE ($1::integer IS NULL OR restaurant_id = $1) AND ($2::integer IS NULL OR user_id = $2)
  AND uploaded_at >= $3::date::timestamp AT TIME ZONE $5
  AND uploaded_at < ($4::date + 1)::timestamp AT TIME ZONE $5
ORDER BY uploaded_at DESC, restaurant_id DESC, date DESC, number DESC
LIMIT $6`;
