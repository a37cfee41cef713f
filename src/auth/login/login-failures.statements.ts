/** Selects the seconds until the last lock on these keys ends; null if there is none. */
const lockedSeconds = (keys: string): string => `(
  SELECT max(ceil(extract(epoch FROM ends_at - now())))::integer FROM login_counters
  WHERE key = ANY (${keys}) AND locked AND ends_at > now())`;

/** Goes back one day more, as last_login_at is written once a day. */
const daysAgo = (days: string): string => `now() - make_interval(days => ${days} + 1)`;

/** $1 username, $2 its key if nobody has it, $3 network, $4 days of a known address. One row. */
export const FIND_LOGIN = {
  name: 'find_login',
  text: `
    SELECT u.id AS "userId", u.password_hash AS "passwordHash",
      u.password_version AS "passwordVersion", u.disabled_at IS NOT NULL AS disabled,
      account_key AS "accountKey", is_known AS "isKnown",
      -- failures elsewhere lock nobody out of a known address
      ${lockedSeconds(`ARRAY[account_key || ' ' || $3, $3, CASE WHEN NOT is_known THEN account_key END]`)}
        AS "lockedSeconds"
    -- one row, whether or not a user has the name
    FROM (SELECT $1::text AS name) AS sent
    LEFT JOIN users AS u ON u.username = sent.name
    -- the key of the account's counters, and whether the user logged in from the address before
    CROSS JOIN LATERAL (
      SELECT coalesce('user:' || u.id, $2) AS account_key,
        (SELECT last_login_at > ${daysAgo('$4')} FROM known_addresses
         WHERE user_id = u.id AND network = $3) IS TRUE AS is_known
    ) AS account`,
};

/**
 * $1 key, $2 failures without a lock, $3 seconds of a window, $4 seconds of a lock.
 * PostgreSQL orders failures of one moment, so exactly $2 pass. A locked counter returns no row.
 */
export const COUNT_FAILURE = {
  name: 'count_login_failure',
  text: `
    -- A first failure begins a window, or a lock if none is allowed.
    INSERT INTO login_counters AS c (key, failures, locked, ends_at)
    VALUES ($1, 1, $2::integer < 1,
      now() + make_interval(secs => CASE WHEN $2 < 1 THEN $4::integer ELSE $3::integer END))
    -- A further one is counted; one more than allowed begins a lock.
    ON CONFLICT (key) DO UPDATE SET (failures, locked, ends_at) = (
      SELECT n.failures, n.failures > $2,
        CASE WHEN n.failures > $2 THEN now() + make_interval(secs => $4)
             WHEN n.failures = 1 THEN excluded.ends_at -- the window before has ended
             ELSE c.ends_at END
      FROM (SELECT CASE WHEN c.ends_at <= now() THEN 1 ELSE c.failures + 1 END AS failures) AS n
    )
    WHERE NOT c.locked OR c.ends_at <= now() -- a lock is not extended
    RETURNING failures, locked`,
};

/** $1 key. */
export const TAKE_BACK_FAILURE = {
  name: 'take_back_login_failure',
  text: 'UPDATE login_counters SET failures = failures - 1 WHERE key = $1 AND NOT locked AND failures > 0',
};

/** $1 key of the pair, $2 keys whose lock forbids it, $3 user, $4 network. Seconds of a lock. */
export const SUCCEED = {
  name: 'succeed_login',
  text: `
    -- the lock that failures elsewhere may have caused since the attempt began
    WITH lock AS MATERIALIZED (
      SELECT ${lockedSeconds('$2::text[]')} AS seconds
    ),
    -- Without a lock, the counter of the pair is cleared.
    cleared AS (
      DELETE FROM login_counters USING lock WHERE key = $1 AND seconds IS NULL
    ),
    -- Without a lock, the address is remembered.
    known AS (
      INSERT INTO known_addresses AS k (user_id, network, last_login_at)
      SELECT $3, $4, now() FROM lock WHERE seconds IS NULL
      ON CONFLICT (user_id, network) DO UPDATE SET last_login_at = now()
        WHERE k.last_login_at < now() - interval '1 day' -- written once a day
    )
    SELECT seconds FROM lock`,
};

/** $1 account key, $2 user. Removes the locks of the addresses known for the user as well. */
export const UNLOCK = {
  name: 'unlock_login',
  text: `
    DELETE FROM login_counters
    WHERE key = $1 OR starts_with(key, $1 || ' ')
      OR key IN (SELECT network FROM known_addresses WHERE user_id = $2)`,
};

/** $1 user. */
export const FORGET_ADDRESSES = {
  name: 'forget_login_addresses',
  text: 'DELETE FROM known_addresses WHERE user_id = $1',
};

export const EXPIRED_COUNTERS = { table: 'login_counters', key: 'key', where: 'ends_at < now()' };

/** $1 days. */
export const OLD_ADDRESSES = {
  table: 'known_addresses',
  key: 'user_id, network',
  where: `last_login_at < ${daysAgo('$1')}`,
};
