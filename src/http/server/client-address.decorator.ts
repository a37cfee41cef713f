import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { bareAddress } from '../../config/trusted-proxies.js';

/** Returns the client's IP address as trusted proxies report it, or `unknown`. */
export function clientAddress(request: Request): string {
  return bareAddress(request.ip ?? '') ?? 'unknown';
}

/** Injects the client's address. */
export const ClientAddress = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  return clientAddress(context.switchToHttp().getRequest<Request>());
});
