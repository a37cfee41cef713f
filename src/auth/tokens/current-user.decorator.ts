import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** The caller of an authenticated request. */
export interface Principal {
  readonly userId: number;
  readonly tokenId: string;
  /** The address that trusted proxies report, or `unknown`. */
  readonly clientAddress: string;
}

/** The `Principal` that `JwtAuthGuard` has found. */
export const CurrentUser = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  return context.switchToHttp().getRequest<Request>().user;
});
