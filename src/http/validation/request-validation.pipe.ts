import {
  Injectable,
  ValidationPipe,
  type ArgumentMetadata,
  type CanActivate,
  type ExecutionContext,
  type PipeTransform,
  type ValidationError,
} from '@nestjs/common';
import type { Request } from 'express';
import { InvalidRequest } from '../errors/http.errors.js';
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

/** Reports errors under paths (`records[3].hour`); class-validator's texts have only the property, or `listName`. */
export function reportErrors(found: readonly ValidationError[], errors: FieldErrors, parent = '', listName = ''): void {
  for (const { target, property, value, constraints = {}, children = [] } of found) {
    const isEntry = Array.isArray(target) || target instanceof Set;
    const path = isEntry ? `${parent}[${property}]` : [parent, property].filter(Boolean).join('.');
    const name = isEntry ? listName : property;
    const rule = isEntry ? undefined : ruleOf(target, property);
    if (rule && rule.definition.name in constraints) rule.report(path, value, errors);
    if (rule && !rule.definition.passes(value)) continue;
    for (const [constraint, text] of Object.entries(constraints)) {
      if (constraint !== rule?.definition.name)
        errors.add({ path, code: 'invalid', text: () => withPath(text, name, path) });
    }
    reportErrors(children, errors, path, name);
  }
}

function ruleOf(target: object | undefined, property: string) {
  return fieldsOf(target?.constructor as DtoClass).find(({ name }) => name === property)?.rule;
}

function withPath(text: string, name: string, path: string): string {
  if (text.startsWith(`${name} `)) return path + text.slice(name.length);
  if (text.includes(` ${name} `)) return text.replace(` ${name} `, () => ` ${path} `);
  return `${path}: ${text}`;
}
