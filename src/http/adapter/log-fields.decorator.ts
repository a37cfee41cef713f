import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { LogFields, Tracking } from './tracked-response.js';

export const RequestLogFields = createParamDecorator(
  (_data: unknown, context: ExecutionContext): LogFields => {
    return context.switchToHttp().getResponse<Tracking>().logFields;
  },
);
