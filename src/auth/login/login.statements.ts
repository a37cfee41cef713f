/**
 * Returns one row, whether or not a user has the name. $1 username, $2 the key of its counters if
 * nobody has it, $3 network of the client, $4 days that an address stays known, $5 a number of the
 * name, $6 the provider whose accounts log in without a password. A name that nobody has is
 * compared with a hash that matches no password, at the cost of the user that its number chooses:
 * costs differ after BCRYPT_COST was raised, and would tell names.
 */
export const FIND_LOGIN = {
  name: 'find_login',
  text: `
    SELECT u.id, u.username,
      CASE WHEN is_known THEN 'known' WHEN u.id IS NULL THEN 'stranger' ELSE 'user' END AS acquaintance,
      coalesce(u.password_hash, (
        SELECT left(password_hash, 7) || repeat('.', 53) FROM users
        WHERE id > $5::bigint % (SELECT max(id) FROM users) ORDER BY id LIMIT 1
      )) AS "passwordHash",
      u.password_version AS "passwordVersion", u.disabled_at IS NOT NULL AS disabled,
      -- scalar subqueries: EXISTS would read tables whole that were empty when analyzed
      CASE WHEN u.kind = 'person' THEN (
        SELECT confirmed_at IS NOT NULL FROM second_factors WHERE user_id = u.id
      ) END IS TRUE AS "hasSecondFactor",
      CASE WHEN u.kind = 'person' THEN (
        SELECT true FROM company_accounts WHERE user_id = u.id AND issuer = $6
      ) END IS TRUE AS "isPasswordless",
      account_key AS "accountKey", account_key || ' at ' || $3 AS "pairKey",
      account_key || ' code' AS "codeKey", (
        SELECT max(ceil(extract(epoch FROM ends_at - now())))::integer FROM login_counters
        -- at a known address only the user's own failures there lock it out: neither those at
        -- other addresses nor those of other users, such as guests of a restaurant's network
        WHERE key = ANY (CASE WHEN is_known THEN ARRAY[account_key || ' at ' || $3]
            ELSE ARRAY[account_key || ' at ' || $3, account_key, $3] END)
          AND locked AND ends_at > now()
      ) AS "lockedSeconds"
    FROM (SELECT $1::text AS name) AS sent
    LEFT JOIN users AS u ON u.username = sent.name
    -- the key of the account's counter, and whether the user logged in from the address before
    CROSS JOIN LATERAL (
      SELECT coalesce('user:' || u.id, $2) AS account_key,
        (SELECT last_login_at > now() - make_interval(days => $4) FROM known_addresses
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
    INSERT INTO login_counters AS c (key, failures, locked, ends_at)
    VALUES ($1, 1, false, now() + make_interval(secs => $3))
    ON CONFLICT (key) DO UPDATE SET
      failures = CASE WHEN c.ends_at <= now() THEN 1 ELSE c.failures + 1 END,
      -- one more than allowed begins a lock
      locked = c.ends_at > now() AND c.failures >= $2,
      ends_at = CASE WHEN c.ends_at <= now() THEN excluded.ends_at -- another window begins
        WHEN c.failures >= $2 THEN now() + make_interval(secs => $4)
        ELSE c.ends_at END
    WHERE NOT c.locked OR c.ends_at <= now() -- a lock is not extended
    RETURNING failures, locked`,
};

/** $1 key of the pair, $2 user, $3 network. Clears the counter and remembers the address. */
export const SUCCEED = {
  name: 'succeed_login',
  text: `
    WITH cleared AS (DELETE FROM login_counters WHERE key = $1)
    INSERT INTO known_addresses (user_id, network, last_login_at) VALUES ($2, $3, now())
    ON CONFLICT (user_id, network) DO UPDATE SET last_login_at = now()`,
};
