import { nightHours } from '../../calendar/expected-hours.js';
import {
  columnsOf,
  FIELD_NAMES,
  listFields,
  membersOf,
  SALES_FIELDS,
} from '../fields/sales-fields.js';
import type { Upload } from './upload.js';

/** The uploads in $1, as `valuesOf` makes them; `position` is the index of the records in $2. */
export const SENT_UPLOADS = `json_to_recordset($1) AS sent (
    position integer, restaurant_id integer, date date, user_id integer,
    checks_token boolean, token_id uuid,
    client_address text, source text, import_source jsonb, processed smallint, hours integer,
    sold_hours integer, expected_version integer)`;

const NIGHT_HOURS = nightHours('r.weekly_hours', 'extract(isodow FROM sent.date)::integer');

/** The CTE `upload`. Scalar subqueries and OFFSET 0 keep the planner from reading whole tables. */
export const CHECKED_UPLOADS = `upload AS MATERIALIZED (
  -- the uploads as they were sent, each with what decides whether it may be saved
  SELECT sent.*, ($2::json[])[sent.position] AS records, restaurant.name,
    restaurant.closed,
    (SELECT true FROM restaurant_grants AS g
      WHERE g.user_id = sent.user_id AND g.restaurant_id = sent.restaurant_id)
      OR (SELECT all_restaurants FROM users WHERE id = sent.user_id) AS granted,
    NOT sent.checks_token OR (SELECT revoked_at IS NULL FROM tokens AS t
      WHERE t.jti = sent.token_id AND t.user_id = sent.user_id) AS live
  FROM ${SENT_UPLOADS}
  LEFT JOIN LATERAL (
    -- whether it has sales in closed hours: those of a closed day, but not of a night that goes on
    -- from an evening on which no closure held
    SELECT name, coalesce((
      SELECT sent.sold_hours
        & ~CASE WHEN bool_or(c.first_day < sent.date) THEN 0 ELSE ${NIGHT_HOURS} END <> 0
      FROM restaurant_closures AS c
      WHERE c.restaurant_id = sent.restaurant_id AND c.first_day <= sent.date
        AND (c.last_day IS NULL OR c.last_day >= sent.date - 1)
      HAVING bool_or(c.last_day IS NULL OR c.last_day >= sent.date)), false) AS closed
    FROM restaurants AS r WHERE id = sent.restaurant_id OFFSET 0
  ) AS restaurant ON true
)`;

const typeOf = (kind: 'amount' | 'count'): string => (kind === 'count' ? 'integer' : 'numeric');

/** Turns the column `records`, which has an array per field, into a row per hour. */
const SENT_HOURS = `
    SELECT unnest(sent.hour) AS hour, ${listFields(({ name }) => `unnest(sent.${name}) AS ${name}`)}
    FROM json_to_record(records) AS sent (
      hour smallint[], ${listFields(({ name, kind }) => `${name} ${typeOf(kind)}[]`)})`;

/** Has a mark in place of each table, as a cluster has other names for those of its shards. */
const SAVE_ACCEPTED = `counted_day AS (
  -- Counts each accepted upload in the row of its day. Uploads of one day queue for that row,
  -- so they never deadlock, and the next step sees the newest version of each hour. One that
  -- expects another version of the day than the locked row has is left out.
  INSERT INTO {sales_days} AS stored (restaurant_id, date, uploads, hours, last_uploaded_at)
  SELECT restaurant_id, date, 1, hours, clock_timestamp()
  FROM upload
  WHERE live AND granted AND NOT closed AND (coalesce(expected_version, 0) = 0
    OR (SELECT true FROM {sales_days} AS d
      WHERE d.restaurant_id = upload.restaurant_id AND d.date = upload.date))
  ORDER BY restaurant_id, date
  ON CONFLICT (restaurant_id, date) DO UPDATE
    SET uploads = stored.uploads + 1, hours = stored.hours | excluded.hours,
      hours_before = stored.hours, last_uploaded_at = clock_timestamp()
    WHERE stored.uploads = coalesce((SELECT expected_version FROM upload AS u
      WHERE u.restaurant_id = stored.restaurant_id AND u.date = stored.date), stored.uploads)
  RETURNING restaurant_id, date, uploads AS number, hours_before, last_uploaded_at AS uploaded_at
), accepted AS MATERIALIZED (
  -- the accepted uploads with their numbers in the ledger
  SELECT position, restaurant_id, date, number, hours_before, user_id, client_address, source,
    import_source, uploaded_at, processed, records
  FROM counted_day
  JOIN upload USING (restaurant_id, date)
), changed_hour AS (
  -- Writes the hours. One that has these figures already is left as it is.
  INSERT INTO {hourly_sales} AS stored (restaurant_id, date, hour, ${FIELD_NAMES}, upload_number)
  SELECT restaurant_id, date, record.hour, ${columnsOf('record')}, number
  FROM accepted,
  LATERAL (${SENT_HOURS}
  ) AS record
  ON CONFLICT (restaurant_id, date, hour) DO UPDATE
    SET ${listFields(({ name }) => `${name} = excluded.${name}`)},
      upload_number = excluded.upload_number
    WHERE (${columnsOf('stored')})
      IS DISTINCT FROM (${columnsOf('excluded')})
  RETURNING restaurant_id, date, hour
), saved AS MATERIALIZED (
  -- the accepted uploads with one bit per hour that they changed, and per hour that they replaced
  SELECT accepted.*, coalesce(changed_hours, 0) AS changed_hours,
    coalesce(changed_hours & hours_before, 0) AS replaced_hours
  FROM accepted
  LEFT JOIN (
    SELECT restaurant_id, date, bit_or(1 << hour) AS changed_hours
    FROM changed_hour
    GROUP BY restaurant_id, date
  ) AS changed USING (restaurant_id, date)
), ledger AS (
  -- Writes each upload into the ledger; its records only if they changed anything.
  INSERT INTO {uploads} (restaurant_id, date, number, user_id, client_address, source, import_source,
    uploaded_at, processed, changed_hours, replaced_hours, records)
  SELECT restaurant_id, date, number, user_id, client_address, source, import_source, uploaded_at,
    processed, changed_hours, replaced_hours, CASE WHEN changed_hours <> 0 THEN records END
  FROM saved
)
-- what was found about each upload, and which hours it has overwritten, a bit each; null if it
-- was not saved
SELECT position, live, name, closed, granted, replaced_hours AS "replacedHours"
FROM upload
LEFT JOIN saved USING (position)
ORDER BY position`;

/**
 * Writes the statement that checks and saves the uploads of a CTE in one round trip, without a
 * transaction; see docs/decisions.md
 */
export const saveUploadsText = (upload: string): string => `WITH ${upload}, ${SAVE_ACCEPTED}`;

export const SAVE_UPLOADS = {
  name: 'save_uploads',
  text: saveUploadsText(CHECKED_UPLOADS).replaceAll(/[{}]/g, ''),
};

const PAYMENTS = SALES_FIELDS.filter(({ isPayment }) => isPayment)
  .map(({ name }) => name)
  .join(' + ');

/** Writes an amount with two decimals, or with more where it has more. */
const inText = (amount: string): string => `round(${amount}, greatest(2, min_scale(${amount})))`;

/** How many times the usual of an hour an amount is when it looks wrong, as cents for dollars. */
const UNUSUAL = 100;

const AMOUNTS = SALES_FIELDS.filter(({ kind }) => kind === 'amount').map(({ name }) => name);

/**
 * $1, $2: the values of one upload; $3, $4: its restaurant and date; $5: the date of today; $6: the
 * set of hours that are expected of the day.
 */
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
  SELECT sent.hour,
    CASE WHEN stored.hour IS NOT NULL THEN json_build_object(${membersOf('stored')}) END AS before,
    json_build_object(${membersOf('sent')}) AS after
  FROM sent
  LEFT JOIN stored USING (hour)
  WHERE (${columnsOf('stored')}) IS DISTINCT FROM (${columnsOf('sent')})
  ORDER BY sent.hour
), usual AS (
  -- the average of each amount in the same hour of the four weeks before, where there was any
  SELECT hour, ${AMOUNTS.map((name) => `avg(${name}) FILTER (WHERE ${name} > 0) AS ${name}`).join()}
  FROM hourly_sales
  WHERE restaurant_id = $3 AND date BETWEEN $4::date - 28 AND $4::date - 1
  GROUP BY hour
), unusual AS (
  -- the amounts that are very much more than usual
  SELECT sent.hour, string_agg(format('%s %s (usually %s)', name,
    ${inText('amount')}, round(usual_amount, 2)), ', ' ORDER BY place) AS amounts
  FROM sent
  JOIN usual USING (hour)
  CROSS JOIN LATERAL (
    VALUES ${AMOUNTS.map((name, at) => `(${at}, '${name}', sent.${name}, usual.${name})`).join()}
  ) AS sent_amount (place, name, amount, usual_amount)
  WHERE amount >= ${UNUSUAL} * usual_amount
  GROUP BY sent.hour
), turnover AS (
  -- the turnover that the day has, and that it would have
  SELECT coalesce((SELECT sum(gto) FROM stored), 0) AS before,
    coalesce((SELECT sum(coalesce(sent.gto, stored.gto)) FROM stored FULL JOIN sent USING (hour)), 0)
      AS after
), warning AS (
  -- what looks wrong in the hours that were sent; what is wrong with the day is told of the first
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
  UNION ALL
  SELECT hour, 'outside_opening_hours', concat('hour ', hour, ': sales outside the opening hours')
  FROM sent
  WHERE gto > 0 AND $6::integer >> hour & 1 = 0
    AND $4::date >= (SELECT first_day FROM restaurants WHERE id = $3)
  UNION ALL
  SELECT hour, name || '_over_a_third',
    format('hour %s: %s is %s, more than a third of gto, which is %s',
      hour, name, ${inText('amount')}, ${inText('gto')})
  FROM sent
  CROSS JOIN LATERAL (VALUES ('gst', gst), ('svc', svc)) AS charge (name, amount)
  WHERE amount * 3 > gto
  UNION ALL
  SELECT hour, 'amount_unusual',
    format('hour %s: ${UNUSUAL} times as much as usual in this hour, or more: %s', hour, amounts)
  FROM unusual
  UNION ALL
  SELECT (SELECT min(hour) FROM sent), code, message
  FROM turnover
  CROSS JOIN LATERAL (VALUES
    ('date_far_ahead', $4::date > $5::date + 1,
      format('the date is %s, more than a day after today (%s)', $4::date, $5::date)),
    ('date_long_ago', $4::date < $5::date - interval '5 years',
      format('the date is %s, more than five years before today (%s)', $4::date, $5::date)),
    ('no_turnover', after = 0 AND (before > 0 OR (SELECT hours FROM upload) & $6::integer <> 0),
      format('the day would have no turnover; so far it has %s', ${inText('before')})),
    ('turnover_smaller', after > 0 AND after * 2 < before,
      format('the day would have a turnover of %s, less than half of the %s that it has so far',
        ${inText('after')}, ${inText('before')}))
  ) AS day_check (code, is_wrong, message)
  WHERE is_wrong
  ORDER BY hour, code
)
SELECT live, name, closed, granted,
  coalesce((SELECT uploads FROM sales_days WHERE restaurant_id = $3 AND date = $4), 0) AS version,
  coalesce((
    SELECT json_agg(json_build_object('hour', hour, 'source', source, 'import', import_source,
      'uploaded_at', uploaded_at) ORDER BY hour)
    FROM stored
    JOIN uploads ON uploads.restaurant_id = $3 AND uploads.date = $4
      AND uploads.number = stored.upload_number
  ), '[]') AS stored,
  coalesce((SELECT json_agg(change) FROM change), '[]') AS changes,
  coalesce((SELECT json_agg(warning) FROM warning), '[]') AS warnings
FROM upload`,
};

/** Makes the parameters $1 and $2. Positions count from 1, as those of SQL arrays do. */
export function valuesOf(uploads: readonly Upload[]): [uploads: string, records: string[]] {
  const sent = uploads.map((upload, index) => ({
    position: index + 1,
    restaurant_id: upload.restaurantId,
    date: upload.date,
    user_id: upload.userId,
    checks_token: upload.checksToken,
    token_id: upload.tokenId,
    client_address: upload.clientAddress,
    source: upload.source,
    import_source: upload.importSource,
    processed: upload.records.length,
    ...hoursOf(upload.records),
    expected_version: upload.expectedVersion,
  }));
  return [JSON.stringify(sent), uploads.map(recordsByField)];
}

/** Returns the sets of the hours that were sent, and of those with a figure other than 0. */
function hoursOf(records: Upload['records']): { hours: number; sold_hours: number } {
  let [hours, sold] = [0, 0];
  for (const record of records) {
    const hour = 1 << record.hour;
    hours |= hour;
    for (const name of FIGURES) {
      if (!record[name]) continue;
      sold |= hour;
      break;
    }
  }
  return { hours, sold_hours: sold };
}

const FIGURES = SALES_FIELDS.map(({ name }) => name);
const COLUMNS = ['hour', ...FIGURES] as const;

/**
 * Makes `{"hour": [0, 1], "orders": [3, 4], ...}`, which takes 0.9 of the time of a list of objects.
 * Arrays that grow by `push` take three quarters of the time of `map`.
 */
function recordsByField({ records }: Upload): string {
  const columns: Partial<Record<(typeof COLUMNS)[number], number[]>> = {};
  for (const name of COLUMNS) {
    const column: number[] = [];
    for (const record of records) column.push(record[name] ?? 0);
    columns[name] = column;
  }
  return JSON.stringify(columns);
}
