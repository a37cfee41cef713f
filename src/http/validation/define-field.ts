import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { registerDecorator, ValidateIf, type ValidationArguments } from 'class-validator';
import { faultAt, type DescribingRule } from './faults.js';

export type DtoClass = new () => object;

export interface FieldOptions {
  readonly description?: string;
  readonly example?: unknown;
}

export interface FieldDefinition extends FieldOptions {
  readonly passes: (value: unknown) => boolean;
  /** "must be ..." */
  readonly message: (value: unknown) => string;
  readonly schema: ApiPropertyOptions;
  /** Makes what the handler gets of the text of a query or a path; undefined if that is invalid. */
  readonly parse?: (value: unknown) => unknown;
}

/** What lists and `@Uncopied` know of a field. */
export interface DeclaredField extends DescribingRule {
  readonly name: string;
  /** Left out if the field has rules of class-validator alone. */
  readonly passes?: (value: unknown) => boolean;
  readonly isOptional?: true;
  readonly isNullable?: true;
}

/** Makes a field decorator: a rule of class-validator with its text and its OpenAPI schema. */
export function defineField(definition: FieldDefinition): PropertyDecorator {
  const { passes, message, schema, parse } = definition;
  const validator = {
    validate: passes,
    defaultMessage: (args?: ValidationArguments) =>
      args?.value === undefined ? '$property is missing' : `$property ${message(args.value)}`,
  };
  const rule: PropertyDecorator = ({ constructor: target }, propertyName) =>
    registerDecorator({ name: 'field', target, propertyName: String(propertyName), validator });
  return applyDecorators(
    rule,
    declare({ passes, faultsOf: (value, path) => [faultAt(path, message(value))] }),
    ...(parse ? [Transform(({ value }) => parse(value) ?? null)] : []),
    ApiProperty({ ...schema, ...described(definition) }),
  );
}

export function described({ description, example }: FieldOptions): FieldOptions {
  return { ...(description && { description }), ...(example !== undefined && { example }) };
}

/** The field may be left out; unlike with `@IsOptional`, null is invalid. */
export function OptionalField(): PropertyDecorator {
  return applyDecorators(
    ValidateIf((_dto, value) => value !== undefined),
    declare({ isOptional: true }),
    ApiProperty({ required: false }),
  );
}

/** The field may be null. */
export function NullableField(): PropertyDecorator {
  return applyDecorators(
    ValidateIf((_dto, value) => value !== null),
    declare({ isNullable: true }),
    ApiProperty({ nullable: true }),
  );
}

type DeclaredFields = ReadonlyMap<string, DeclaredField>;

const DECLARED_FIELDS = Symbol('the fields that a class declares with decorators of this folder');

/** The fields of a class that have decorators of this folder, in the order of the class. */
export function declaredFields(Dto: DtoClass): readonly DeclaredField[] {
  return [...(declaredByName(Dto.prototype as object)?.values() ?? [])];
}

function declaredByName(prototype: object): DeclaredFields | undefined {
  return Reflect.getMetadata(DECLARED_FIELDS, prototype) as DeclaredFields | undefined;
}

/** Keeps what is known of a field, beside what its other decorators said. */
export function declare(part: Partial<DeclaredField>): PropertyDecorator {
  return (prototype, property) => {
    const fields = new Map(declaredByName(prototype)); // a copy: those of a parent class stay as they are
    const name = String(property);
    fields.set(name, { faultsOf: () => [], ...fields.get(name), ...part, name });
    Reflect.defineMetadata(DECLARED_FIELDS, fields, prototype);
  };
}

/** Returns the declared fields of an object that was sent, and nothing else of it. */
export function pickDeclared(fields: readonly DeclaredField[], sent: object): object {
  const names = fields.map(({ name }) => name).filter((name) => Object.hasOwn(sent, name));
  return Object.fromEntries(names.map((name) => [name, Reflect.get(sent, name) as unknown]));
}
