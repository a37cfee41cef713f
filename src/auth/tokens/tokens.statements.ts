/** $1 jti, $2 user. No row: the token was revoked, or never issued to the user. */
export const FIND_LIVE_TOKEN = {
  name: 'find_live_token',
  text: 'SELECT true FROM tokens WHERE jti = $1 AND user_id = $2 AND revoked_at IS NULL',
};

/**
 * $1 user, $2 version of the password that was compared, $3 seconds of validity, $4 action for the
 * audit log, $5 client address. No row: the account was disabled or got another password meanwhile.
 * The lock orders this with such changes.
 */
export const ISSUE_TOKEN = {
  name: 'issue_token',
  text: `
    WITH issued AS (
      INSERT INTO tokens (jti, user_id, issued_at, expires_at)
      SELECT gen_random_uuid(), id, issued, issued + make_interval(secs => $3)
      FROM users, date_trunc('second', now()) AS issued
      WHERE id = $1 AND password_version = $2 AND disabled_at IS NULL FOR SHARE OF users
      RETURNING jti, user_id, issued_at, expires_at
    ), recorded AS (
      INSERT INTO audit_log (actor, action, client_address, outcome, details)
      SELECT 'user:' || user_id, $4, $5, 'success', jsonb_build_object('token_id', jti) FROM issued
    )
    SELECT jti, extract(epoch FROM issued_at)::integer AS iat,
      extract(epoch FROM expires_at)::integer AS exp
    FROM issued`,
};
