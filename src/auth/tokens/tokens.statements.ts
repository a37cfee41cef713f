/** $1 jti, $2 user. No row: the token was revoked, or never issued to the user. */
export const FIND_LIVE_TOKEN = {
  name: 'find_live_token',
  text: 'SELECT true FROM tokens WHERE jti = $1 AND user_id = $2 AND revoked_at IS NULL',
};
