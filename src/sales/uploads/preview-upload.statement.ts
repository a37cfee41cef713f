import { columnsOf, SALES_FIELDS } from '../fields/sales-fields.js';
import { SENT_HOURS, UPLOAD } from './save-uploads.statement.js';

const figures = (alias: string): string => `(SELECT row_to_json(f) FROM (SELECT ${columnsOf(alias)}) AS f)`;

const PAYMENTS = SALES_FIELDS.flatMap(({ name, isPayment }) => (isPayment ? [name] : [])).join(' + ');

/** With two decimals, or more where they are needed. */
const inText = (amount: string): string => `round(${amount}, greatest(2, min_scale(${amount})))`;

/** $1, $2: one upload, as for SAVE_UPLOADS; $3, $4: its restaurant and date. `preview` is JSON text. */
export const PREVIEW_UPLOAD = {
  name: 'preview_upload',
  text: `
WITH ${UPLOAD}, sent AS (
  SELECT restaurant_id, date, s.*, ${PAYMENTS} AS payments, gto + gst + svc AS charged
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
    format('hour %s: the payments are %s in all, but gto is %s, and %s with gst and svc',
      hour, ${inText('payments')}, ${inText('gto')}, ${inText('charged')}) AS message
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
