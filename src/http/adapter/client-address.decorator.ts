import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { TrackedFields } from './tracked-response.js';

export const ClientAddress = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  return context.switchToHttp().getResponse<TrackedFields>().clientAddress;
});
