import type { ApiPropertyOptions } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { ApiProperty } from '../openapi/openapi.decorator.js';
import { ValueRule } from './value-rule.js';

/** What a field's author may add to its rule for the reader of the OpenAPI page. */
export interface FieldOptions {
  readonly description?: string;
  readonly example?: unknown;
}

export interface FieldRule {
  /** The constraint's name in class-validator. */
  readonly name: string;
  readonly passes: (value: unknown) => boolean;
  /** What is wrong with a value that is there and does not pass, to be read after the field's path: "must be ...". */
  readonly fault: (value: unknown) => string;
  /** The same rule in the words of OpenAPI. */
  readonly schema: ApiPropertyOptions;
}

/** A field decorator: one class-validator constraint, so that one fault is told per field, and its documentation. */
export function defineField(rule: FieldRule, options: FieldOptions = {}): PropertyDecorator {
  const validated = ValidateBy({
    name: rule.name,
    constraints: [new ValueRule(rule.passes)],
    validator: {
      validate: rule.passes,
      defaultMessage: (asked) => `$property ${asked?.value === undefined ? 'is missing' : rule.fault(asked.value)}`,
    },
  });
  const documented = ApiProperty({ ...rule.schema, ...options });
  return (prototype, field) => {
    validated(prototype, field);
    documented(prototype, field);
  };
}
