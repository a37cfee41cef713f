import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { TokenInvalid } from './auth.errors.js';

/** The caller of an authenticated request. */
export class Principal {
  private confirmed = false;

  constructor(
    readonly userId: number,
    readonly tokenId: string,
  ) {}

  /** Whether the token was found live during this request. */
  get isConfirmed(): boolean {
    return this.confirmed;
  }

  confirm(live: boolean | null): void {
    if (live !== true) throw new TokenInvalid();
    this.confirmed = true;
  }
}

/** The `Principal`; on the login route, the `LoginAttempt`. */
export const CurrentUser = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  return context.switchToHttp().getRequest<Request>().user;
});
