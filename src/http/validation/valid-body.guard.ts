import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { DtoClass } from './field-rule.js';
import { validate } from './request-validation.pipe.js';

/** The guard that `ValidBody` makes. */
export class BodyGuard implements CanActivate {
  constructor(readonly Dto: DtoClass) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    await validate(this.Dto, context.switchToHttp().getRequest<Request>().body, 'body');
    return true;
  }
}

/**
 * Validates the body before the guards that follow it on the route, because guards run before pipes: passport-local
 * would reject a missing field with 401. Routes without such guards use `@Body()` alone.
 */
export function ValidBody(Dto: DtoClass): CanActivate {
  return new BodyGuard(Dto);
}
