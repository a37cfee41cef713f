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
    const compare = comparison(options, path);
    const faults: Fault[] = [];
    (list as unknown[]).forEach((entry, index) => {
      if (isObject(entry)) {
        const found = checkObject(fields!, entry, `${path}[${index}].`);
        compare(entry, index, found);
        if (found.length > 0) faults.push(...found);
      } else faults.push({ path: `${path}[${index}]`, text: 'must be an object' });
    });
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
function comparison({ uniqueBy, sameValue }: ListOptions<string>, path: string) {
  const names = [uniqueBy ?? [], sameValue?.fields ?? []].flat();
  const fields = names.map((name) => ({
    name,
    isUnique: name === uniqueBy,
    /** The index of the first entry with each value. */
    firsts: new Map<unknown, number>(),
  }));
  return (entry: Record<string, unknown>, index: number, faults: Fault[]): void => {
    for (const { name, isUnique, firsts } of fields) {
      const value = entry[name];
      if (value === undefined) continue;
      const own = (): string => `${path}[${index}].${name}`;
      if (faults.length > 0 && faults.some((fault) => fault.path === own())) continue;
      const isKnown = firsts.has(value);
      if (isKnown === isUnique && firsts.size > 0) {
        const [[firstValue, first]] = isUnique ? [[value, firsts.get(value)]] : [...firsts];
        const shown = String(firstValue).length > 20 ? '' : ` (${String(firstValue)})`;
        const text = isUnique
          ? `repeats ${path}[${first}].${name}${shown}`
          : `must be the same as in ${path}[${first}]${shown}: ${sameValue!.because}`;
        faults.push({ path: own(), text });
      } else if (!isKnown) firsts.set(value, index);
    }
  };
}
