import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { assertValid } from './request-validation.pipe.js';
import type { DtoClass } from './dto-class.js';

/** What `ValidBody` puts on a route. */
export class BodyGuard implements CanActivate {
  constructor(readonly Dto: DtoClass) {}

  canActivate(context: ExecutionContext): boolean {
    assertValid(this.Dto, context.switchToHttp().getRequest<Request>().body);
    return true;
  }
}

/**
 * Checks the body against a DTO before the guards that follow it on the route use the body: guards run before pipes,
 * and passport-local would answer a missing field with 401. A route without such guards needs only `@Body()`.
 */
export function ValidBody(Dto: DtoClass): CanActivate {
  return new BodyGuard(Dto);
}
