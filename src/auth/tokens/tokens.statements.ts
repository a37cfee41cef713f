/**
 * $1 jti, $2 user, $3 version of the password, $4 lifetime in seconds. No row: the account changed.
 * FOR SHARE orders this with `user disable` and `set-password`: whichever commits first is seen.
 */
export const INSERT_TOKEN = {
  name: 'insert_token',
  text: `
    INSERT INTO tokens (jti, user_id, issued_at, expires_at)
    SELECT $1, id, date_trunc('second', now()),
      date_trunc('second', now()) + make_interval(secs => $4)
    FROM users WHERE id = $2 AND password_version = $3 AND disabled_at IS NULL FOR SHARE
    RETURNING extract(epoch FROM issued_at)::integer AS iat,
      extract(epoch FROM expires_at)::integer AS exp`,
};

/** $1 jti, $2 user. No row: the token was revoked, or never issued to the user. */
export const FIND_LIVE_TOKEN = {
  name: 'find_live_token',
  text: 'SELECT true FROM tokens WHERE jti = $1 AND user_id = $2 AND revoked_at IS NULL',
};
