import { HOURS_PER_DAY } from '../../calendar/hour-set.js';
import { TIMESTAMP } from '../reports/reports.statements.js';

/**
 * $1: restaurants, $2, $3: first and last date, $4: limit, $5, $6, $7: restaurant, date and number
 * of the upload after which the page begins, or nulls. It is planned for its values each time.
 */
export const READ_CHANGES = {
  text: `
SELECT row_to_json(response)::text AS json
FROM (
  WITH replacing AS (
    -- the uploads of the range that may have replaced figures, found by an index of them alone
    SELECT restaurant_id, date, number, uploaded_at, user_id, source, replaced_hours
    FROM uploads
    WHERE restaurant_id = ANY($1::integer[]) AND date BETWEEN $2::date AND $3::date
      AND number > 1 AND replaced_hours IS DISTINCT FROM 0
  ), correction AS (
    -- these uploads with the hours that they replaced
    SELECT restaurant_id, date, number, uploaded_at, user_id, source, replaced_hours AS hours
    FROM replacing
    WHERE replaced_hours IS NOT NULL
    UNION ALL
    -- where the ledger does not say it, as in rows of earlier releases, it is the hours that
    -- earlier uploads had changed
    SELECT restaurant_id, date, number, uploaded_at, user_id, source, hours
    FROM (
      SELECT restaurant_id, date, number, uploaded_at, user_id, source, replaced_hours,
        changed_hours & bit_or(changed_hours) OVER (
          PARTITION BY restaurant_id, date ORDER BY number
          ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) AS hours
      FROM uploads
      JOIN (SELECT DISTINCT restaurant_id, date FROM replacing WHERE replaced_hours IS NULL) AS day
        USING (restaurant_id, date)
    ) AS of_day
    WHERE replaced_hours IS NULL
  ), page AS MATERIALIZED (
    -- one upload more than the page has shows that another page follows
    SELECT *, row_number() OVER (
      ORDER BY uploaded_at DESC, restaurant_id DESC, date DESC, number DESC
    ) AS place
    FROM correction
    WHERE hours <> 0 AND ($5::integer IS NULL OR (uploaded_at, restaurant_id, date, number) < (
      (
        SELECT uploaded_at FROM uploads
        WHERE restaurant_id = ANY($1) AND restaurant_id = $5 AND date = $6 AND number = $7
      ), $5, $6::date, $7::integer))
    ORDER BY place
    LIMIT $4 + 1
  ), replaced AS MATERIALIZED (
    -- the replaced hours of each upload, by the upload that had written them: the one before it
    -- among those of the day that changed the hour
    SELECT restaurant_id, date, number, before, bit_or(1 << hour) AS hours
    FROM (
      SELECT restaurant_id, date, number, of_page, hour,
        lag(number) OVER (PARTITION BY restaurant_id, date, hour ORDER BY number) AS before
      FROM uploads
      JOIN (
        SELECT restaurant_id, date, array_agg(number) AS of_page, max(number) AS latest
        FROM page
        WHERE place <= $4
        GROUP BY restaurant_id, date
      ) AS day USING (restaurant_id, date)
      JOIN generate_series(0, ${HOURS_PER_DAY - 1}) AS hour ON changed_hours >> hour & 1 = 1
      WHERE number <= latest
    ) AS written
    WHERE before IS NOT NULL AND number = ANY(of_page)
    GROUP BY restaurant_id, date, number, before
  ), turnover AS MATERIALIZED (
    -- the turnover of these hours, as it was before and as the upload sent it
    SELECT r.restaurant_id, r.date, r.number, sum(before.gto) AS gto_before, sum(after.gto) AS gto_after
    FROM replaced AS r
    JOIN uploads AS e ON e.restaurant_id = r.restaurant_id AND e.date = r.date AND e.number = r.before
    JOIN uploads AS u ON u.restaurant_id = r.restaurant_id AND u.date = r.date AND u.number = r.number
    CROSS JOIN LATERAL (
      SELECT sum(gto) AS gto FROM upload_hours(e.records) WHERE r.hours >> hour & 1 = 1
    ) AS before
    CROSS JOIN LATERAL (
      SELECT sum(gto) AS gto FROM upload_hours(u.records) WHERE r.hours >> hour & 1 = 1
    ) AS after
    GROUP BY r.restaurant_id, r.date, r.number
  ), change AS (
    -- all that is said of an upload
    SELECT concat_ws('-', restaurant_id, to_char(date, 'YYYY-MM-DD'), number) AS id, restaurant_id,
      restaurants.name, date, to_char(uploaded_at AT TIME ZONE 'UTC', ${TIMESTAMP}) AS uploaded_at,
      username, source,
      ARRAY(SELECT hour FROM generate_series(0, ${HOURS_PER_DAY - 1}) AS hour WHERE hours >> hour & 1 = 1) AS hours,
      trim_scale(gto_before) AS gto_before, trim_scale(gto_after) AS gto_after
    FROM page
    JOIN turnover USING (restaurant_id, date, number)
    JOIN restaurants ON restaurants.id = restaurant_id
    JOIN users ON users.id = user_id
    ORDER BY place
  )
  SELECT $2::date AS "from", $3::date AS "to",
    coalesce((SELECT json_agg(change) FROM change), '[]') AS changes,
    -- the last upload of the page, if there is one more
    (SELECT concat_ws('-', restaurant_id, to_char(date, 'YYYY-MM-DD'), number) FROM page
      WHERE place = $4 AND EXISTS (SELECT FROM page WHERE place > $4)) AS next
) AS response`,
};
