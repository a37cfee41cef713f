import { HOURS_PER_DAY } from '../../calendar/hour-set.js';
import { listFields, SALES_FIELDS } from '../fields/sales-fields.js';
import { MAX_UPLOADS_BEFORE } from './report-limits.js';
import { TIMESTAMP } from './reports.statements.js';

/** The number of the latest upload that changed each hour, in the order of the hours. */
const LATEST_BY_HOUR = Array.from(
  { length: HOURS_PER_DAY },
  (_, hour) => `max(e.number) FILTER (WHERE e.changed_hours >> ${hour} & 1 = 1)`,
).join(', ');

const MADE_IN_TIME = `uploaded_at >= coalesce($8::date::timestamp AT TIME ZONE $10, '-infinity')
        AND uploaded_at < coalesce(($9::date + 1)::timestamp AT TIME ZONE $10, 'infinity')`;

/** What the upload's hours had in a field before it and after it, and whether any of them differs. */
const SUMS = listFields(
  ({ name }) => `sum(before.${name}) AS ${name}_before, sum(after.${name}) AS ${name}_after,
      bool_or(after.${name} <> coalesce(before.${name}, 0)) FILTER (WHERE before.hour IS NOT NULL)
        AS ${name}_changed`,
);

const CHANGED_FIELDS = SALES_FIELDS.map(
  ({ name }, place) => `(${place}, '${name}', ${name}_changed, ${name}_before, ${name}_after)`,
).join();

/**
 * $1: restaurants, $2, $3: first and last date, $4: limit, $5, $6, $7: restaurant, date and number
 * of the upload after which the page begins, $8, $9: first and last day, in the time zone $10, on
 * which the uploads came; each pair or triple may be null. It is planned for its values each time.
 */
export const READ_CHANGES = {
  text: `
SELECT row_to_json(response)::text AS json
FROM (
  WITH replacing AS (
    -- the uploads of the range that may have replaced figures, in an index of them alone
    SELECT restaurant_id, date, number, uploaded_at, replaced_hours
    FROM uploads
    WHERE restaurant_id = ANY($1::integer[])
      AND date BETWEEN coalesce($2::date, '-infinity') AND coalesce($3::date, 'infinity')
      AND number > 1 AND replaced_hours IS DISTINCT FROM 0 AND ${MADE_IN_TIME}
  ), correction AS (
    -- these uploads with the hours that they replaced
    SELECT restaurant_id, date, number, uploaded_at, replaced_hours AS hours
    FROM replacing
    WHERE replaced_hours IS NOT NULL
    UNION ALL
    -- where the ledger does not say it, as in rows of earlier releases, it is the hours that
    -- earlier uploads had changed; later uploads of such a day are not read
    SELECT restaurant_id, date, number, uploaded_at, hours
    FROM (
      SELECT restaurant_id, date, number, uploaded_at, replaced_hours,
        changed_hours & bit_or(changed_hours) OVER (
          PARTITION BY restaurant_id, date ORDER BY number
          ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) AS hours
      FROM uploads
      JOIN (
        SELECT restaurant_id, date, max(number) AS latest
        FROM replacing
        WHERE replaced_hours IS NULL
        GROUP BY restaurant_id, date
      ) AS day USING (restaurant_id, date)
      WHERE number <= latest
    ) AS of_day
    WHERE replaced_hours IS NULL
  ), page AS MATERIALIZED (
    -- one upload more than the page has shows that another page follows
    SELECT *, row_number() OVER () AS place
    FROM (
      SELECT *
      FROM correction
      WHERE hours <> 0 AND ${MADE_IN_TIME} AND ($5::integer IS NULL OR (uploaded_at, restaurant_id, date, number) < (
        (
          SELECT uploaded_at FROM uploads
          WHERE restaurant_id = ANY($1) AND restaurant_id = $5 AND date = $6 AND number = $7
        ), $5, $6::date, $7::integer))
      ORDER BY uploaded_at DESC, restaurant_id DESC, date DESC, number DESC
      LIMIT $4 + 1
    ) AS newest
  ), replaced AS MATERIALIZED (
    -- the replaced hours of each upload, by the upload that had written them: the latest one before
    -- it that changed the hour
    SELECT restaurant_id, date, number, before, bit_or(1 << hour) AS hours
    FROM (
      SELECT e.restaurant_id, e.date, page.number, page.hours AS of_page,
        ARRAY[${LATEST_BY_HOUR}] AS latest
      FROM page
      JOIN uploads AS e ON e.restaurant_id = page.restaurant_id AND e.date = page.date
        AND e.number BETWEEN page.number - ${MAX_UPLOADS_BEFORE} AND page.number - 1
        AND e.changed_hours & page.hours <> 0
      WHERE place <= $4
      GROUP BY e.restaurant_id, e.date, page.number, page.hours
    ) AS upload
    CROSS JOIN generate_series(0, ${HOURS_PER_DAY - 1}) AS hour
    CROSS JOIN LATERAL (SELECT latest[hour + 1] AS before) AS written
    WHERE of_page >> hour & 1 = 1 AND before IS NOT NULL
    GROUP BY restaurant_id, date, number, before
  ), before AS MATERIALIZED (
    -- these hours as they were before
    SELECT r.restaurant_id, r.date, r.number, h.*
    FROM replaced AS r
    JOIN uploads AS e ON e.restaurant_id = r.restaurant_id AND e.date = r.date AND e.number = r.before
    CROSS JOIN LATERAL upload_hours(e.records) AS h
    WHERE r.hours >> h.hour & 1 = 1
  ), after AS MATERIALIZED (
    -- these hours as the upload sent them
    SELECT page.restaurant_id, page.date, page.number, h.*
    FROM page
    JOIN uploads AS u ON u.restaurant_id = page.restaurant_id AND u.date = page.date
      AND u.number = page.number
    CROSS JOIN LATERAL upload_hours(u.records) AS h
    WHERE place <= $4 AND page.hours >> h.hour & 1 = 1
  ), sums AS (
    -- what they add up to; it is known if that of each hour is
    SELECT restaurant_id, date, number, count(before.hour) = count(*) AS is_known, ${SUMS}
    FROM after
    LEFT JOIN before USING (restaurant_id, date, number, hour)
    GROUP BY restaurant_id, date, number
  ), change AS (
    -- all that is said of an upload
    SELECT concat_ws('-', restaurant_id, to_char(date, 'YYYY-MM-DD'), number) AS id, restaurant_id,
      restaurants.name, date, to_char(page.uploaded_at AT TIME ZONE 'UTC', ${TIMESTAMP}) AS uploaded_at,
      username, source,
      ARRAY(SELECT hour FROM generate_series(0, ${HOURS_PER_DAY - 1}) AS hour WHERE hours >> hour & 1 = 1) AS hours,
      CASE WHEN is_known THEN trim_scale(gto_before) END AS gto_before,
      trim_scale(gto_after) AS gto_after,
      coalesce((
        SELECT json_agg(json_build_object('name', field, 'after', trim_scale(after),
          'before', CASE WHEN is_known THEN trim_scale(before) END) ORDER BY position)
        FROM (VALUES ${CHANGED_FIELDS}) AS of_field (position, field, is_changed, before, after)
        WHERE is_changed
      ), '[]') AS fields
    FROM page
    JOIN sums USING (restaurant_id, date, number)
    JOIN uploads AS u USING (restaurant_id, date, number)
    JOIN restaurants ON restaurants.id = restaurant_id
    JOIN users ON users.id = user_id
    ORDER BY place
  )
  SELECT $2::date AS "from", $3::date AS "to", $8::date AS made_from, $9::date AS made_to,
    coalesce((SELECT json_agg(change) FROM change), '[]') AS changes,
    -- the last upload of the page, if there is one more
    (SELECT concat_ws('-', restaurant_id, to_char(date, 'YYYY-MM-DD'), number) FROM page
      WHERE place = $4 AND EXISTS (SELECT FROM page WHERE place > $4)) AS next
) AS response`,
};
