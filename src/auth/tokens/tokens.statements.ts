/** $1 jti, $2 user. No row: the token was revoked, or never issued to the user. */
export const FIND_LIVE_TOKEN = {
  name: 'find_live_token',
  text: 'SELECT true FROM tokens WHERE jti = $1 AND user_id = $2 AND revoked_at IS NULL',
};

/**
 * $1 user, $2 version of the password, $3 seconds of validity, $4 action for the audit log, $5
 * client address, $6 whether the company's provider has signed the user in, $7 whether a second
 * factor is required. No row: the account was disabled or got another password meanwhile. The lock
 * orders this with such changes. Of a till, nothing of the second half is read.
 */
export const ISSUE_TOKEN = {
  name: 'issue_token',
  text: `
    WITH account AS (
      SELECT *, 'user:' || id AS actor, kind = 'person' AS is_person FROM users
      WHERE id = $1 AND password_version = $2 AND disabled_at IS NULL FOR SHARE
    ), issued AS (
      INSERT INTO tokens (jti, user_id, issued_at, expires_at, client_address)
      SELECT gen_random_uuid(), id, issued, issued + make_interval(secs => $3), $5
      FROM account, date_trunc('second', now()) AS issued
      RETURNING jti, issued_at, expires_at
    ), recorded AS (
      INSERT INTO audit_log (actor, action, client_address, outcome, details)
      SELECT actor, $4, $5, 'success', jsonb_strip_nulls(jsonb_build_object('token_id', jti,
        'by', CASE WHEN $6 THEN 'company account' END))
      FROM issued, account
    )
    SELECT jti, extract(epoch FROM issued_at)::integer AS iat,
      extract(epoch FROM expires_at)::integer AS exp,
      -- what a person signed in with a password has to do before anything else
      CASE WHEN NOT is_person OR $6 THEN NULL
        WHEN password_must_change THEN 'password_must_change'
        WHEN $7 AND all_restaurants AND (SELECT confirmed_at FROM second_factors WHERE user_id = id) IS NULL
          THEN 'second_factor_required'
      END AS restricted,
      is_person AND $4 = 'login' AS "isTold", last.at AS last_login_at,
      last.client_address AS last_login_address, (
        SELECT count(*)::integer FROM audit_log WHERE is_person AND audit_log.actor = account.actor
          AND action = 'login' AND outcome = 'failure' AND at > coalesce(last.at, '-infinity')
      ) AS failed_since, password_changed_at
    FROM issued CROSS JOIN account LEFT JOIN LATERAL (
      SELECT at, client_address FROM audit_log WHERE is_person AND audit_log.actor = account.actor
        AND action = 'login' AND outcome = 'success'
      ORDER BY at DESC LIMIT 1
    ) AS last ON true`,
};
