import { getMetadataStorage, ValidateIf } from 'class-validator';
import { isCalendarDate } from './calendar-date.js';
import { defineField, type FieldOptions } from './define-field.js';
import { ApiProperty } from '../openapi/openapi.decorator.js';

/** The largest whole number of a PostgreSQL `integer` column. */
export const MAX_INTEGER = 2_147_483_647;

/** Below this, a JSON number carries four decimals exactly. */
const MONEY_LIMIT = 100_000_000_000;

const NAME = 'queryWholeNumber';

/** Canonical decimal only: no sign but a minus, no leading zero, nothing around it. */
const WHOLE_NUMBER = /^(?:0|-?[1-9]\d{0,15})$/;

interface Range {
  readonly min: number;
  readonly max: number;
}

/** A JSON number without a fraction: `7` and `7.0`, not `"7"`. */
export function IntegerField({ min, max, ...options }: Range & FieldOptions): PropertyDecorator {
  return defineField(
    {
      name: 'wholeNumber',
      passes: (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max,
      fault: () => `must be an integer from ${min} to ${max}`,
      schema: { type: 'integer', minimum: min, maximum: max },
    },
    options,
  );
}

/** An amount in the local currency: a JSON number, not negative. */
export function AmountField(options?: FieldOptions): PropertyDecorator {
  return defineField(
    {
      name: 'money',
      passes: (value) => typeof value === 'number' && value >= 0 && value < MONEY_LIMIT,
      fault: moneyFault,
      schema: { type: 'number', minimum: 0, maximum: MONEY_LIMIT, exclusiveMaximum: true },
    },
    options,
  );
}

/** A day that exists, as a string `YYYY-MM-DD`. */
export function DateField(options?: FieldOptions): PropertyDecorator {
  return defineField(
    {
      name: 'calendarDate',
      passes: isCalendarDate,
      fault: () => 'must be a day that exists, in the form YYYY-MM-DD',
      schema: { type: 'string', format: 'date' },
    },
    options,
  );
}

/** A string that is not empty, of at most `max` UTF-16 units where given. */
export function StringField({ max, ...options }: { readonly max?: number } & FieldOptions = {}): PropertyDecorator {
  const limit = max === undefined ? {} : { maxLength: max };
  const extent = max === undefined ? '' : ` of at most ${max} characters`;
  return defineField(
    {
      name: 'text',
      passes: (value) => typeof value === 'string' && value !== '' && (max === undefined || value.length <= max),
      fault: () => `must be a non-empty string${extent}`,
      schema: { type: 'string', minLength: 1, ...limit },
    },
    options,
  );
}

/** One given string and nothing else. */
export function ConstantField(expected: string, options?: FieldOptions): PropertyDecorator {
  return defineField(
    {
      name: 'literal',
      passes: (value) => value === expected,
      fault: () => `must be "${expected}"`,
      schema: { type: 'string', enum: [expected] },
    },
    options,
  );
}

/** JSON `true` or `false`. */
export function BooleanField(options?: FieldOptions): PropertyDecorator {
  return defineField(
    {
      name: 'flag',
      passes: (value) => typeof value === 'boolean',
      fault: () => 'must be true or false',
      schema: { type: 'boolean' },
    },
    options,
  );
}

/** A whole number in the query string, written `5`: not `5.0`, `05` or nothing. The handler gets a number. */
export function QueryIntegerField({ min, max, ...options }: Range & FieldOptions): PropertyDecorator {
  return defineField(
    {
      name: NAME,
      passes: (value) => {
        if (typeof value !== 'string' || !WHOLE_NUMBER.test(value)) return false;
        return Number(value) >= min && Number(value) <= max;
      },
      fault: () => `must be an integer from ${min} to ${max}, given once`,
      schema: { type: 'integer', minimum: min, maximum: max },
    },
    options,
  );
}

/** A copy of a valid query in which the parameters marked `@QueryIntegerField` are numbers. */
export function withNumbers(Dto: new () => object, query: object): object {
  const copy: Record<string, unknown> = { ...query };
  for (const { name, propertyName } of getMetadataStorage().getTargetValidationMetadatas(Dto, '', false, false)) {
    if (name === NAME && copy[propertyName] !== undefined) copy[propertyName] = Number(copy[propertyName]);
  }
  return copy;
}

/** The field may be left out; written above its rule. Unlike class-validator's `@IsOptional`, `null` is a fault. */
export function OptionalField(): PropertyDecorator {
  const allowed = ValidateIf((_object, value) => value !== undefined);
  const documented = ApiProperty({ required: false });
  return (prototype, field) => {
    allowed(prototype, field);
    documented(prototype, field);
  };
}

/** Names the rule that was broken, since "from 0 up to" hides from a hurried reader that the sign was the fault. */
function moneyFault(value: unknown): string {
  if (typeof value !== 'number') return `must be a number from 0 up to but not including ${MONEY_LIMIT}`;
  return value < 0 ? 'must not be negative' : `must be less than ${MONEY_LIMIT}`;
}
