import type { CanActivate, ExecutionContext, Type } from '@nestjs/common';
import type { Request } from 'express';
import { assertValid } from './validation.pipe.js';

/**
 * Checks the body against a DTO before the guards that follow it on the route use the body: guards run before pipes,
 * and passport-local would answer a missing field with 401. A route without such guards needs only `@Body()`.
 */
export function ValidBody(Dto: Type): CanActivate {
  return {
    canActivate(context: ExecutionContext): boolean {
      assertValid(Dto, context.switchToHttp().getRequest<Request>().body);
      return true;
    },
  };
}
