import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { fieldsOf, type DtoClass } from './field-rule.js';
import { validate } from './request-validation.pipe.js';

/** Drops unknown fields: waiting requests stay small. */
export class BodyGuard implements CanActivate {
  private readonly fields: readonly string[];

  constructor(readonly Dto: DtoClass) {
    this.fields = [...new Set(fieldsOf(Dto).map(({ name }) => name))];
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const valid = (await validate(this.Dto, request.body, 'body')) as object;
    request.body = Object.fromEntries(this.fields.map((field) => [field, Reflect.get(valid, field)]));
    return true;
  }
}

/** Validates the body before the route's other guards: passport-local would reject a missing field with 401. */
export function ValidBody(Dto: DtoClass): CanActivate {
  return new BodyGuard(Dto);
}
