/** $1 users with their restaurants, as JSON. */
export const IMPORT_USERS = `
    WITH sent AS (
      SELECT * FROM json_to_recordset($1) AS sent (
        username text, password_hash text, all_restaurants boolean, restaurant_ids integer[],
        kind text)
    ), added AS (
      -- a person has to change a password that others know
      INSERT INTO users (username, password_hash, all_restaurants, kind, password_must_change)
      SELECT username, password_hash, all_restaurants, kind, kind = 'person' FROM sent
      RETURNING id, username
    )
    INSERT INTO restaurant_grants (user_id, restaurant_id)
    SELECT id, unnest(restaurant_ids) FROM added JOIN sent USING (username)`;
