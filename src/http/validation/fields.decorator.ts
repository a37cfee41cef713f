import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import { defineField, type FieldOptions } from './define-field.js';

/** The largest value of a PostgreSQL `integer`. */
export const MAX_INTEGER = 2_147_483_647;

const INTEGER_TEXT = /^(?:0|-?[1-9]\d{0,15})$/;
const BOOLEANS: Record<string, boolean> = { true: true, 1: true, false: false, 0: false };

interface Range {
  readonly min: number;
  /** The largest value; MAX_INTEGER by default. */
  readonly max?: number;
}

/** Says that a field is in a query or a path: it is sent as text, and parsed for the handler. */
interface Place {
  readonly in?: 'query' | 'path';
}

/** Lets the field be left out; unlike with `@IsOptional`, null is invalid. */
export function OptionalField(): PropertyDecorator {
  return applyDecorators(
    ValidateIf((_dto, value) => value !== undefined, { context: { isOptional: true } }),
    ApiProperty({ required: false }),
  );
}

/** Takes an integer; in a query or a path it is `5`, not `5.0` or `05`. */
export function IntegerField(given: Range & Place & FieldOptions): PropertyDecorator {
  const { min, max = MAX_INTEGER, in: place, ...options } = given;
  return defineField({
    parse: place && ((text) => (INTEGER_TEXT.test(text) ? Number(text) : undefined)),
    passes: (value) => Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max,
    message: () => `must be an integer from ${min} to ${max}`,
    schema: integerSchema({ min, max }),
    ...options,
  });
}

/** Takes a boolean; in a query also `True` and `1`, which clients made for Python and PHP send. */
export function BooleanField(given: Place & FieldOptions = {}): PropertyDecorator {
  const { in: place, ...options } = given;
  return defineField({
    parse: place && ((text) => BOOLEANS[text.toLowerCase()]),
    passes: (value) => typeof value === 'boolean',
    message: () => 'must be true or false',
    schema: { type: 'boolean' },
    ...options,
  });
}

/** Takes money as uploads have it: with any number of decimals that a JSON number carries. */
export function AmountField(options?: FieldOptions): PropertyDecorator {
  const minimum = 0;
  const maximum = 100_000_000_000; // below it, a JSON number carries four decimals exactly
  return defineField({
    passes: (value) => typeof value === 'number' && value >= minimum && value < maximum,
    message(value) {
      if (typeof value !== 'number')
        return `must be a number from ${minimum} up to but not including ${maximum}`;
      return value < minimum ? 'must not be negative' : `must be less than ${maximum}`;
    },
    schema: { type: 'number', format: 'double', minimum, maximum, exclusiveMaximum: true },
    ...options,
  });
}

/** Takes a day that exists, as a string `YYYY-MM-DD`. */
export function DateField(options?: FieldOptions): PropertyDecorator {
  return defineField({
    passes: isCalendarDate,
    message: () => 'must be a day that exists, in the form YYYY-MM-DD',
    schema: { type: 'string', format: 'date' },
    ...options,
  });
}

/** The last day that was checked: the records of an upload name the same one 24 times. */
let lastValid = '0001-01-01';

/** Says whether a value is a day that exists, as YYYY-MM-DD. */
export function isCalendarDate(value: unknown): value is string {
  if (value === lastValid) return true;
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value) || value < '0001') return false;
  const time = Date.parse(value);
  // 31 April becomes 1 May, or not a time.
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== value) return false;
  lastValid = value;
  return true;
}

/** Takes a string that is not empty; with `max` (UTF-16 units), one that PostgreSQL can store. */
export function StringField(given: { max?: number } & FieldOptions = {}): PropertyDecorator {
  const { max, ...options } = given;
  const isStorable = (text: string): boolean =>
    max === undefined || (text.length <= max && !/\0|\p{Cs}/u.test(text));
  return defineField({
    passes: (value) => typeof value === 'string' && value !== '' && isStorable(value),
    message: () =>
      max === undefined
        ? 'must be a non-empty string'
        : `must be a text of 1 to ${max} characters, without NUL and unpaired surrogates`,
    schema: { type: 'string', minLength: 1, ...(max && { maxLength: max }) },
    ...options,
  });
}

/** Takes one of some words. */
export function EnumField(values: readonly string[], options?: FieldOptions): PropertyDecorator {
  return defineField({
    passes: (value) => typeof value === 'string' && values.includes(value),
    message: () => `must be ${values.map((value) => `"${value}"`).join(' or ')}`,
    schema: { type: 'string', enum: [...values] },
    ...options,
  });
}

/** Takes the field `limit` of a query: how many items a page has at most. */
export function LimitField(page: { max: number; default: number }): PropertyDecorator {
  const description = `Most items per page; default: ${page.default}`;
  return pageField({ max: page.max, description, example: page.default });
}

/** Takes the field `after` of a query: the position after which a page begins. */
export function AfterField(): PropertyDecorator {
  return pageField({ description: 'The `next` of the previous page', example: 12 });
}

function pageField(options: { max?: number } & FieldOptions): PropertyDecorator {
  return applyDecorators(OptionalField(), IntegerField({ in: 'query', min: 1, ...options }));
}

/** Documents the field `next` of a response. */
export function NextField(type: 'int32' | 'string'): PropertyDecorator {
  const description = 'Send it as `after` to get the next page; null on the last page';
  const schema = type === 'string' ? { type } : integerSchema({ min: 1 });
  return ApiProperty({ ...schema, description, required: false, nullable: true });
}

/** Says whether a name has 1 to 200 characters, no control character and no space at its ends. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && /^(?! )[^\p{Cc}\p{Cs}]{1,200}(?<! )$/u.test(value);
}

export function integerSchema({ min, max = MAX_INTEGER }: Range) {
  const format = max <= MAX_INTEGER ? 'int32' : 'int64';
  return { type: 'integer', format, minimum: min, maximum: max } as const;
}
