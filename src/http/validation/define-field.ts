import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { getMetadataStorage, ValidateBy, ValidateIf } from 'class-validator';
import { faultAt, type FieldRule, type RuleContext } from './faults.js';

export type DtoClass = new () => object;

export interface FieldOptions {
  readonly description?: string;
  readonly example?: unknown;
}

export interface FieldDefinition extends FieldOptions, Pick<FieldRule, 'parse'> {
  readonly passes: (value: unknown) => boolean;
  /** Returns "must be ..." for an invalid value. */
  readonly message: (value: unknown) => string;
  readonly schema: ApiPropertyOptions;
}

/** Makes a field decorator: a rule of class-validator with its text and its OpenAPI schema. */
export function defineField(definition: FieldDefinition): PropertyDecorator {
  const { message, schema, parse, ...options } = definition;
  const passes = (value: unknown): boolean => value !== undefined && definition.passes(value);
  return applyDecorators(
    Ruled({
      passes,
      faultsOf: (value, path) =>
        passes(value) ? [] : [faultAt(path, value === undefined ? 'is missing' : message(value))],
      ...(parse && { parse }),
    }),
    ...(parse ? [Transform(({ value }) => parse(value) ?? null)] : []),
    ApiProperty({ ...schema, ...described(options) }),
  );
}

/** Applies a rule with class-validator. */
export function Ruled(rule: FieldRule): PropertyDecorator {
  const context: RuleContext = { rule };
  return ValidateBy(
    {
      name: 'field',
      validator: {
        validate: (value) => rule.passes(value),
        defaultMessage: (args) =>
          rule.faultsOf(args?.value, args?.property ?? '').map(({ text }) => text).join('; '), // prettier-ignore
      },
    },
    { context },
  );
}

export function described({ description, example }: FieldOptions): FieldOptions {
  return { ...(description && { description }), ...(example !== undefined && { example }) };
}

/** Lets the field be left out; unlike with `@IsOptional`, null is invalid. */
export function OptionalField(): PropertyDecorator {
  const context: RuleContext = { isOptional: true };
  return applyDecorators(
    ValidateIf((_dto, value) => value !== undefined, { context }),
    ApiProperty({ required: false }),
  );
}

/** A field of a class with decorators of this folder alone, which a loop can check. */
export interface LoopField {
  readonly name: string;
  readonly rule: FieldRule;
  readonly isOptional: boolean;
}

/** Reads from class-validator which fields a class has; fails if one has another rule. */
export function loopFieldsOf(Dto: DtoClass): readonly LoopField[] {
  const fields = new Map<string, RuleContext>();
  const rules = getMetadataStorage().getTargetValidationMetadatas(Dto, '', false, false);
  for (const { propertyName, context } of rules) {
    if (context === undefined) throw notOurs(Dto);
    fields.set(propertyName, { ...fields.get(propertyName), ...(context as RuleContext) });
  }
  if (fields.size === 0) throw notOurs(Dto);
  return [...fields].map(([name, { rule, isOptional = false }]) => {
    if (!rule) throw notOurs(Dto);
    return { name, rule, isOptional };
  });
}

function notOurs({ name }: DtoClass): Error {
  return new Error(`${name}: the fields of a ListField need decorators of http/validation alone`);
}

/** Returns the fields of an object that was sent, and nothing else of it. */
export function pick(fields: readonly LoopField[], sent: object): object {
  const names = fields.map(({ name }) => name).filter((name) => Object.hasOwn(sent, name));
  return Object.fromEntries(names.map((name) => [name, Reflect.get(sent, name) as unknown]));
}
