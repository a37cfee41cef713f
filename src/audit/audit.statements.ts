/** $1 months, null to keep events. A lock outlives its failed logins, as it has its own row. */
export const OLD_EVENTS = {
  table: 'audit_log',
  key: 'at, id',
  where: `action = 'login' AND outcome IN ('failure', 'refused') AND at < now() - interval '1 month'
    OR at < now() - make_interval(months => $1)`,
};
