import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { clientAddress } from './client-address.js';

/** Hands a handler the client's address, as far as trusted proxies tell it. */
export const ClientAddress = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  return clientAddress(context.switchToHttp().getRequest<Request>());
});
