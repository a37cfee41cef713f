/** $1 username, $2 since when, $3 limit. Users are recorded by number, administrators by name. */
export const LIST_EVENTS = `
  SELECT at, actor, users.username, action, subject, client_address, outcome, details
  FROM audit_log
  LEFT JOIN users ON actor = 'user:' || users.id
  -- what the user did, and what was done to it
  WHERE ($1::text IS NULL OR subject = $1
      OR actor = (SELECT 'user:' || id FROM users WHERE username = $1))
    AND ($2::timestamptz IS NULL OR at >= $2)
  ORDER BY at DESC, audit_log.id DESC
  LIMIT $3`;

/** $1 months, null to keep events. A lock outlives its failed logins, as it has its own row. */
export const OLD_EVENTS = {
  table: 'audit_log',
  key: 'at, id',
  where: `action = 'login' AND outcome IN ('failure', 'refused') AND at < now() - interval '1 month'
    OR at < now() - make_interval(months => $1)`,
};
