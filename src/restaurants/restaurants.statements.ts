/** The closures of a restaurant `r` by date, as JSON; joined rows would cost ten times as much. */
export const CLOSURES = `(
  SELECT coalesce(json_agg(json_build_object(
    'firstDay', c.first_day, 'lastDay', c.last_day, 'reason', c.reason) ORDER BY c.first_day), '[]')
  FROM restaurant_closures AS c
  WHERE c.restaurant_id = r.id)`;

/** $1: restaurants with all that can be changed of them, as JSON. */
export const CHANGE_RESTAURANTS = `
  UPDATE restaurants AS r
  SET name = changed.name, first_day = changed."firstDay", weekly_hours = changed."weeklyHours"
  FROM json_to_recordset($1) AS changed (
    id integer, name text, "firstDay" date, "weeklyHours" integer[])
  WHERE changed.id = r.id`;
