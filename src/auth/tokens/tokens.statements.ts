/** $1 jti, $2 user. No row: the token was revoked, or never issued to the user. */
export const FIND_LIVE_TOKEN = {
  name: 'find_live_token',
  text: 'SELECT true FROM tokens WHERE jti = $1 AND user_id = $2 AND revoked_at IS NULL',
};

/**
 * $1 user, $2 version of the password, $3 seconds of validity, $4 action for the audit log, $5
 * client address, $6 details for the audit log, $7 whether the company's provider has signed the
 * user in, $8 whether a second factor is required. No row: the account was disabled or got another
 * password meanwhile. The lock orders this with such changes.
 */
export const ISSUE_TOKEN = {
  name: 'issue_token',
  text: `
    WITH account AS (
      SELECT id, kind, all_restaurants, password_must_change FROM users
      WHERE id = $1 AND password_version = $2 AND disabled_at IS NULL FOR SHARE
    ), issued AS (
      INSERT INTO tokens (jti, user_id, issued_at, expires_at, client_address)
      SELECT gen_random_uuid(), id, issued, issued + make_interval(secs => $3), $5
      FROM account, date_trunc('second', now()) AS issued
      RETURNING jti, user_id, issued_at, expires_at
    ), recorded AS (
      INSERT INTO audit_log (actor, action, client_address, outcome, details)
      SELECT 'user:' || user_id, $4, $5, 'success', $6::jsonb || jsonb_build_object('token_id', jti)
      FROM issued
    )
    SELECT jti, extract(epoch FROM issued_at)::integer AS iat,
      extract(epoch FROM expires_at)::integer AS exp,
      -- what a person signed in with a password has to do before anything else
      CASE WHEN kind = 'till' OR $7 THEN NULL
        WHEN password_must_change THEN 'password_must_change'
        WHEN $8 AND all_restaurants AND (SELECT confirmed_at FROM second_factors WHERE user_id = id) IS NULL
          THEN 'second_factor_required'
      END AS restricted
    FROM issued CROSS JOIN account`,
};
