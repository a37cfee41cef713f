import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { withNumbers } from './fields.decorator.js';
import { InvalidRequest } from '../errors/http.errors.js';
import { TooManyEntries } from '../errors/too-large.errors.js';
import { compileValidator, type Validator } from './compile-validator.js';
import { hasRules, type DtoClass } from './dto-class.js';

const validators = new Map<DtoClass, Validator>();

/** Refuses bodies and queries that are not what the handler's DTO class asks for, and hands on the others unchanged. */
@Injectable()
export class RequestValidationPipe implements PipeTransform<unknown, unknown> {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type === 'custom' || !hasRules(metatype)) return value;
    const given = value === undefined && isValid(metatype, {}) ? {} : value; // a body may be left out if its fields may
    assertValid(metatype, given, type);
    return type === 'body' ? given : withNumbers(metatype, given);
  }
}

/** Throws `InvalidRequest` or `TooManyEntries` where a value is not what a DTO class asks for. */
export function assertValid(Dto: DtoClass, value: unknown, what = 'body'): asserts value is object {
  if (value === undefined) throw new InvalidRequest(`the ${what} is missing: send a JSON object`);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidRequest(`the ${what} must be a JSON object`);
  }
  const faults = validatorOf(Dto)(value);
  if (faults?.refusal) throw new TooManyEntries(faults.refusal.text);
  if (faults) throw new InvalidRequest(faults.text);
}

/** The compiled rules of a DTO class; made at the first call, which is meant to be while the service starts. */
export function validatorOf(Dto: DtoClass): Validator {
  const known = validators.get(Dto);
  if (known) return known;
  const compiled = compileValidator(Dto);
  validators.set(Dto, compiled);
  return compiled;
}

function isValid(Dto: DtoClass, value: object): boolean {
  return validatorOf(Dto)(value) === undefined;
}
