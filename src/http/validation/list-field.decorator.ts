import { applyDecorators, type Type } from '@nestjs/common';
import { Type as TypeOf } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { TooManyEntries } from '../errors/http.errors.js';
import { type Check, Checked } from './define-field.js';
import type { Fault } from './fault.js';
import { isObject } from './request.pipe.js';

interface ListOptions<Name> {
  readonly description?: string;
  /** Number of entries; a longer list gets 413, whatever else is wrong. */
  readonly max: number;
  /** What to send instead of an empty list, which is valid without this text. */
  readonly empty?: string;
  /** The field that is different in each entry. */
  readonly uniqueBy?: Name;
}

/** Takes an array of objects, each of which has the rules of its class. */
export function ListField<Entry extends object>(
  entry: () => Type<Entry>,
  { max, empty, uniqueBy, description }: ListOptions<keyof Entry & string>,
): PropertyDecorator {
  const check: Check = (value, path) => {
    const list = listOf(value, path, max, empty);
    if ('text' in list) return [list];
    const firsts = new Map<unknown, number>();
    return list.flatMap((each: unknown, index) => {
      if (!isObject(each)) return [{ path: `${path}[${index}]`, text: 'must be an object' }];
      const key = uniqueBy && each[uniqueBy];
      if (key === undefined) return [];
      const first = firsts.get(key) ?? index;
      firsts.set(key, first);
      const text = `repeats ${path}[${first}].${uniqueBy}`;
      return first === index ? [] : [{ path: `${path}[${index}].${uniqueBy}`, text }];
    });
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
