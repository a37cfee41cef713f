/** Who makes an authenticated request, and with which token. */
export interface Principal {
  readonly userId: number;
  /** The token's `jti`. */
  readonly tokenId: string;
}
