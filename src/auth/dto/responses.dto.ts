/** The answer to a login. */
export class LoginResponse {
  /** JWT access token, valid for 2 hours. */
  readonly access_token!: string;
  /** Always `Bearer`. */
  readonly token_type!: 'Bearer';
  /** The token's lifetime in seconds: 7200. */
  readonly expires_in!: number;
}

/** The answer to a revocation. */
export class RevokeResponse {
  /** How many tokens were taken back. */
  readonly revoked!: number;
}
