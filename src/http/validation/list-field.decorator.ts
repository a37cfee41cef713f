import { applyDecorators, type Type } from '@nestjs/common';
import { Type as TypeOf } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { TooManyEntries } from '../errors/http.errors.js';
import { type Check, Checked } from './define-field.js';
import type { Fault } from './fault.js';
import { isObject } from './request.pipe.js';

interface ListOptions {
  readonly description?: string;
  /** Number of entries; a longer list gets 413, whatever else is wrong. */
  readonly max: number;
  /** What to send instead of an empty list, which is valid without this text. */
  readonly empty?: string;
}

/** Takes an array of objects, each of which has the rules of its class. */
export function ListField(
  entry: () => Type<object>,
  { max, empty, description }: ListOptions,
): PropertyDecorator {
  const check: Check = (value, path) => {
    const list = listOf(value, path, max, empty);
    if ('text' in list) return [list];
    return list.flatMap((each: unknown, index) =>
      isObject(each) ? [] : [{ path: `${path}[${index}]`, text: 'must be an object' }],
    );
  };
  const bounds = { minItems: empty === undefined ? 0 : 1, maxItems: max };
  const schema = { type: () => entry(), isArray: true, ...bounds } as const;
  return applyDecorators(
    Checked(check, { ...schema, ...(description && { description }) }),
    ValidateNested(),
    TypeOf(entry),
  );
}

/** Returns a list, or what is wrong with it as a whole; one that is too long gets 413. */
export function listOf(
  value: unknown,
  path: string,
  max: number,
  empty?: string,
): readonly unknown[] | Fault {
  if (value === undefined) return { path, text: 'is missing' };
  if (!Array.isArray(value)) return { path, text: 'must be an array' };
  if (value.length === 0 && empty !== undefined) return { path, text: `is empty: ${empty}` };
  if (value.length <= max) return value as unknown[];
  throw new TooManyEntries(`${path} holds ${value.length} entries, at most ${max} are allowed`);
}
