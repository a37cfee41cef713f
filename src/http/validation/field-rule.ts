import { applyDecorators } from '@nestjs/common';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { getMetadataStorage, ValidateBy, ValidationTypes } from 'class-validator';
import { ApiProperty } from '../openapi/openapi.decorator.js';
import { FieldErrors } from './field-errors.js';

export type DtoClass = new () => object;

/** What a DTO may add to the OpenAPI schema of a field. */
export interface FieldOptions {
  readonly description?: string;
  readonly example?: unknown;
}

export interface FieldDefinition {
  /** Name of the constraint in class-validator. */
  readonly name: string;
  readonly passes: (value: unknown) => boolean;
  /** Describes a value that does not pass: "must be ...". */
  readonly message: (value: unknown) => string;
  /** The same rule as an OpenAPI schema. */
  readonly schema: ApiPropertyOptions;
  /** Converts a valid value of a query or a path, where every value is a string. */
  readonly parse?: (value: unknown) => unknown;
  /** The class of the objects in a list. */
  readonly entry?: () => DtoClass;
}

/** The rule of a field decorator; class-validator keeps it as an argument of the constraint, where `fieldsOf` finds it. */
export class FieldRule {
  constructor(readonly definition: FieldDefinition) {}

  /** Whether class-validator is to accept the value; it validates the objects in a list itself. */
  passes(value: unknown): boolean {
    return this.definition.passes(value);
  }

  /** Reports what is wrong with a value that does not pass; the request calls the field `path`. */
  report(path: string, value: unknown, errors: FieldErrors): void {
    errors.add(() => `${path} ${value === undefined ? 'is missing' : this.definition.message(value)}`);
  }

  /** The decorator that tells the rule to class-validator and to OpenAPI. */
  toDecorator({ description, example }: FieldOptions): PropertyDecorator {
    const { name, schema } = this.definition;
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

/** Makes a field decorator. */
export function defineField(definition: FieldDefinition, options: FieldOptions = {}): PropertyDecorator {
  return new FieldRule(definition).toDecorator(options);
}

/** The condition of `@OptionalField`. */
export function isSent(_object: object, value: unknown): boolean {
  return value !== undefined;
}

/** A field of a DTO class. */
export interface Field {
  readonly name: string;
  readonly rule: FieldRule | undefined;
  readonly isOptional: boolean;
  /** Whether only one of our field decorators, and perhaps `@OptionalField`, validates it. */
  readonly isOwn: boolean;
}

export function hasRules(target: unknown): target is DtoClass {
  return typeof target === 'function' && fieldsOf(target as DtoClass).length > 0;
}

const known = new WeakMap<DtoClass, readonly Field[]>();

/** The fields of a DTO class that have validation rules, inherited ones included. */
export function fieldsOf(Dto: DtoClass): readonly Field[] {
  const fields = known.get(Dto) ?? readFields(Dto);
  known.set(Dto, fields);
  return fields;
}

function readFields(Dto: DtoClass): readonly Field[] {
  const fields = new Map<string, Field>();
  for (const metadata of getMetadataStorage().getTargetValidationMetadatas(Dto, '', false, false)) {
    const { propertyName: name, type } = metadata;
    const argument = (metadata.constraints as readonly unknown[] | undefined)?.[0];
    const { rule, isOptional, isOwn } = fields.get(name) ?? { isOptional: false, isOwn: true };
    const isOfList = type === ValidationTypes.NESTED_VALIDATION && rule?.definition.entry !== undefined;
    const isOurs =
      argument === isSent || isOfList || (argument instanceof FieldRule && (rule ?? argument) === argument);
    fields.set(name, {
      name,
      rule: rule ?? (argument instanceof FieldRule ? argument : undefined),
      isOptional: isOptional || argument === isSent,
      isOwn: isOwn && isOurs,
    });
  }
  return [...fields.values()];
}
