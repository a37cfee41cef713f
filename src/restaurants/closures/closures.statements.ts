/** Takes days ($2 to $3) of a restaurant ($1) out of its closures; the rest keeps its reason. */
export const TAKE_OUT_DAYS = `
  WITH cut AS (
    DELETE FROM restaurant_closures
    WHERE restaurant_id = $1
      AND daterange(first_day, last_day, '[]') && daterange($2::date, $3::date, '[]')
    RETURNING reason, datemultirange(daterange(first_day, last_day, '[]'))
      - datemultirange(daterange($2::date, $3::date, '[]')) AS left_over
  )
  INSERT INTO restaurant_closures (restaurant_id, first_day, last_day, reason)
  SELECT $1, lower(range), upper(range) - 1, reason FROM cut, unnest(left_over) AS range`;
