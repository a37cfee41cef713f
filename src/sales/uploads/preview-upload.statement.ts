import { columnsOf, SALES_FIELDS } from '../fields/sales-fields.js';
import { CHECKED_UPLOADS, SENT_HOURS } from './save-uploads.statement.js';

const figures = (alias: string): string =>
  `(SELECT row_to_json(f) FROM (SELECT ${columnsOf(alias)}) AS f)`;

const PAYMENTS = SALES_FIELDS.filter(({ isPayment }) => isPayment)
  .map(({ name }) => name)
  .join(' + ');

/** Writes an amount with two decimals, or with more where it has more. */
const inText = (amount: string): string => `round(${amount}, greatest(2, min_scale(${amount})))`;

/** $1, $2: `valuesOf` one upload; $3, $4: its restaurant and date. */
export const PREVIEW_UPLOAD = {
  name: 'preview_upload',
  text: `
WITH ${CHECKED_UPLOADS}, sent AS (
  -- the hours as they were sent, with what the payments should add up to
  SELECT record.*, ${PAYMENTS} AS payments, gto + gst + svc AS charged
  FROM upload,
  LATERAL (${SENT_HOURS}
  ) AS record
), stored AS MATERIALIZED (
  -- the hours that the day has so far
  SELECT * FROM hourly_sales WHERE restaurant_id = $3 AND date = $4
), change AS (
  -- the hours that have other figures, or none, so far
  SELECT sent.hour, CASE WHEN stored.hour IS NOT NULL THEN ${figures('stored')} END AS before,
    ${figures('sent')} AS after
  FROM sent
  LEFT JOIN stored USING (hour)
  WHERE (${columnsOf('stored')}) IS DISTINCT FROM (${columnsOf('sent')})
  ORDER BY sent.hour
), warning AS (
  -- what looks wrong in the hours that were sent
  SELECT hour, 'payments_differ' AS code,
    format('hour %s: the payments are %s in all, but gto is %s, and %s with gst and svc',
      hour, ${inText('payments')}, ${inText('gto')}, ${inText('charged')}) AS message
  FROM sent
  WHERE payments NOT IN (gto, charged)
  UNION ALL
  SELECT hour, 'orders_without_turnover',
    concat('hour ', hour, ': ', orders, ' orders, but gto is 0')
  FROM sent
  WHERE orders > 0 AND gto = 0
  ORDER BY hour, code
)
SELECT live, name, closed, granted,
  coalesce((SELECT json_agg(change) FROM change), '[]') AS changes,
  coalesce((SELECT json_agg(warning) FROM warning), '[]') AS warnings
FROM upload`,
};
