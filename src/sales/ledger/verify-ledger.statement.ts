import { columnsOf, HOURS_PER_DAY, listFields } from '../fields/sales-fields.js';

const bits = (hours: string): string => `${hours}::bit(${HOURS_PER_DAY})`;

const day = (alias: string): string => `'restaurant_id', ${alias}.restaurant_id, 'date', ${alias}.date`;

const figures = (alias: string): string => {
  const words = listFields(({ name }) => `'${name}=', ${alias}.${name}, ' '`);
  return `CASE WHEN ${alias}.upload_number IS NOT NULL THEN concat(${words}, 'of upload ', ${alias}.upload_number) END`;
};

const IS_ARCHIVED = `EXISTS (
  SELECT FROM archived_months AS m WHERE m.month = date_trunc('month', d.date::timestamp)::date)`;

/** A field that an upload lacks, as its release did not know it, keeps the value of the latest upload that has it. */
const recorded = listFields(({ name, default: value }) => {
  const latest = `max(ARRAY[u.number, h.${name}]) FILTER (WHERE h.${name} IS NOT NULL) OVER (PARTITION BY h.hour)`;
  return value === undefined ? `h.${name}` : `coalesce(h.${name}, (${latest})[2], ${value}) AS ${name}`;
});

/** The latest upload that changed each hour of a day, with its figures. */
export const hoursInLedger = (restaurantId: string, date: string): string => `
    SELECT DISTINCT ON (h.hour) u.number AS upload_number, h.hour, ${recorded}
    FROM uploads AS u
    CROSS JOIN LATERAL upload_hours(u.records) AS h
    WHERE u.restaurant_id = ${restaurantId} AND u.date = ${date} AND (u.changed_hours >> h.hour) & 1 = 1
    ORDER BY h.hour, u.number DESC`;

/** Compares each hour with the latest upload that changed it, and each day's row with all its uploads. */
export const VERIFY_DAYS = `
SELECT coalesce(of_day.differences, '[]') || coalesce(of_hours.differences, '[]') AS differences,
  coalesce(of_day.complete, false) AS "ledgerIsComplete"
FROM sales_days AS d
CROSS JOIN LATERAL (
  SELECT count(*) = max(u.number) AND count(*) >= d.uploads AS complete, CASE WHEN (d.uploads, d.hours, d.last_uploaded_at) IS DISTINCT FROM (
      CASE WHEN count(*) = max(u.number) THEN count(*) END,
      bit_or(u.changed_hours),
      (array_agg(u.uploaded_at ORDER BY u.number DESC))[1]
    ) THEN jsonb_build_array(jsonb_build_object(
      ${day('d')}, 'hour', NULL,
      'stored', concat(d.uploads, ' uploads, hours ', ${bits('d.hours')}, ', the last at ', d.last_uploaded_at),
      'ledger', concat(count(*), ' uploads, hours ', ${bits('bit_or(u.changed_hours)')}, ', the last at ', max(u.uploaded_at))
    )) END AS differences
  FROM uploads AS u
  WHERE u.restaurant_id = d.restaurant_id AND u.date = d.date
) AS of_day
CROSS JOIN LATERAL (
  SELECT jsonb_agg(jsonb_build_object(
    ${day('d')}, 'hour', hour, 'stored', ${figures('stored')}, 'ledger', ${figures('ledger')}
  ) ORDER BY hour) AS differences
  FROM (SELECT * FROM hourly_sales WHERE restaurant_id = d.restaurant_id AND date = d.date) AS stored
  FULL JOIN (${hoursInLedger('d.restaurant_id', 'd.date')}
  ) AS ledger USING (hour)
  WHERE (stored.upload_number, ${columnsOf('stored')}) IS DISTINCT FROM (ledger.upload_number, ${columnsOf('ledger')})
) AS of_hours
WHERE NOT ${IS_ARCHIVED}
ORDER BY d.restaurant_id, d.date`;

export const FIND_STRAY_HOURS = `
SELECT json_agg(json_build_object(
  ${day('stored')}, 'hour', hour, 'stored', ${figures('stored')}, 'ledger', NULL
) ORDER BY hour) AS differences
FROM hourly_sales AS stored
WHERE NOT EXISTS (
  SELECT FROM sales_days AS d
  WHERE d.restaurant_id = stored.restaurant_id AND d.date = stored.date AND NOT ${IS_ARCHIVED}
)
GROUP BY restaurant_id, date
ORDER BY restaurant_id, date`;

export const COUNT_ARCHIVED_MONTHS = 'SELECT count(*)::integer AS months FROM archived_months';

export const COUNT_DAYS = `SELECT count(*)::float8 AS days FROM sales_days AS d WHERE NOT ${IS_ARCHIVED}`;
