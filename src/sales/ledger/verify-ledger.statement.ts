import { columnsOf, listFields } from '../fields/sales-fields.js';

/** The figures of an hour and the upload that wrote them; null where the hour is not there. */
const figures = (alias: string): string => {
  const values = listFields(({ name }) => `'${name}', ${alias}.${name}`);
  return `CASE WHEN ${alias}.upload_number IS NOT NULL
      THEN jsonb_build_object('upload_number', ${alias}.upload_number, ${values}) END`;
};

/** Returns a row per stored day, with what differs from the ledger. */
export const VERIFY_DAYS = `
SELECT coalesce(of_day.differences, '[]') || coalesce(of_hours.differences, '[]') AS differences
FROM sales_days AS d
CROSS JOIN LATERAL (
  -- the day's row against all its uploads, which are numbered without a gap
  SELECT CASE WHEN (d.uploads, d.hours, d.last_uploaded_at)
      IS DISTINCT FROM (l.uploads, l.hours, l.last_uploaded_at)
    THEN jsonb_build_array(jsonb_build_object(
      'restaurant_id', d.restaurant_id, 'date', d.date, 'hour', NULL,
      'stored', jsonb_build_object(
        'uploads', d.uploads, 'hours', d.hours, 'last_uploaded_at', d.last_uploaded_at),
      'ledger', to_jsonb(l)
    )) END AS differences
  FROM (
    SELECT CASE WHEN count(*) = max(u.number) THEN count(*) END AS uploads,
      bit_or(u.changed_hours) AS hours,
      (array_agg(u.uploaded_at ORDER BY u.number DESC))[1] AS last_uploaded_at
    FROM uploads AS u
    WHERE u.restaurant_id = d.restaurant_id AND u.date = d.date
  ) AS l
) AS of_day
CROSS JOIN LATERAL (
  -- each hour against the latest upload that changed it
  SELECT jsonb_agg(jsonb_build_object(
    'restaurant_id', d.restaurant_id, 'date', d.date, 'hour', hour,
    'stored', ${figures('stored')}, 'ledger', ${figures('ledger')}
  ) ORDER BY hour) AS differences
  FROM (
    SELECT * FROM hourly_sales WHERE restaurant_id = d.restaurant_id AND date = d.date
  ) AS stored
  FULL JOIN (
    SELECT DISTINCT ON (h.hour) u.number AS upload_number, h.*
    FROM uploads AS u
    CROSS JOIN LATERAL upload_hours(u.records) AS h
    WHERE u.restaurant_id = d.restaurant_id AND u.date = d.date
      AND (u.changed_hours >> h.hour) & 1 = 1
    ORDER BY h.hour, u.number DESC
  ) AS ledger USING (hour)
  WHERE (stored.upload_number, ${columnsOf('stored')})
    IS DISTINCT FROM (ledger.upload_number, ${columnsOf('ledger')})
) AS of_hours
ORDER BY d.restaurant_id, d.date`;

/** Returns a row per day that has hours but was never uploaded. */
export const FIND_STRAY_HOURS = `
SELECT jsonb_agg(jsonb_build_object(
  'restaurant_id', stored.restaurant_id, 'date', stored.date, 'hour', stored.hour,
  'stored', ${figures('stored')}, 'ledger', NULL
) ORDER BY hour) AS differences
FROM hourly_sales AS stored
WHERE NOT EXISTS (
  SELECT FROM sales_days AS d WHERE d.restaurant_id = stored.restaurant_id AND d.date = stored.date
)
GROUP BY restaurant_id, date
ORDER BY restaurant_id, date`;
