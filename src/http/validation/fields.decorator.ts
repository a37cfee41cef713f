import { isCalendarDate } from './calendar-date.js';
import { defineField, type FieldOptions } from './define-field.js';

export { OptionalField } from './define-field.js';

/** The largest value of a PostgreSQL `integer`. */
export const MAX_INTEGER = 2_147_483_647;

/** Below this, a JSON number carries four decimals exactly. */
const AMOUNT_LIMIT = 100_000_000_000;

const INTEGER_TEXT = /^(?:0|-?[1-9]\d{0,15})$/;

const BOOLEANS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

interface Range {
  readonly min: number;
  /** The largest value; MAX_INTEGER by default. */
  readonly max?: number;
}

/** Where a field stands if not in a body: it is sent as text, and parsed for the handler. */
interface Place {
  readonly in?: 'query' | 'path';
}

/** An integer; in a query or a path it is `5`, not `5.0` or `05`. */
export function IntegerField({
  min,
  max = MAX_INTEGER,
  in: place,
  ...options
}: Range & Place & FieldOptions): PropertyDecorator {
  return defineField({
    ...(place && { parse: readInteger }),
    passes: (value) => Number.isSafeInteger(value) && isWithin(value as number, min, max),
    message: () => `must be an integer from ${min} to ${max}${hintOf(place)}`,
    schema: integerSchema({ min, max }),
    ...options,
  });
}

/** A boolean; in a query also `True` and `1`, which clients generated for Python and PHP send. */
export function BooleanField({
  in: place,
  ...options
}: Place & FieldOptions = {}): PropertyDecorator {
  return defineField({
    ...(place && { parse: readBoolean }),
    passes: (value) => typeof value === 'boolean',
    message: () => `must be true or false${hintOf(place)}`,
    schema: { type: 'boolean' },
    ...options,
  });
}

/** A number of at most so many decimals. */
export function DecimalField({
  min = 0,
  max,
  decimals,
  ...options
}: Partial<Range> & {
  readonly max: number;
  readonly decimals: number;
} & FieldOptions): PropertyDecorator {
  return defineField({
    passes: (value) =>
      typeof value === 'number' &&
      value >= min &&
      value <= max &&
      Number(value.toFixed(decimals)) === value,
    message: () => `must be a number from ${min} to ${max} with at most ${decimals} decimals`,
    schema: { type: 'number', format: 'double', minimum: min, maximum: max },
    ...options,
  });
}

/** Money as uploads have it: any number of decimals that a JSON number carries. */
export function AmountField(options?: FieldOptions): PropertyDecorator {
  return defineField({
    passes: (value) => typeof value === 'number' && value >= 0 && value < AMOUNT_LIMIT,
    message(value) {
      if (typeof value !== 'number')
        return `must be a number from 0 up to but not including ${AMOUNT_LIMIT}`;
      return value < 0 ? 'must not be negative' : `must be less than ${AMOUNT_LIMIT}`;
    },
    schema: {
      type: 'number',
      format: 'double',
      minimum: 0,
      maximum: AMOUNT_LIMIT,
      exclusiveMaximum: true,
    },
    ...options,
  });
}

/** A day that exists, as a string `YYYY-MM-DD`. */
export function DateField(options?: FieldOptions): PropertyDecorator {
  return defineField({
    passes: isCalendarDate,
    message: () => 'must be a day that exists, in the form YYYY-MM-DD',
    schema: { type: 'string', format: 'date' },
    ...options,
  });
}

/** A string that is not empty; with `max` (UTF-16 units), one that PostgreSQL can store. */
export function StringField({
  max,
  ...options
}: { readonly max?: number } & FieldOptions = {}): PropertyDecorator {
  const isStorable = (text: string): boolean =>
    max === undefined || (text.length <= max && !/\0|\p{Cs}/u.test(text));
  const storable = `must be a text of 1 to ${max} characters, without NUL and unpaired surrogates`;
  return defineField({
    passes: (value) => typeof value === 'string' && value !== '' && isStorable(value),
    message: () => (max === undefined ? 'must be a non-empty string' : storable),
    schema: { type: 'string', minLength: 1, ...(max !== undefined && { maxLength: max }) },
    ...options,
  });
}

/** A name has no control characters and no space at its ends. */
export function isName(value: unknown, max = 200): value is string {
  return (
    typeof value === 'string' &&
    /^(?! )[^\p{Cc}\p{Cs}]+(?<! )$/u.test(value) &&
    Array.from(value).length <= max
  );
}

/** One of some words. */
export function EnumField(values: readonly string[], options?: FieldOptions): PropertyDecorator {
  return defineField({
    passes: (value) => typeof value === 'string' && values.includes(value),
    message: () => `must be ${values.map((value) => `"${value}"`).join(' or ')}`,
    schema: { type: 'string', enum: [...values] },
    ...options,
  });
}

export function integerSchema({ min, max = MAX_INTEGER }: Range) {
  const format = max <= MAX_INTEGER ? 'int32' : 'int64';
  return { type: 'integer', format, minimum: min, maximum: max } as const;
}

function isWithin(value: number, min: number, max: number): boolean {
  return value >= min && value <= max;
}

/** A name that a query repeats arrives as an array. */
function hintOf(place: Place['in']): string {
  return place === 'query' ? ', given once' : '';
}

function readInteger(text: unknown): number | undefined {
  return typeof text === 'string' && INTEGER_TEXT.test(text) ? Number(text) : undefined;
}

function readBoolean(text: unknown): boolean | undefined {
  return typeof text === 'string' ? BOOLEANS.get(text.toLowerCase()) : undefined;
}
