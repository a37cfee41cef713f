import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { DtoClass } from './field-rule.js';
import { validate } from './request-validation.pipe.js';

/** Validates the body before the route's other guards: passport-local would reject a missing field with 401. */
export class ValidBodyGuard implements CanActivate {
  constructor(readonly Dto: DtoClass) {}

  /** Without its unknown fields, a waiting request stays small. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    request.body = await validate(this.Dto, request.body, 'body');
    return true;
  }
}
