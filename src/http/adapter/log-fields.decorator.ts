import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { LogFields, TrackedFields } from './tracked-response.js';

export const RequestLogFields = createParamDecorator(
  (_data: unknown, context: ExecutionContext): LogFields => {
    return context.switchToHttp().getResponse<TrackedFields>().logFields;
  },
);
