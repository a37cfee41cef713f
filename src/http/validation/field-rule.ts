import { applyDecorators } from '@nestjs/common';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { getMetadataStorage, ValidateBy, ValidationTypes } from 'class-validator';
import { ApiProperty } from '../openapi/openapi.decorator.js';
import { FieldErrors } from './field-errors.js';

export type DtoClass = new () => object;

export interface FieldOptions {
  readonly description?: string;
  readonly example?: unknown;
}

export interface FieldDefinition extends FieldOptions {
  readonly name: string;
  readonly passes: (value: unknown) => boolean;
  /** "must be ..." */
  readonly message: (value: unknown) => string;
  readonly schema: ApiPropertyOptions;
  /** Converts a valid string of a query or a path. */
  readonly parse?: (value: unknown) => unknown;
  readonly entry?: () => DtoClass;
}

/** A field's rule; class-validator keeps it among the constraint's arguments. */
export class FieldRule {
  constructor(readonly definition: FieldDefinition) {}

  passes(value: unknown): boolean {
    return this.definition.passes(value);
  }

  report(path: string, value: unknown, errors: FieldErrors): void {
    if (value === undefined) errors.add({ path, code: 'missing', text: () => `${path} is missing` });
    else errors.add({ path, code: 'invalid', text: () => `${path} ${this.definition.message(value)}` });
  }

  toDecorator(): PropertyDecorator {
    const { name, schema, description, example } = this.definition;
    const defaultMessage = (args?: { readonly value: unknown; readonly property: string }): string => {
      const errors = new FieldErrors();
      this.report(args?.property ?? '', args?.value, errors);
      return errors.text;
    };
    const validator = { validate: (value: unknown) => this.passes(value), defaultMessage };
    return applyDecorators(
      ValidateBy({ name, constraints: [this], validator }),
      ApiProperty({ ...schema, ...(description && { description }), ...(example !== undefined && { example }) }),
    );
  }
}

/** Makes a field decorator: a constraint of class-validator with its OpenAPI schema. */
export function defineField(definition: FieldDefinition): PropertyDecorator {
  return new FieldRule(definition).toDecorator();
}

interface ComparisonDefinition {
  readonly name: string;
  /** The property that the decorated one is compared with. */
  readonly other: string;
  /** Gets valid values only, numbers of a query as numbers. */
  readonly passes: (value: never, other: never) => boolean;
  /** "must not be before from" */
  readonly message: string;
}

/** A rule across two fields; class-validator keeps it among the constraint's arguments. */
class FieldComparison {
  constructor(readonly definition: ComparisonDefinition) {}

  passes(Dto: DtoClass, field: string, object: object): boolean {
    const [value, other] = [field, this.definition.other].map((name) => validValue(Dto, name, object));
    return value == null || other == null || this.definition.passes(value as never, other as never);
  }
}

/** Makes a decorator that compares a field with another one of the same DTO, where both are sent and valid. */
export function defineComparison(definition: ComparisonDefinition): PropertyDecorator {
  const { name, message } = definition;
  const comparison = new FieldComparison(definition);
  const validate = (_value: unknown, args?: { readonly property: string; readonly object: object }): boolean =>
    comparison.passes(args!.object.constructor as DtoClass, args!.property, args!.object);
  const validator = { validate, defaultMessage: () => `$property ${message}` };
  return ValidateBy({ name, constraints: [comparison], validator });
}

/** Reports fields that contradict others. */
export function reportComparisons(Dto: DtoClass, object: object, report: (field: string, text: string) => void): void {
  for (const { name, comparisons } of fieldsOf(Dto)) {
    for (const comparison of comparisons)
      if (!comparison.passes(Dto, name, object)) report(name, comparison.definition.message);
  }
}

function validValue(Dto: DtoClass, name: string, object: object): unknown {
  const field = fieldsOf(Dto).find((each) => each.name === name);
  if (!field) throw new Error(`${Dto.name} has no rule for ${name}`);
  const value: unknown = Reflect.get(object, name);
  const { passes, parse } = field.rule?.definition ?? {};
  if (value == null || passes?.(value) === false) return undefined;
  return parse ? parse(value) : value;
}

/** The condition of `@OptionalField`. */
export function isSent(_object: object, value: unknown): boolean {
  return value !== undefined;
}

/** The condition of `@NullableField`. */
export function isNotNull(_object: object, value: unknown): boolean {
  return value !== null;
}

export interface Field {
  readonly name: string;
  readonly rule: FieldRule | undefined;
  readonly isOptional: boolean;
  readonly isNullable: boolean;
  readonly comparisons: readonly FieldComparison[];
  /** Has no other rule. */
  readonly isOwn: boolean;
}

export function hasRules(target: unknown): target is DtoClass {
  return typeof target === 'function' && fieldsOf(target as DtoClass).length > 0;
}

const known = new WeakMap<DtoClass, readonly Field[]>();

export function fieldsOf(Dto: DtoClass): readonly Field[] {
  const fields = known.get(Dto) ?? readFields(Dto);
  known.set(Dto, fields);
  return fields;
}

const UNDECORATED = { rule: undefined, isOptional: false, isNullable: false, comparisons: [], isOwn: true } as const;

function readFields(Dto: DtoClass): readonly Field[] {
  const fields = new Map<string, Field>();
  for (const metadata of getMetadataStorage().getTargetValidationMetadatas(Dto, '', false, false)) {
    const { propertyName: name, type } = metadata;
    const argument = (metadata.constraints as readonly unknown[] | undefined)?.[0];
    const { rule, isOptional, isNullable, isOwn, comparisons } = fields.get(name) ?? UNDECORATED;
    const isOfList = type === ValidationTypes.NESTED_VALIDATION && rule?.definition.entry !== undefined;
    const isCondition = argument === isSent || argument === isNotNull;
    const isComparison = argument instanceof FieldComparison;
    const isOnlyRule = argument instanceof FieldRule && (rule ?? argument) === argument;
    fields.set(name, {
      name,
      rule: rule ?? (argument instanceof FieldRule ? argument : undefined),
      isOptional: isOptional || argument === isSent,
      isNullable: isNullable || argument === isNotNull,
      comparisons: isComparison ? [...comparisons, argument] : comparisons,
      isOwn: isOwn && (isCondition || isComparison || isOfList || isOnlyRule),
    });
  }
  return [...fields.values()];
}
