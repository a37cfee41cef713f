import { Type } from 'class-transformer';
import { ValidateBy, ValidateNested, type ValidationArguments } from 'class-validator';
import { tooManyEntriesText } from '../errors/too-large.errors.js';
import type { FieldOptions } from './define-field.js';
import { ApiProperty } from '../openapi/openapi.decorator.js';
import { ListRule, type Judge } from './list-rule.js';

interface ListOptions extends FieldOptions {
  readonly min: number;
  readonly max: number;
  /** The status for more than `max` entries; it outranks every other fault of the body. */
  readonly tooMany?: 413;
  /** Why a list of fewer than `min` entries is refused, or what to send instead. */
  readonly empty?: string;
  /** No two entries have the same value in that field. */
  readonly uniqueBy?: string;
  /** All entries have the same value in each of those fields. */
  readonly sameValue?: { readonly fields: readonly string[]; readonly because?: string };
}

/** A JSON array of objects, each of which keeps the rules of its own DTO class. */
export function ListField(entry: () => new () => object, options: ListOptions): PropertyDecorator {
  const { min, max, tooMany, empty, uniqueBy: unique, sameValue: same, ...documentation } = options;
  const decorators = [
    atMost(max, tooMany), // first, so that too long a list costs nothing more and is never told as something else
    listOfObjects(min, empty),
    ValidateNested({ message: '$property must be an object' }),
    Type(entry),
    ApiProperty({ type: () => entry(), isArray: true, minItems: min, maxItems: max, ...documentation }),
    ...(same?.fields.map((field) => sameValue(field, same.because)) ?? []),
    ...(unique === undefined ? [] : [uniqueBy(unique)]),
  ];
  return (prototype, field) => decorators.forEach((decorate) => decorate(prototype, field));
}

/** All entries have the same value in that field. */
function sameValue(field: string, because?: string): PropertyDecorator {
  const reason = because === undefined ? '' : `: ${because}`;
  return listRule('sameInAll', field, (path) => {
    let first: { index: number; value: unknown } | undefined;
    return (index, value) => {
      first ??= { index, value };
      if (first.value === value) return undefined;
      return `${path}[${index}].${field} must be the same as in ${path}[${first.index}]${shown(first.value)}${reason}`;
    };
  });
}

/** No two entries have the same value in that field. */
function uniqueBy(field: string): PropertyDecorator {
  return listRule('noneTwice', field, (path) => {
    const seen = new Map<unknown, number>();
    return (index, value) => {
      const earlier = seen.get(value);
      if (earlier === undefined) seen.set(value, index);
      return earlier === undefined
        ? undefined
        : `${path}[${index}].${field} repeats ${path}[${earlier}].${field}${shown(value)}`;
    };
  });
}

function atMost(max: number, tooMany?: 413): PropertyDecorator {
  const validator = {
    validate: (list: unknown) => !Array.isArray(list) || list.length <= max,
    defaultMessage: (asked?: ValidationArguments) =>
      tooManyEntriesText('$property', (asked?.value as readonly unknown[]).length, max),
  };
  return ValidateBy({ name: 'atMost', validator }, tooMany === undefined ? {} : { context: { status: tooMany } });
}

function listOfObjects(min: number, empty?: string): PropertyDecorator {
  return ValidateBy({
    name: 'listOf',
    validator: {
      // A list inside the list is refused here: class-validator would take it for more entries.
      validate: (list: unknown) => Array.isArray(list) && list.length >= min && !list.some(Array.isArray),
      defaultMessage: (asked) => listFault(asked?.value, min, empty),
    },
  });
}

function listFault(list: unknown, min: number, empty?: string): string {
  if (list === undefined) return '$property is missing';
  if (!Array.isArray(list)) return '$property must be an array';
  if (list.length >= min) return `$property[${list.findIndex(Array.isArray)}] must be an object`;
  if (list.length === 0 && empty !== undefined) return `$property is empty: ${empty}`;
  return `$property must hold at least ${min} ${min === 1 ? 'entry' : 'entries'}`;
}

function listRule(name: string, field: string, start: (path: string) => Judge): PropertyDecorator {
  return (prototype, list) => {
    const rule = new ListRule(String(list), field, start);
    const validator = {
      validate: (_value: unknown, asked?: ValidationArguments) => rule.faultsIn(asked?.object ?? {}).length === 0,
      defaultMessage: (asked?: ValidationArguments) => rule.faultsIn(asked?.object ?? {}).join('; '),
    };
    ValidateBy({ name, constraints: [rule], validator })(prototype, rule.path);
  };
}

/** A value that passed its own rules, in brackets where it is short enough to help. */
function shown(value: unknown): string {
  const isShort = typeof value === 'number' || (typeof value === 'string' && value.length <= 20);
  return isShort ? ` (${value})` : '';
}
