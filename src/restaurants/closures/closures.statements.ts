const DAYS = `daterange(c.first_day, c.last_day, '[]')`;

/** Takes the days of the CTE `taken` out of closures; what is left of them stays with its reason. */
const TAKE_OUT = `
  cut AS (
    DELETE FROM restaurant_closures AS c USING taken
    WHERE c.restaurant_id = taken.restaurant_id AND ${DAYS} && days
    RETURNING c.restaurant_id, c.reason, datemultirange(${DAYS}) - datemultirange(days) AS left_over
  ), kept AS (
    INSERT INTO restaurant_closures (restaurant_id, first_day, last_day, reason)
    SELECT restaurant_id, lower(range), upper(range) - 1, reason FROM cut, unnest(left_over) AS range
  )
  SELECT restaurant_id AS id FROM taken`;

/**
 * $1: restaurants, $2, $3: first and last day, $4: reason. Returns the closures that have all of
 * these days already, but not one of exactly these days that has another reason.
 */
export const COVERING_CLOSURES = `
  SELECT restaurant_id AS id, first_day::text AS "firstDay", last_day::text AS "lastDay", reason
  FROM restaurant_closures AS c
  WHERE restaurant_id = ANY($1) AND ${DAYS} @> daterange($2::date, $3::date, '[]')
    AND (${DAYS} <> daterange($2::date, $3::date, '[]') OR coalesce($4::text, reason) IS NOT DISTINCT FROM reason)`;

/** $1: restaurants, $2, $3: first and last day that other closures lose. */
export const TAKE_OUT_DAYS = `
  WITH taken AS (
    SELECT unnest($1::integer[]) AS restaurant_id, daterange($2::date, $3::date, '[]') AS days
  ), ${TAKE_OUT}`;

/**
 * $1: restaurants, $2, $3: first and last day to open. If $3 is null, the last is that of the
 * closed days in a row that has $2. Returns the restaurants that were closed on any of them.
 */
export const REOPEN_DAYS = `
  WITH closed AS (
    SELECT restaurant_id, range_agg(${DAYS}) AS days
    FROM restaurant_closures AS c
    WHERE restaurant_id = ANY($1)
    GROUP BY restaurant_id
  ), taken AS (
    SELECT restaurant_id, daterange($2::date, coalesce($3::date, upper(in_a_row) - 1), '[]') AS days
    FROM closed
    LEFT JOIN LATERAL unnest(days) AS in_a_row ON in_a_row @> $2::date
    WHERE days && daterange($2::date, coalesce($3::date, $2::date), '[]')
  ), ${TAKE_OUT}`;

/** $1: restaurants, $2, $3: first and last day, $4: reason. */
export const ADD_CLOSURES = `
  INSERT INTO restaurant_closures (restaurant_id, first_day, last_day, reason)
  SELECT unnest($1::integer[]), $2::date, $3::date, $4::text`;
