import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { TokenInvalid } from './auth.errors.js';

/** The caller of one authenticated request, and the token that was presented. */
export class Principal {
  private confirmed = false;

  constructor(
    readonly userId: number,
    /** The token's `jti`. */
    readonly tokenId: string,
  ) {}

  /** Whether the database has confirmed during this request that the token is not revoked. */
  get isConfirmed(): boolean {
    return this.confirmed;
  }

  /** Records what the database says about the token. Throws `TokenInvalid` unless it is live. */
  confirm(live: boolean | null): void {
    if (live !== true) throw new TokenInvalid();
    this.confirmed = true;
  }
}

/** The `Principal` that the token guard admitted; on the login route, the `LoginAttempt` whose password was right. */
export const CurrentUser = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  return context.switchToHttp().getRequest<Request>().user;
});
