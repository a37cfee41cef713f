import { SALES_FIELDS } from '../sales-fields.js';

const columns = (alias: string): string => SALES_FIELDS.map((field) => `${alias}.${field}`).join(', ');

/** An hour's figures and the upload that wrote them, in words; null where there is none. */
const figures = (alias: string): string => {
  const words = SALES_FIELDS.map((field) => `'${field}=', ${alias}.${field}, ' '`).join(', ');
  return `CASE WHEN ${alias}.upload_number IS NOT NULL THEN concat(${words}, 'of upload ', ${alias}.upload_number) END`;
};

/**
 * Every day, in the order of restaurants and dates, with where it is not what the ledger says: an hour's figures against
 * those of the latest upload that changed it (either side may lack the hour), and the day's row against its uploads,
 * which are numbered without a gap. A look-up for each day, so that rows come at once and nothing is sorted.
 */
export const VERIFY_DAYS = `
SELECT d.restaurant_id, to_char(d.date, 'YYYY-MM-DD') AS date, of_day.differences AS of_day, of_hours.differences AS of_hours
FROM sales_days AS d
CROSS JOIN LATERAL (
  SELECT CASE WHEN (d.uploads, d.hours, d.last_uploaded_at) IS DISTINCT FROM (
      CASE WHEN count(*) = max(u.number) THEN count(*) END,
      bit_or(u.changed_hours),
      (array_agg(u.uploaded_at ORDER BY u.number DESC))[1]
    ) THEN json_build_array(json_build_object(
      'hour', NULL,
      'stands', concat(d.uploads, ' uploads, hours ', d.hours::bit(24), ', the last at ', d.last_uploaded_at),
      'ledger', concat(count(*), ' uploads, hours ', bit_or(u.changed_hours)::bit(24), ', the last at ', max(u.uploaded_at))
    )) END AS differences
  FROM uploads AS u
  WHERE u.restaurant_id = d.restaurant_id AND u.date = d.date
) AS of_day
CROSS JOIN LATERAL (
  SELECT json_agg(json_build_object(
    'hour', hour, 'stands', ${figures('current')}, 'ledger', ${figures('ledger')}
  ) ORDER BY hour) AS differences
  FROM (SELECT * FROM hourly_sales WHERE restaurant_id = d.restaurant_id AND date = d.date) AS current
  FULL JOIN (
    SELECT DISTINCT ON (h.hour) u.number AS upload_number, h.*
    FROM uploads AS u
    CROSS JOIN LATERAL upload_hours(u.records) AS h
    WHERE u.restaurant_id = d.restaurant_id AND u.date = d.date AND (u.changed_hours >> h.hour) & 1 = 1
    ORDER BY h.hour, u.number DESC
  ) AS ledger USING (hour)
  WHERE (current.upload_number, ${columns('current')}) IS DISTINCT FROM (ledger.upload_number, ${columns('ledger')})
) AS of_hours
ORDER BY d.restaurant_id, d.date`;

/** Hours of days that no upload is known of. */
export const FIND_STRAY_HOURS = `
SELECT restaurant_id, to_char(date, 'YYYY-MM-DD') AS date, NULL AS of_day, json_agg(json_build_object(
  'hour', hour, 'stands', ${figures('current')}, 'ledger', NULL
) ORDER BY hour) AS of_hours
FROM hourly_sales AS current
WHERE NOT EXISTS (SELECT FROM sales_days AS d WHERE d.restaurant_id = current.restaurant_id AND d.date = current.date)
GROUP BY restaurant_id, date
ORDER BY restaurant_id, date`;
