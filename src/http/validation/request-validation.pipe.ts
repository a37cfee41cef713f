import { Injectable, ValidationPipe, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { InvalidRequest } from '../errors/http.errors.js';
import { reportErrors } from './class-validator-errors.js';
import { compileDto } from './compile-dto.js';
import { FieldErrors } from './field-errors.js';
import { fieldsOf, hasRules, type DtoClass } from './field-rule.js';

/** class-transformer is recursive. */
const MAX_DEPTH = 32;

/** Validates compiled DTO classes directly, others with Nest's ValidationPipe. */
@Injectable()
export class RequestValidationPipe implements PipeTransform<unknown, unknown> {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    return type === 'custom' || !hasRules(metatype)
      ? value
      : validate(metatype, value === undefined ? {} : value, type);
  }
}

/** Returns what the handler receives, or a promise of it. */
export function validate(Dto: DtoClass, value: unknown, type: ArgumentMetadata['type']): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidRequest(`the ${type} must be a JSON object`);
  }
  const compiled = compileDto(Dto);
  if (!compiled) return validateWithNest(Dto, value, type);
  if (!compiled.passes(value)) {
    const errors = new FieldErrors();
    compiled.report('', value, errors);
    throw errors.toServiceError();
  }
  const fields = pickFields(Dto, value);
  return type === 'body' ? fields : parseFields(Dto, fields);
}

/** Leaves out unknown fields, so that a handler may store all that it gets. */
function pickFields(Dto: DtoClass, sent: object): object {
  const picked: Record<string, unknown> = {};
  for (const { name } of fieldsOf(Dto)) {
    if (Object.hasOwn(sent, name)) picked[name] = Reflect.get(sent, name);
  }
  return picked;
}

const nestPipe = new ValidationPipe({
  transform: true,
  whitelist: true,
  forbidUnknownValues: true,
  validationError: { target: true, value: true },
  exceptionFactory(found) {
    const errors = new FieldErrors();
    reportErrors(found, errors);
    return errors.toServiceError();
  },
});

async function validateWithNest(Dto: DtoClass, value: object, type: ArgumentMetadata['type']): Promise<object> {
  if (isDeeper(value, MAX_DEPTH)) throw new InvalidRequest(`the ${type} is nested too deeply`);
  const instance = (await nestPipe.transform(value, { type, metatype: Dto })) as object;
  return type === 'body' ? instance : parseFields(Dto, instance);
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}

function parseFields(Dto: DtoClass, values: object): object {
  for (const { name, rule } of fieldsOf(Dto)) {
    const value: unknown = Reflect.get(values, name);
    if (rule?.definition.parse && value !== undefined) Reflect.set(values, name, rule.definition.parse(value));
  }
  return values;
}
