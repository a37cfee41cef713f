import type { Type } from '@nestjs/common';
import { TooManyEntries } from '../errors/http.errors.js';
import {
  checkObject,
  type Fault,
  type Field,
  isObject,
  ownFieldsOf,
  Ruled,
} from './define-field.js';

interface ListOptions<Name> {
  readonly description?: string;
  /** Number of entries; a longer list gets 413, whatever else is wrong. */
  readonly max: number;
  /** What to send instead of an empty list, which is valid without this text. */
  readonly empty?: string;
  readonly uniqueBy?: Name;
  readonly sameValue?: { readonly fields: readonly Name[]; readonly because: string };
}

/**
 * Takes an array of objects, checked by one constraint: a loop over the fields of their class. The
 * class has decorators of this folder only; for others take `@ValidateNested`, 20 times slower.
 */
export function ListField<Entry extends object>(
  entry: () => Type<Entry>,
  options: ListOptions<keyof Entry & string>,
): PropertyDecorator {
  const { max, empty, description } = options;
  let fields: readonly Field[] | undefined;
  const check = (list: unknown, prefix: string, name: string): readonly Fault[] => {
    const path = prefix + name;
    if (!Array.isArray(list))
      return [{ path, text: list === undefined ? 'is missing' : 'must be an array' }];
    if (list.length === 0 && empty !== undefined) return [{ path, text: `is empty: ${empty}` }];
    if (list.length > max)
      throw new TooManyEntries(`${path} holds ${list.length} entries, at most ${max} are allowed`);
    fields ??= fieldsOf(entry()); // not before: a class may be declared below the list's
    const compare = comparison(options);
    const faults: Fault[] = [];
    for (const [index, each] of (list as unknown[]).entries()) {
      const place = `${path}[${index}]`;
      if (isObject(each)) {
        const found = checkObject(fields, each, `${place}.`);
        compare(each, place, found);
        if (found.length > 0) faults.push(...found);
      } else faults.push({ path: place, text: 'must be an object' });
    }
    return faults;
  };
  const bounds = { minItems: empty === undefined ? 0 : 1, maxItems: max };
  const schema = { type: () => entry(), isArray: true, ...bounds } as const;
  return Ruled({ check }, { ...schema, ...(description && { description }) });
}

function fieldsOf(Entry: Type<object>): readonly Field[] {
  const fields = ownFieldsOf(Entry);
  if (!fields)
    throw new Error(`${Entry.name}: its fields need decorators of http/validation alone`);
  return fields;
}

/** Returns a function that compares an entry's valid fields with those of earlier entries. */
function comparison({ uniqueBy, sameValue }: ListOptions<string>) {
  const compared = [uniqueBy ?? [], sameValue?.fields ?? []].flat();
  const firsts = new Map<string, { place: string; value: unknown }>();
  return (entry: Record<string, unknown>, place: string, faults: Fault[]): void => {
    for (const name of compared) {
      const isUnique = name === uniqueBy;
      const value = entry[name] as string | number | undefined;
      if (value === undefined) continue;
      if (faults.length > 0 && faults.some(({ path }) => path === `${place}.${name}`)) continue;
      const key = isUnique ? `${name} ${value}` : name;
      const first = firsts.get(key);
      if (!first) firsts.set(key, { place, value });
      if (!first || (!isUnique && value === first.value)) continue;
      const shown = String(first.value).length > 20 ? '' : ` (${String(first.value)})`;
      const text = isUnique
        ? `repeats ${first.place}.${name}${shown}`
        : `must be the same as in ${first.place}${shown}: ${sameValue!.because}`;
      faults.push({ path: `${place}.${name}`, text });
    }
  };
}
