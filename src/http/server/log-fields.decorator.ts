import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { LogFields, Tracking } from './tracked-response.js';

/** What the handler may add to the log line of its request: `line.restaurant = 101`. */
export const RequestLogFields = createParamDecorator((_data: unknown, context: ExecutionContext): LogFields => {
  return context.switchToHttp().getResponse<Tracking>().logFields;
});
