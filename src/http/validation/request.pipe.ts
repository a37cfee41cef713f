import type {
  ArgumentMetadata,
  Type,
  ValidationError,
  ValidationPipeOptions,
} from '@nestjs/common';
import { Injectable, Optional, ValidationPipe } from '@nestjs/common';
import { InvalidRequest } from '../errors/http.errors.js';
import type { Check } from './define-field.js';
import { type Fault, InvalidFields } from './fault.js';

/** Depth beyond which objects are rejected, as class-transformer is recursive. */
const MAX_DEPTH = 32;

/** Nest's ValidationPipe for every DTO, with the errors of the service. */
@Injectable()
export class RequestPipe extends ValidationPipe {
  /** The DTOs of which nothing is required: no upload pays for its query if it has none. */
  private readonly validIfEmpty = new Set<unknown>();

  constructor(@Optional() options?: ValidationPipeOptions) {
    super({
      ...options,
      whitelist: true,
      forbidUnknownValues: true,
      stopAtFirstError: true,
      transform: true,
      exceptionFactory: (errors) => new InvalidFields(faultsOf(errors)),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    // A pipe of the parameter comes next: Nest would make false of `flag=x` for its ParseBoolPipe.
    if (!this.toValidate(metadata)) return value;
    const { type, metatype } = metadata;
    const sent = objectOf(value, type);
    const isEmpty = Object.keys(sent).length === 0;
    if (isEmpty && this.validIfEmpty.has(metatype)) return new metatype!();
    if (isDeeper(sent, MAX_DEPTH)) throw new InvalidRequest(`the ${type} is nested too deeply`);
    const misnamed = type === 'query' ? misnamedIn(sent, metatype as Type<object>) : [];
    const dto: unknown = await super.transform(sent, metadata).catch((error: unknown) => {
      if (!(error instanceof InvalidFields)) throw error;
      const others = error.faults.filter(({ path }) => misnamed.every((its) => its.path !== path));
      throw new InvalidFields([...misnamed, ...others], prefixFor(value, type));
    });
    if (misnamed.length > 0) throw new InvalidFields(misnamed);
    if (isEmpty) this.validIfEmpty.add(metatype);
    return dto;
  }
}

const pipe = new RequestPipe();
/** Refuses fields that are not known, at any depth. */
export const STRICT = new RequestPipe({
  forbidNonWhitelisted: true,
  validationError: { target: true },
});

/** Validates what does not come as a request, such as the content of a file. */
export async function validateDto<Dto extends object>(
  metatype: Type<Dto>,
  value: unknown,
  by = pipe,
) {
  return (await by.transform(value, { type: 'body', metatype })) as Dto;
}

/** Returns what was sent as an object, which is empty if nothing was sent. */
export function objectOf(value: unknown = {}, type = 'body'): Record<string, unknown> {
  if (isObject(value)) return value;
  throw new InvalidRequest(`the ${type} must be a JSON object`);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns how the errors of a body begin. */
export function prefixFor(value: unknown, type = 'body'): string {
  return value === undefined && type === 'body' ? 'the body is empty: ' : '';
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}

/**
 * Returns what is wrong with the names of a query: one is repeated, and so has an array, or it is
 * that of a field but for case and punctuation, so that `dryRun=true` would save.
 */
function misnamedIn(query: Record<string, unknown>, Dto: Type<object>): Fault[] {
  const names = namesOf(new Dto());
  return Object.keys(query).flatMap((path) => {
    if (names.includes(path))
      return Array.isArray(query[path]) ? [{ path, text: 'must be given once' }] : [];
    const meant = names.find((name) => lettersOf(name) === lettersOf(path));
    return meant === undefined ? [] : [{ path, text: `is not known: it is ${meant}` }];
  });
}

/** Returns the names of all declared fields of a DTO, as classes define them. */
function namesOf({ constructor }: object): string[] {
  return Object.keys(new (constructor as Type<object>)());
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Returns the faults that class-validator found below a path. */
function faultsOf(errors: readonly ValidationError[], parent = ''): Fault[] {
  return errors.flatMap((error): Fault[] => {
    const { property, constraints = {}, contexts = {}, children = [], target } = error;
    const value: unknown = error.value;
    const isEntry = /^\d+$/.test(property);
    const path = isEntry ? `${parent}[${property}]` : [parent, property].filter(Boolean).join('.');
    if (constraints['whitelistValidation'] !== undefined)
      return [{ path, text: `is not known; there are ${namesOf(target!).join(', ')}` }];
    const own = Object.entries(constraints).flatMap(([constraint, message]): readonly Fault[] => {
      const { check } = (contexts[constraint] ?? {}) as { check?: Check };
      const [name, ...words] = message.split(' ');
      const text = name === property ? words.join(' ') : `is invalid: ${message}`;
      return check?.(value, path) ?? [{ path, text }];
    });
    return [...own, ...faultsOf(children, path)];
  });
}
