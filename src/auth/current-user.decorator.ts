import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** Who makes an authenticated request, and with which token. */
export interface Principal {
  readonly userId: number;
  /** The token's `jti`. */
  readonly tokenId: string;
}

/** What the route's guard found out about the caller: a `Principal`, or the `LoginAttempt` of a login that was right. */
export const CurrentUser = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  return context.switchToHttp().getRequest<Request>().user;
});
