import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy, type ValidationArguments } from 'class-validator';
import type { Fault } from './fault.js';

/** Texts for the OpenAPI document. */
export type FieldOptions = Pick<ApiPropertyOptions, 'description' | 'example'>;

/** What a value must be. */
export interface Rule {
  readonly passes: (value: unknown) => boolean;
  /** Returns "must be ..." for an invalid value. */
  readonly message: (value: unknown) => string;
}

interface FieldDefinition extends Rule, FieldOptions {
  /** Turns the text of a query or a path into what the handler gets; undefined if it is invalid. */
  readonly parse?: ((text: string) => unknown) | undefined;
  readonly schema: ApiPropertyOptions;
}

/** Finds what is wrong with a value at a path. */
export type Check = (value: unknown, path: string) => readonly Fault[];

const VALID: readonly Fault[] = [];

/** Returns what is wrong with a value that must be there and pass a rule. */
export function faultsOf({ passes, message }: Rule, value: unknown, path: string) {
  if (value === undefined) return [{ path, text: 'is missing' }];
  return passes(value) ? VALID : [{ path, text: message(value) }];
}

/** Makes a field decorator of a rule with its OpenAPI schema. */
export function defineField(definition: FieldDefinition): PropertyDecorator {
  const { passes, message, parse, schema, ...options } = definition;
  const rule = { passes, message };
  const check: Check = (value, path) => faultsOf(rule, value, path);
  const read = ({ value }: { value: unknown }) =>
    (typeof value === 'string' ? parse!(value) : null) ?? null;
  return applyDecorators(
    Checked(check, { ...schema, ...options }),
    ...(parse ? [Transform(read)] : []),
  );
}

/** Makes a field decorator of a check that may find several faults, below the field's own path. */
export function Checked(check: Check, schema: ApiPropertyOptions): PropertyDecorator {
  const validator = {
    validate: (value: unknown, args?: ValidationArguments) =>
      check(value, args?.property ?? '').length === 0,
    defaultMessage: () => '$property is invalid', // without a text the context would be left out
  };
  return applyDecorators(
    ValidateBy({ name: 'checked', validator }, { context: { check } }),
    ApiProperty(schema),
  );
}
