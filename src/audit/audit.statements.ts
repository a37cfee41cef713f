/** $1: username, $2: subject, $3: time, or null. Users are recorded by number as actors. */
export const LIST_EVENTS = `
  SELECT at, actor, username, action, subject, client_address, outcome, details
  FROM audit_log AS e
  LEFT JOIN users AS u ON e.actor = 'user:' || u.id
  WHERE ($1::text IS NULL OR subject = $1
      OR actor = (SELECT 'user:' || id FROM users WHERE username = $1))
    AND ($2::text IS NULL OR subject = $2)
    AND ($3::timestamptz IS NULL OR at >= $3)
  ORDER BY at DESC, e.id DESC`;
