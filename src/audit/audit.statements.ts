/** Number of events that one statement deletes, so that each takes little time. */
export const BATCH = 10_000;

/** The lock that they led to has a row of its own, which stays. */
export const FAILED_LOGINS = `action = 'login' AND outcome IN ('failure', 'refused')`;

/** $1 since when, $2 username, $3 limit. Users are recorded by number, administrators by name. */
export const LIST_EVENTS = `
  SELECT at, actor, users.username, action, subject, client_address, outcome, details
  FROM audit_log
  LEFT JOIN users ON users.id = substring(actor FROM '^user:(\\d+)$')::integer
  -- what the user did, and what was done to it
  CROSS JOIN (SELECT (SELECT 'user:' || id FROM users WHERE username = $2) AS key) AS account
  WHERE ($1::timestamptz IS NULL OR at >= $1)
    AND ($2::text IS NULL OR actor = account.key OR subject IN ($2, account.key))
  ORDER BY at DESC, audit_log.id DESC
  LIMIT $3`;

/** Selects a batch of the events that meet a condition and are older than `:months`. */
export const isOld = (condition: string): string => `(at, id) IN (
  SELECT at, id FROM audit_log WHERE at < now() - make_interval(months => :months) AND ${condition}
  ORDER BY at LIMIT ${BATCH})`;
