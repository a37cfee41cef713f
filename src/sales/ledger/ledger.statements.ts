import { HOURS_PER_DAY } from '../../calendar/hour-set.js';
import { columnsOf, FIELD_NAMES, listFields, membersOf } from '../fields/sales-fields.js';
import { addUp, ARE_TRUE, KEPT_TOTALS } from '../reports/totals.statements.js';

const listHours = (set: string): string =>
  `ARRAY(SELECT hour FROM generate_series(0, ${HOURS_PER_DAY - 1}) AS hour WHERE (${set} >> hour) & 1 = 1)`;

/**
 * $1: restaurant or null, $2: user or null, $3, $4: first and last day on which the uploads came,
 * in the time zone $5; $6: limit. Without a restaurant it reads the whole ledger.
 */
export const LIST_UPLOADS = `
SELECT concat_ws('-', restaurant_id, to_char(date, 'YYYY-MM-DD'), number) AS id, uploaded_at,
  restaurant_id, to_char(date, 'YYYY-MM-DD') AS date, username, client_address, source, processed,
  ${listHours('changed_hours')} AS changed_hours,
  CASE WHEN replaced_hours IS NOT NULL THEN ${listHours('replaced_hours')} END AS replaced_hours
FROM uploads
JOIN users ON users.id = user_id
WHERE ($1::integer IS NULL OR restaurant_id = $1) AND ($2::integer IS NULL OR user_id = $2)
  AND uploaded_at >= $3::date::timestamp AT TIME ZONE $5
  AND uploaded_at < ($4::date + 1)::timestamp AT TIME ZONE $5
ORDER BY uploaded_at DESC, restaurant_id DESC, uploads.date DESC, number DESC
LIMIT $6`;

/** Writes the figures of an hour and the number of its upload as JSON; null if it is not there. */
const figures = (alias: string): string => `CASE WHEN ${alias}.upload_number IS NOT NULL
    THEN json_build_object(${membersOf(alias)}, 'upload_number', ${alias}.upload_number) END`;

const day = (alias: string): string =>
  `json_build_object('uploads', ${alias}.uploads, 'hours', ${alias}.hours,
    'last_uploaded_at', ${alias}.last_uploaded_at)`;

/**
 * The figures of an hour by the ledger. An upload that was saved before there was an optional
 * field, or since by an instance of that release, has left it as the latest upload before it says.
 */
const LEDGER_FIGURES = listFields(({ name, isOptional }) =>
  isOptional
    ? `coalesce(h.${name}, (
          SELECT e.${name}
          FROM uploads AS v
          CROSS JOIN LATERAL upload_hours(v.records) AS e
          WHERE v.restaurant_id = d.restaurant_id AND v.date = d.date AND v.number < u.number
            AND e.hour = h.hour AND e.${name} IS NOT NULL
          ORDER BY v.number DESC
          LIMIT 1
        ), 0) AS ${name}`
    : `h.${name}`,
);

/** Returns one row: how many days and differences there are, and the first 1,000 differences. */
export const VERIFY_LEDGER = `
WITH day AS (
  -- the number of days
  SELECT count(*)::integer AS days FROM sales_days
), difference AS MATERIALIZED (
  -- each hour against the latest upload that changed it
  SELECT d.restaurant_id, d.date, compared.*
  FROM sales_days AS d
  CROSS JOIN LATERAL (
    SELECT hour, ${figures('stored')} AS stored, ${figures('ledger')} AS ledger
    FROM (
      SELECT restaurant_id, hour, upload_number, ${FIELD_NAMES}
      FROM hourly_sales
      WHERE restaurant_id = d.restaurant_id AND date = d.date
    ) AS stored
    FULL JOIN (
      SELECT DISTINCT ON (h.hour) u.number AS upload_number, h.hour, ${LEDGER_FIGURES}
      FROM uploads AS u
      CROSS JOIN LATERAL upload_hours(u.records) AS h
      WHERE u.restaurant_id = d.restaurant_id AND u.date = d.date
        AND (u.changed_hours >> h.hour) & 1 = 1
      ORDER BY h.hour, u.number DESC
    ) AS ledger USING (hour)
    WHERE (stored.upload_number, ${columnsOf('stored')})
      IS DISTINCT FROM (ledger.upload_number, ${columnsOf('ledger')})
  ) AS compared
  UNION ALL
  -- hours of days that were never uploaded
  SELECT restaurant_id, date, hour, ${figures('stray')}, NULL
  FROM hourly_sales AS stray
  WHERE NOT EXISTS (
    SELECT d.restaurant_id
    FROM sales_days AS d
    WHERE d.restaurant_id = stray.restaurant_id AND d.date = stray.date
  )
  UNION ALL
  -- each day's row against all its uploads, which are numbered without a gap
  SELECT restaurant_id, date, NULL, ${day('stored')}, ${day('ledger')}
  FROM sales_days AS stored
  LEFT JOIN (
    SELECT restaurant_id, date, CASE WHEN count(*) = max(number) THEN count(*) END AS uploads,
      bit_or(changed_hours) AS hours,
      (array_agg(uploaded_at ORDER BY number DESC))[1] AS last_uploaded_at
    FROM uploads
    GROUP BY restaurant_id, date
  ) AS ledger USING (restaurant_id, date)
  WHERE (stored.uploads, stored.hours, stored.last_uploaded_at)
    IS DISTINCT FROM (ledger.uploads, ledger.hours, ledger.last_uploaded_at)
  UNION ALL
  -- the totals of each day that are said to be true, against its hours
  SELECT stored.restaurant_id, stored.date, NULL,
    json_build_object(${membersOf('stored')}), json_build_object(${membersOf('hours')})
  FROM (SELECT restaurant_id, date, ${KEPT_TOTALS} FROM sales_days WHERE ${ARE_TRUE}) AS stored
  CROSS JOIN LATERAL (${addUp('stored')}
  ) AS hours
  WHERE (${columnsOf('stored')}) IS DISTINCT FROM (${columnsOf('hours')})
), first AS (
  -- the differences that are reported
  SELECT * FROM difference ORDER BY restaurant_id, date, hour NULLS FIRST LIMIT 1000
)
SELECT days, (SELECT count(*)::integer FROM difference) AS differences,
  coalesce((SELECT json_agg(first) FROM first), '[]') AS reported
FROM day`;
