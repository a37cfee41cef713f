/** Restaurants with their closures by date; joined rows would cost ten times as much as JSON. */
const SELECT = `
  SELECT r.id, r.name, r.first_day::text AS "firstDay", r.weekly_hours AS "weeklyHours",
    r.created_at AS "createdAt", (
      SELECT coalesce(json_agg(json_build_object('firstDay', c.first_day,
        'lastDay', c.last_day, 'reason', c.reason) ORDER BY c.first_day), '[]')
      FROM restaurant_closures AS c
      WHERE c.restaurant_id = r.id) AS closures
  FROM restaurants AS r`;

/** Whether the user $1 may upload for a restaurant `r`. */
const VISIBLE = `((SELECT all_restaurants FROM users WHERE id = $1) OR EXISTS (
  SELECT FROM restaurant_grants AS g WHERE g.user_id = $1 AND g.restaurant_id = r.id))`;

/** The name of a restaurant `r` in lower case and without accents, after a blank. */
const PLAIN_NAME = String.raw`' ' || regexp_replace(normalize(lower(r.name), NFD), '[\u0300-\u036f]', '', 'g')`;

/** $1: ids, or null for all. */
export const READ_RESTAURANTS = `${SELECT} WHERE $1::integer[] IS NULL OR r.id = ANY($1) ORDER BY r.id`;

/** $1: ids, or null for all. */
export const LOCK_RESTAURANTS = `
  SELECT FROM restaurants WHERE $1::integer[] IS NULL OR id = ANY($1) ORDER BY id FOR UPDATE`;

/** $1: user, $2: ids, or null for all. */
export const READ_VISIBLE = `
  ${SELECT} WHERE ${VISIBLE} AND ($2::integer[] IS NULL OR r.id = ANY($2)) ORDER BY r.id`;

/**
 * $1: user, $2: id after which the page begins, $3: text that a name contains, $4: words that it
 * has, one of which may be the id instead, $5: limit.
 */
export const READ_VISIBLE_PAGE = `
  ${SELECT} WHERE ${VISIBLE} AND r.id > $2 AND (position($3::text IN ${PLAIN_NAME}) > 0 OR (
    SELECT bool_and(word = r.id::text OR position(' ' || word IN ${PLAIN_NAME}) > 0)
    FROM unnest($4::text[]) AS word))
  ORDER BY r.id LIMIT $5`;

/** $1: user. */
export const COUNT_VISIBLE = `SELECT count(*)::integer AS count FROM restaurants AS r WHERE ${VISIBLE}`;

/** $1: restaurants, whose names others have too. */
export const SHARED_NAMES = `
  SELECT name, string_agg(id::text, ', ' ORDER BY id) AS same FROM restaurants
  GROUP BY name HAVING count(*) > 1 AND bool_or(id = ANY($1)) ORDER BY min(id)`;
