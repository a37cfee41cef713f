import { applyDecorators } from '@nestjs/common';
import { ValidateIf } from 'class-validator';
import { ApiProperty } from '../openapi/openapi.decorator.js';
import { isCalendarDate } from './calendar-date.js';
import { defineComparison, defineField, isNotNull, isSent, type FieldOptions } from './field-rule.js';

/** The largest value of a PostgreSQL `integer`. */
export const MAX_INTEGER = 2_147_483_647;

/** The largest 64-bit id that JSON carries exactly in every client. */
export const MAX_ID = Number.MAX_SAFE_INTEGER;

/** Below this, a JSON number carries four decimals exactly. */
const AMOUNT_LIMIT = 100_000_000_000;

const INTEGER_TEXT = /^(?:0|-?[1-9]\d{0,15})$/;

interface Range {
  readonly min: number;
  readonly max: number;
}

export function IntegerField({ min, max, ...options }: Range & FieldOptions): PropertyDecorator {
  return defineField({
    name: 'integerField',
    passes: (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max,
    message: () => `must be an integer from ${min} to ${max}`,
    schema: integerSchema({ min, max }),
    ...options,
  });
}

/** `5`, not `5.0` or `05`; the handler gets a number. */
export function QueryIntegerField({ min, max, ...options }: Range & FieldOptions): PropertyDecorator {
  return integerTextField('queryIntegerField', { min, max }, `from ${min} to ${max}, given once`, options);
}

/** The handler gets a boolean. Clients generated for Python and PHP send `True` and `1`. */
export function QueryBooleanField(options?: FieldOptions): PropertyDecorator {
  return defineField({
    name: 'queryBooleanField',
    passes: (value) => typeof value === 'string' && /^(true|false|1|0)$/i.test(value),
    message: () => 'must be true or false, given once',
    schema: { type: 'boolean' },
    parse: (value) => /^(true|1)$/i.test(value as string),
    ...options,
  });
}

export function PathIntegerField({ min, max, ...options }: Range & FieldOptions): PropertyDecorator {
  return integerTextField('pathIntegerField', { min, max }, `from ${min} to ${max}`, options);
}

function integerTextField(name: string, range: Range, extent: string, options: FieldOptions): PropertyDecorator {
  return defineField({
    name,
    passes(value) {
      // An initial value of the property is a number.
      if (typeof value !== 'number' && !(typeof value === 'string' && INTEGER_TEXT.test(value))) return false;
      return Number(value) >= range.min && Number(value) <= range.max;
    },
    message: () => `must be an integer ${extent}`,
    schema: integerSchema(range),
    parse: Number,
    ...options,
  });
}

/** Any number of the range, fractions included. */
export function NumberField({ min, max, ...options }: Range & FieldOptions): PropertyDecorator {
  return defineField({
    name: 'numberField',
    passes: (value) => typeof value === 'number' && value >= min && value <= max,
    message: () => `must be a number from ${min} to ${max}`,
    schema: { type: 'number', format: 'double', minimum: min, maximum: max },
    ...options,
  });
}

export function AmountField(options?: FieldOptions): PropertyDecorator {
  return defineField({
    name: 'amountField',
    passes: (value) => typeof value === 'number' && value >= 0 && value < AMOUNT_LIMIT,
    message(value) {
      if (typeof value !== 'number') return `must be a number from 0 up to but not including ${AMOUNT_LIMIT}`;
      return value < 0 ? 'must not be negative' : `must be less than ${AMOUNT_LIMIT}`;
    },
    schema: { type: 'number', format: 'double', minimum: 0, maximum: AMOUNT_LIMIT, exclusiveMaximum: true },
    ...options,
  });
}

/** A day that exists, as a string `YYYY-MM-DD`. */
export function DateField(options?: FieldOptions): PropertyDecorator {
  return defineField({
    name: 'dateField',
    passes: isCalendarDate,
    message: () => 'must be a day that exists, in the form YYYY-MM-DD',
    schema: { type: 'string', format: 'date' },
    ...options,
  });
}

/** Not empty, at most `max` UTF-16 units. */
export function StringField({
  max = Infinity,
  ...options
}: { readonly max?: number } & FieldOptions = {}): PropertyDecorator {
  return defineField({
    name: 'stringField',
    passes: (value) => typeof value === 'string' && value !== '' && value.length <= max,
    message: () => `must be a non-empty string${max === Infinity ? '' : ` of at most ${max} characters`}`,
    schema: { type: 'string', minLength: 1, ...(max === Infinity ? {} : { maxLength: max }) },
    ...options,
  });
}

/** A string to be stored: PostgreSQL takes no NUL and no unpaired surrogates. */
export function TextField({ max, ...options }: { readonly max: number } & FieldOptions): PropertyDecorator {
  return defineField({
    name: 'textField',
    passes: (value) => typeof value === 'string' && value !== '' && value.length <= max && !/\0|\p{Cs}/u.test(value),
    message: () => `must be a text of 1 to ${max} characters, without NUL and unpaired surrogates`,
    schema: { type: 'string', minLength: 1, maxLength: max },
    ...options,
  });
}

/** A name has no control characters and no space at its ends. */
export function isName(value: unknown, max = 200): value is string {
  return typeof value === 'string' && /^(?! )[^\p{Cc}\p{Cs}]+(?<! )$/u.test(value) && Array.from(value).length <= max;
}

export function NameField({ max, ...options }: { readonly max: number } & FieldOptions): PropertyDecorator {
  return defineField({
    name: 'nameField',
    passes: (value) => isName(value, max),
    message: () =>
      `must be a non-empty string of at most ${max} characters, none of them a control character, and no space at its ends`,
    schema: { type: 'string', minLength: 1, maxLength: max },
    ...options,
  });
}

/** One of some words. */
export function EnumField(values: readonly string[], options?: FieldOptions): PropertyDecorator {
  return defineField({
    name: 'enumField',
    passes: (value) => typeof value === 'string' && values.includes(value),
    message: () => `must be ${values.map((value) => `"${value}"`).join(' or ')}`,
    schema: { type: 'string', enum: [...values] },
    ...options,
  });
}

export function BooleanField(options?: FieldOptions): PropertyDecorator {
  return defineField({
    name: 'booleanField',
    passes: (value) => typeof value === 'boolean',
    message: () => 'must be true or false',
    schema: { type: 'boolean' },
    ...options,
  });
}

/** The field may be left out; unlike with `@IsOptional`, null is invalid. */
export function OptionalField(): PropertyDecorator {
  return applyDecorators(ValidateIf(isSent), ApiProperty({ required: false }));
}

/** The field may be null. */
export function NullableField(): PropertyDecorator {
  return applyDecorators(ValidateIf(isNotNull), ApiProperty({ nullable: true }));
}

/** The day must not be before that of another field. */
export function NotBefore(other: string): PropertyDecorator {
  const passes = (day: string, first: string): boolean => day >= first;
  return defineComparison({ name: 'notBefore', other, passes, message: `must not be before ${other}` });
}

/** The number must not be less than that of another field. */
export function NotLessThan(other: string): PropertyDecorator {
  const passes = (value: number, least: number): boolean => value >= least;
  return defineComparison({ name: 'notLessThan', other, passes, message: `must not be less than ${other}` });
}

export function integerSchema({ min, max }: Range) {
  return { type: 'integer', format: max <= MAX_INTEGER ? 'int32' : 'int64', minimum: min, maximum: max } as const;
}
