const MADE_IN_TIME = `uploaded_at >= coalesce($8::date::timestamp AT TIME ZONE $10, '-infinity')
      AND uploaded_at < coalesce(($9::date + 1)::timestamp AT TIME ZONE $10, 'infinity')`;

/**
 * $1: restaurants, $2, $3: first and last date, $4: limit, $5, $6, $7: restaurant, date and number
 * of the upload after which the page begins, $8, $9: first and last day, in the time zone $10, on
 * which the uploads came; each pair or triple may be null. It is planned for its values each time.
 */
export const FIND_CORRECTIONS = {
  text: `
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
)
SELECT restaurant_id AS "restaurantId", date::text, number, hours
FROM correction
WHERE hours <> 0 AND ${MADE_IN_TIME}
  AND ($5::integer IS NULL OR (uploaded_at, restaurant_id, date, number) < (
    (
      SELECT uploaded_at FROM uploads
      WHERE restaurant_id = ANY($1) AND restaurant_id = $5 AND date = $6 AND number = $7
    ), $5, $6::date, $7::integer))
ORDER BY uploaded_at DESC, restaurant_id DESC, correction.date DESC, number DESC
LIMIT $4`,
};
