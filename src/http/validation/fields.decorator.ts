import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import { defineField, type FieldOptions, type Rule } from './define-field.js';

/** The largest value of a PostgreSQL `integer`. */
export const MAX_INTEGER = 2_147_483_647;

/** Decimals that an amount may have. */
const MAX_DECIMALS = 20;

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
    ValidateIf((_dto, value) => value !== undefined),
    ApiProperty({ required: false }),
  );
}

/** Takes an integer; in a query or a path it is `5`, not `5.0` or `05`. */
export function IntegerField(given: Range & Place & FieldOptions): PropertyDecorator {
  const { min, max = MAX_INTEGER, in: place, ...options } = given;
  return defineField({
    ...integerRule({ min, max }),
    parse: place && ((text) => (INTEGER_TEXT.test(text) ? Number(text) : undefined)),
    schema: integerSchema({ min, max }),
    ...options,
  });
}

export function integerRule({ min, max = MAX_INTEGER }: Range): Rule {
  return {
    passes: (value) => Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max,
    message: (value) => `must be an integer from ${min} to ${max}${hintFor(value)}`,
  };
}

function hintFor(sent: unknown): string {
  return typeof sent === 'string' ? ', without quotes' : '';
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

/** Below it, a JSON number carries four decimals exactly. */
const MAX_AMOUNT = 100_000_000_000;

/** Money as uploads have it: with up to 20 decimals, which no till exceeds by purpose. */
export const AMOUNT_RULE: Rule = {
  passes: (value) =>
    typeof value === 'number' && value >= 0 && value < MAX_AMOUNT && !hasMoreDecimals(value),
  message(value) {
    if (typeof value !== 'number')
      return `must be a number from 0 up to but not including ${MAX_AMOUNT}${hintFor(value)}`;
    if (value < 0) return 'must not be negative';
    return value < MAX_AMOUNT
      ? `must have at most ${MAX_DECIMALS} decimals`
      : `must be less than ${MAX_AMOUNT}`;
  },
};

export function AmountField(options?: FieldOptions): PropertyDecorator {
  const bounds = { minimum: 0, maximum: MAX_AMOUNT, exclusiveMaximum: true } as const;
  const schema = { type: 'number', format: 'double', ...bounds } as const;
  return defineField({ ...AMOUNT_RULE, schema, ...options });
}

/** Says whether a number has more than MAX_DECIMALS; one of 0.001 or more has at most 19. */
function hasMoreDecimals(value: number): boolean {
  if (value >= 0.001 || value === 0) return false;
  const [digits, exponent = '0'] = String(value).split('e-') as [string, string?];
  return (digits.split('.')[1]?.length ?? 0) + Number(exponent) > MAX_DECIMALS;
}

/** Takes a day that exists, as a string `YYYY-MM-DD`. */
export function DateField(options?: FieldOptions): PropertyDecorator {
  return defineField({ ...DATE_RULE, schema: { type: 'string', format: 'date' }, ...options });
}

export const DATE_RULE: Rule = {
  passes: isCalendarDate,
  message: () => 'must be a day that exists, in the form YYYY-MM-DD',
};

/** Matches the days of months with 31, 30 and 28 days, in the years 0001 to 9999. */
const DAY_OF_ANY_YEAR =
  /^(?!0000)\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))$/;
const LEAP_DAY = /^\d{4}-02-29$/;

/** Says whether a value is a day that exists, as YYYY-MM-DD; `Date` takes 31 April for 1 May. */
export function isCalendarDate(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  if (DAY_OF_ANY_YEAR.test(value)) return true;
  const year = Number(value.slice(0, 4));
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return LEAP_DAY.test(value) && isLeap && year > 0;
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
  const description = `Items per page, at most ${page.max}; default: ${page.default}`;
  const options = { max: page.max, description, example: page.default };
  return applyDecorators(OptionalField(), IntegerField({ in: 'query', min: 1, ...options }));
}

/** Takes the field `after` of a query: the position after which a page begins. */
export function AfterField(): PropertyDecorator {
  const options = { description: 'The `next` of the previous page', example: 12 };
  return applyDecorators(OptionalField(), IntegerField({ in: 'query', min: 1, ...options }));
}

/** Documents the field `next` of a response. */
export function NextField(type: 'int32' | 'string'): PropertyDecorator {
  const description = 'Send it as `after` to get the next page; null on the last page';
  const schema = type === 'string' ? { type } : integerSchema({ min: 1 });
  return ApiProperty({ ...schema, description, nullable: true });
}

/** Says whether a value may be the number of a row. */
export function isId(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_INTEGER;
}

/** What `isName` asks for, for messages. */
export const NAME_FORM =
  'has 1 to 200 characters, none of them a control or invisible character, and no space at its ends';

/** Says whether a value has NAME_FORM. */
export function isName(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^(?![\s\u200c\u200d])[^\p{Cc}\p{Cs}]{1,200}(?<![\s\u200c\u200d])$/u.test(value) &&
    !hasInvisible(value)
  );
}

/**
 * Says whether a text has characters that nobody sees, or that turn the direction of others: what it
 * shows could then be another's. The two joiners are letters' own in Persian and the like, and emoji
 * have variation selectors.
 */
export function hasInvisible(text: string): boolean {
  return /(?![\u200c\u200d\ufe00-\ufe0f])[\p{Cf}\p{DI}\p{Zl}\p{Zp}\u2800]/u.test(text);
}

export function integerSchema({ min, max = MAX_INTEGER }: Range) {
  const format = max <= MAX_INTEGER ? 'int32' : 'int64';
  return { type: 'integer', format, minimum: min, maximum: max } as const;
}
