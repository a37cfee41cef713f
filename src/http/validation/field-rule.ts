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

/** The condition of `@OptionalField`. */
export function isSent(_object: object, value: unknown): boolean {
  return value !== undefined;
}

export interface Field {
  readonly name: string;
  readonly rule: FieldRule | undefined;
  readonly isOptional: boolean;
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
