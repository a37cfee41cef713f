import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { bareAddress } from '../../config/trusted-proxies.js';

/** Returns the address that trusted proxies report, or `unknown`. */
export function clientAddress(request: Request): string {
  return bareAddress(request.ip ?? '') ?? 'unknown';
}

export const ClientAddress = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  return clientAddress(context.switchToHttp().getRequest<Request>());
});
