/** Seconds for which an access token is valid. */
export const TOKEN_LIFETIME_SECONDS = 7200;
