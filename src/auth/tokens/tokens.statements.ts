/**
 * $1 jti, $2 user, $3 version of the password, $4 lifetime in seconds. No row: the account changed.
 * FOR SHARE orders this with `user disable` and `set-password`: whichever commits first is seen.
 */
export const INSERT_TOKEN = {
  name: 'insert_token',
  text: `
    INSERT INTO tokens (jti, user_id, issued_at, expires_at)
    SELECT $1, id, issued_at, issued_at + make_interval(secs => $4)
    FROM (
      SELECT id, date_trunc('second', now()) AS issued_at FROM users
      WHERE id = $2 AND password_version = $3 AND disabled_at IS NULL
      FOR SHARE
    ) AS account
    RETURNING extract(epoch FROM issued_at)::integer AS iat`,
};

export const FIND_LIVE_TOKENS = {
  name: 'find_live_tokens',
  text: `
    SELECT jti, user_id AS "userId" FROM tokens
    WHERE jti = ANY ($1::uuid[]) AND revoked_at IS NULL`,
};

/** Rows of expired tokens, which stay for five minutes because the clocks of instances differ. */
export const EXPIRED_TOKENS = {
  table: 'tokens',
  key: 'jti',
  where: `expires_at < now() - interval '5 minutes'`,
};
