import { columnsOf, FIELD_NAMES, listFields } from '../fields/sales-fields.js';
import { hoursInLedger } from './verify-ledger.statement.js';

/** $1: restaurant, $2: date. Uploads of the day wait. */
export const LOCK_DAY = {
  name: 'lock_day_for_repair',
  text: 'SELECT FROM sales_days WHERE restaurant_id = $1 AND date = $2 FOR UPDATE',
};

/** Writes the hours that differ from the ledger. */
export const REPAIR_HOURS = {
  name: 'repair_hours',
  text: `
INSERT INTO hourly_sales AS s (restaurant_id, date, hour, ${FIELD_NAMES}, upload_number)
SELECT $1, $2, hour, ${FIELD_NAMES}, upload_number
FROM (${hoursInLedger('$1', '$2')}
) AS ledger
ON CONFLICT (restaurant_id, date, hour) DO UPDATE
  SET ${listFields(({ name }) => `${name} = excluded.${name}`)}, upload_number = excluded.upload_number
  WHERE (s.upload_number, ${columnsOf('s')}) IS DISTINCT FROM (excluded.upload_number, ${columnsOf('excluded')})
RETURNING hour`,
};

export const REPAIR_DAY = {
  name: 'repair_day',
  text: `
UPDATE sales_days AS d SET uploads = l.uploads, hours = l.hours, last_uploaded_at = l.last_uploaded_at
FROM (
  SELECT max(number) AS uploads, bit_or(changed_hours) AS hours,
    (array_agg(uploaded_at ORDER BY number DESC))[1] AS last_uploaded_at
  FROM uploads WHERE restaurant_id = $1 AND date = $2
  HAVING count(*) = max(number)
) AS l
WHERE d.restaurant_id = $1 AND d.date = $2
  AND (d.uploads, d.hours, d.last_uploaded_at) IS DISTINCT FROM (l.uploads, l.hours, l.last_uploaded_at)
RETURNING d.date`,
};
