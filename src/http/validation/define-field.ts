import { isDeepStrictEqual } from 'node:util';
import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { plainToInstance, Transform } from 'class-transformer';
import { getMetadataStorage, ValidateBy, type ValidationArguments } from 'class-validator';

/** Texts for the OpenAPI document. */
export type FieldOptions = Pick<ApiPropertyOptions, 'description' | 'example'>;

/** One thing that is wrong with a request. */
export interface Fault {
  /** The path of the value, such as `records[3].hour`. */
  readonly path: string;
  /** What follows the path, such as "is missing". */
  readonly text: string;
}

/** A rule that words its own faults; class-validator keeps it as the context of its rule. */
export interface FieldRule {
  /** Returns the faults of a value, whose path is the prefix and the name. */
  readonly check: (value: unknown, prefix: string, name: string) => readonly Fault[];
  /** Turns what a query or a path has into what the handler gets; null if it is invalid. */
  readonly parse?: ((sent: unknown) => unknown) | undefined;
}

/** A field that a loop can check. */
export interface Field extends FieldRule {
  readonly name: string;
  readonly isOptional?: true;
}

interface FieldDefinition extends FieldOptions {
  /** Turns the text of a query or a path into what the handler gets; undefined if it is invalid. */
  readonly parse?: ((text: string) => unknown) | undefined;
  readonly passes: (value: unknown) => boolean;
  /** Returns "must be ..." for an invalid value. */
  readonly message: (value: unknown) => string;
  readonly schema: ApiPropertyOptions;
}

const VALID: readonly Fault[] = [];

/** Makes a field decorator of a check with its text and its OpenAPI schema. */
export function defineField(definition: FieldDefinition): PropertyDecorator {
  const { passes, message, parse, schema, ...options } = definition;
  const check: FieldRule['check'] = (value, prefix, name) => {
    if (value === undefined) return [{ path: prefix + name, text: 'is missing' }];
    return passes(value) ? VALID : [{ path: prefix + name, text: message(value) }];
  };
  const read =
    parse && ((sent: unknown) => (typeof sent === 'string' ? parse(sent) : null) ?? null);
  return Ruled({ check, parse: read }, { ...schema, ...options });
}

/** Applies a rule with class-validator, class-transformer and @nestjs/swagger. */
export function Ruled(rule: FieldRule, schema: ApiPropertyOptions): PropertyDecorator {
  const { check, parse } = rule;
  const faultsOf = (args?: ValidationArguments) => check(args?.value, '', args?.property ?? '');
  const validator = {
    validate: (_value: unknown, args?: ValidationArguments) => faultsOf(args).length === 0,
    defaultMessage: (args?: ValidationArguments) => textOf(faultsOf(args)),
  };
  return applyDecorators(
    ValidateBy({ name: 'field', validator }, { context: rule }),
    ...(parse ? [Transform(({ value }) => parse(value))] : []),
    ApiProperty(schema),
  );
}

/**
 * Values that show whether decorators of class-transformer change what was sent: it does not tell
 * which there are. One that leaves all of these as they are would not be applied.
 */
const SAMPLES = ['', ' Aa ', 'true', '1', 1, 0, true, null];

/**
 * Returns the fields of a class, or undefined if class-validator and class-transformer have to read
 * it: it has rules of theirs, or none at all.
 */
export function ownFieldsOf(Dto: Type<object>): readonly Field[] | undefined {
  const rules = getMetadataStorage().getTargetValidationMetadatas(Dto, '', false, false);
  const fields = new Map<string, Field>();
  for (const { propertyName: name, context } of rules)
    fields.set(name, { ...fields.get(name), name, ...(context as FieldRule) });
  const own = [...fields.values()];
  const isOwn = own.length > 0 && rules.every(({ context }) => context !== undefined);
  return isOwn && SAMPLES.every((sample) => isKept(sample, Dto, own)) ? own : undefined;
}

/** Says whether class-transformer leaves a value in each field as it is, but for `parse`. */
function isKept(sample: unknown, Dto: Type<object>, fields: readonly Field[]): boolean {
  const sent = Object.fromEntries(fields.map(({ name }) => [name, sample]));
  const expected = fields.map(({ parse }) => (parse ? parse(sample) : sample));
  try {
    const copy = plainToInstance(Dto, sent) as Record<string, unknown>;
    return fields.every(({ name }, index) => isDeepStrictEqual(copy[name], expected[index]));
  } catch {
    return false;
  }
}

/** Checks an object by a plain loop, and takes undeclared fields out of it. */
export function checkObject(
  fields: readonly Field[],
  sent: Record<string, unknown>,
  prefix: string,
): Fault[] {
  const faults: Fault[] = [];
  let declared = 0;
  for (const { name, isOptional, parse, check } of fields) {
    const given = sent[name];
    if (given !== undefined) declared++;
    else if (isOptional) continue;
    const value = parse && given !== undefined ? parse(given) : given;
    if (parse) sent[name] = value;
    const found = check(value, prefix, name);
    if (found.length > 0) faults.push(...found);
  }
  if (Object.keys(sent).length === declared) return faults;
  for (const key of Object.keys(sent))
    if (fields.every(({ name }) => name !== key)) Reflect.deleteProperty(sent, key);
  return faults;
}

/**
 * Returns what is wrong with the names of a query: one is repeated, and so has an array, or it is
 * that of a field but for case and punctuation, so that `dryRun=true` would save.
 */
export function checkNames(fields: readonly Field[], query: Record<string, unknown>): Fault[] {
  return Object.keys(query).flatMap((path) => {
    if (fields.some(({ name }) => name === path))
      return Array.isArray(query[path]) ? [{ path, text: 'must be given once' }] : [];
    const letters = lettersOf(path);
    const meant = fields.find(({ name }) => lettersOf(name) === letters);
    return meant ? [{ path, text: `is not known: it is ${meant.name}` }] : [];
  });
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textOf(faults: readonly Fault[]): string {
  return faults.map(({ path, text }) => `${path} ${text}`).join('; ');
}
