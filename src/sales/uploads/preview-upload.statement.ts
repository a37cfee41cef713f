import { columnsOf } from '../fields/sales-fields.js';
import { SENT_HOURS, UPLOAD } from './save-uploads.statement.js';

const figures = (alias: string): string => `(SELECT row_to_json(f) FROM (SELECT ${columnsOf(alias)}) AS f)`;

/** $1, $2: one upload, as for SAVE_UPLOADS; $3, $4: its restaurant and date. `preview` is JSON text. */
export const PREVIEW_UPLOAD = {
  name: 'preview_upload',
  text: `
WITH ${UPLOAD}, sent AS (
  SELECT restaurant_id, date, s.*, cash + nets + visa + master + amex + voucher + other AS payments, gto + gst + svc AS charged
  FROM upload,
  LATERAL (${SENT_HOURS}
  ) AS s
), stored AS MATERIALIZED (
  SELECT * FROM hourly_sales WHERE restaurant_id = $3 AND date = $4
), change AS (
  SELECT s.hour, CASE WHEN h.hour IS NOT NULL THEN ${figures('h')} END AS before, ${figures('s')} AS after
  FROM sent AS s
  LEFT JOIN stored AS h USING (hour)
  WHERE (${columnsOf('h')}) IS DISTINCT FROM (${columnsOf('s')})
  ORDER BY s.hour
), warning AS (
  SELECT hour, 'payments_differ' AS code,
    concat('hour ', hour, ': the payments are ', payments, ' in all, but gto is ', gto, ', and ', charged, ' with gst and svc') AS message
  FROM sent
  WHERE payments NOT IN (gto, charged)
  UNION ALL
  SELECT hour, 'orders_without_turnover', concat('hour ', hour, ': ', orders, ' orders, but gto is 0')
  FROM sent
  WHERE orders > 0 AND gto = 0
  ORDER BY hour, code
)
SELECT live, name, closed, archived, granted, (
  SELECT row_to_json(p)::text
  FROM (
    SELECT coalesce((SELECT json_agg(change) FROM change), '[]') AS changes,
      coalesce((SELECT json_agg(warning) FROM warning), '[]') AS warnings
  ) AS p
) AS preview
FROM upload`,
} as const;
