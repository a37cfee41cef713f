const FIELDS = [
  'orders', 'gto', 'gst', 'svc', 'discount', 'pax', 'cash', 'nets', 'visa', 'master', 'amex', 'voucher', 'other',
]; // prettier-ignore

const typeOf = (field: string): string => (/^(orders|pax)$/.test(field) ? 'integer' : 'numeric');

const list = (write: (field: string) => string): string => FIELDS.map(write).join(', ');

/** The view and the function that read the ledger. */
export const CREATE_HISTORY = `
-- Turns the records of the ledger, an array per field, into a row per hour.
CREATE FUNCTION upload_hours(records json)
RETURNS TABLE (hour smallint, ${list((field) => `${field} ${typeOf(field)}`)})
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT unnest(sent.hour), ${list((field) => `unnest(sent.${field})`)}
  FROM json_to_record(records)
    AS sent (hour smallint[], ${list((field) => `${field} ${typeOf(field)}[]`)})
$$;
-- Lists every hour that an upload changed, beside what the latest earlier upload of it says.
CREATE VIEW sales_history AS
SELECT u.restaurant_id, u.date, now.hour, u.number AS upload_number, u.uploaded_at, users.username,
  before.upload_number AS replaced_upload_number,
  ${list((field) => `before.${field} AS ${field}_before, now.${field} AS ${field}_after`)}
FROM uploads AS u
JOIN users ON users.id = u.user_id
-- the hours as the upload sent them
CROSS JOIN LATERAL upload_hours(u.records) AS now
-- The same hour before. It is looked up for each changed hour, not by a window over the day, so
-- that a page of a day with very many uploads costs no more than another page.
LEFT JOIN LATERAL (
  SELECT e.number AS upload_number, h.*
  FROM uploads AS e
  CROSS JOIN LATERAL upload_hours(e.records) AS h
  WHERE e.restaurant_id = u.restaurant_id AND e.date = u.date
    AND e.number BETWEEN u.number - 5000 AND u.number - 1 -- no till sends so many in a day
    AND (e.changed_hours >> now.hour) & 1 = 1 AND h.hour = now.hour
  ORDER BY e.number DESC
  LIMIT 1
) AS before ON true
-- only the hours that the upload changed
WHERE (u.changed_hours >> now.hour) & 1 = 1;
COMMENT ON VIEW sales_history IS
'A row for every change of an hour: which upload wrote it, by whom and when, which upload it replaced, and the values before (null: none, or none of the 5,000 uploads before) and after'`;

export const DROP_HISTORY = 'DROP VIEW sales_history; DROP FUNCTION upload_hours';
