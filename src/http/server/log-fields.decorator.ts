import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { LogFields, Tracking } from './tracked-response.js';

/** Gives a handler the fields to add to the log line of its request: `fields.target = 101`. */
export const RequestLogFields = createParamDecorator((_data: unknown, context: ExecutionContext): LogFields => {
  return context.switchToHttp().getResponse<Tracking>().logFields;
});
