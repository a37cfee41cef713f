import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { normalizeIp } from '@nestjs/throttler';
import type { Request } from 'express';
import { bareAddress } from '../../config/trusted-proxies.js';

/** Returns the address that trusted proxies report, or `unknown`. */
export function clientAddress(request: Request): string {
  return bareAddress(request.ip ?? '') ?? 'unknown';
}

/** Returns an IPv4 address or an IPv6 /64: what limits count as one client. */
export function clientNetwork(request: Request): string {
  return normalizeIp(clientAddress(request));
}

export const ClientAddress = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  return clientAddress(context.switchToHttp().getRequest<Request>());
});
