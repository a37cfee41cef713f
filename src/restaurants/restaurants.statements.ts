/** The closures of a restaurant `r` by date, as JSON; joined rows would cost ten times as much. */
export const CLOSURES = `(
  SELECT coalesce(json_agg(json_build_object(
    'firstDay', c.first_day, 'lastDay', c.last_day, 'reason', c.reason) ORDER BY c.first_day), '[]')
  FROM restaurant_closures AS c
  WHERE c.restaurant_id = r.id)`;
