import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import {
  described,
  loopFieldsOf,
  pick,
  Ruled,
  type FieldOptions,
  type LoopField,
} from './define-field.js';
import { faultAt, type Fault, type FieldRule } from './faults.js';

interface ListOptions<Field> extends FieldOptions {
  readonly min: number;
  readonly max: number;
  /** Status above `max`; reported before all other errors. */
  readonly tooMany?: 413;
  /** The text that says what to send instead of an empty list. */
  readonly empty?: string;
  readonly uniqueBy?: Field;
  readonly sameValue?: { readonly fields: readonly Field[]; readonly because: string };
}

/**
 * A JSON array of plain objects, checked by one constraint: a loop over the fields of their class.
 *
 * The class has decorators of this folder only; for others take `@ValidateNested`, 20 times slower.
 */
export function ListField<Entry extends object>(
  entry: () => new () => Entry,
  options: ListOptions<keyof Entry & string>,
): PropertyDecorator {
  const { min: minItems, max: maxItems } = options;
  const schema = { type: () => entry(), isArray: true, minItems, maxItems } as const;
  return applyDecorators(
    Ruled(new ListRule(entry, options)),
    ApiProperty({ ...schema, ...described(options) }),
  );
}

type SentObject = Readonly<Record<string, unknown>>;

class ListRule implements FieldRule {
  private fields: readonly LoopField[] | undefined;
  private readonly compared: readonly (string | undefined)[];

  constructor(
    private readonly entry: () => new () => object,
    private readonly options: ListOptions<string>,
  ) {
    this.compared = [options.uniqueBy, ...(options.sameValue?.fields ?? [])];
  }

  passes(list: unknown): boolean {
    return this.faultsOf(list, '').length === 0;
  }

  /** Takes undeclared fields out of the entries. */
  faultsOf(list: unknown, path: string): readonly Fault[] {
    if (!Array.isArray(list))
      return [faultAt(path, list === undefined ? 'is missing' : 'must be an array')];
    if (list.length < this.options.min || list.length > this.options.max)
      return [this.lengthFault(list.length, path)];
    const entries = list as unknown[];
    const fields = (this.fields ??= loopFieldsOf(this.entry()));
    const firsts = new Map<string, number>();
    const faults: Fault[] = [];
    for (const [index, entry] of entries.entries()) {
      if (!isObject(entry)) {
        faults.push(faultAt(`${path}[${index}]`, 'must be an object'));
        continue;
      }
      let sent = 0;
      for (const { name, rule, isOptional } of fields) {
        const value = entry[name];
        if (value !== undefined) sent++;
        else if (isOptional) continue;
        if (!rule.passes(value)) {
          faults.push(...rule.faultsOf(value, `${path}[${index}].${name}`));
        } else if (this.compared.includes(name)) {
          const text = this.compare(name, index, entries as SentObject[], path, firsts);
          if (text !== undefined) faults.push(faultAt(`${path}[${index}].${name}`, text));
        }
      }
      if (Object.keys(entry).length > sent) entries[index] = pick(fields, entry);
    }
    return faults;
  }

  private lengthFault(length: number, path: string): Fault {
    const { min, max, tooMany, empty } = this.options;
    if (length > max) {
      const text = `holds ${length} entries, at most ${max} are allowed`;
      return { ...faultAt(path, text), isTooMany: tooMany === 413 };
    }
    const least = `must hold at least ${min} ${min === 1 ? 'entry' : 'entries'}`;
    return faultAt(path, length === 0 && empty !== undefined ? `is empty: ${empty}` : least);
  }

  /** Says what is wrong with a value beside earlier entries, whose indexes `firsts` keeps. */
  private compare(
    name: string,
    index: number,
    entries: readonly SentObject[],
    path: string,
    firsts: Map<string, number>,
  ): string | undefined {
    const { uniqueBy, sameValue } = this.options;
    const value = entries[index]![name];
    const key = name === uniqueBy ? `${name} ${String(value)}` : name;
    const first = firsts.get(key) ?? index;
    firsts.set(key, first);
    const firstValue = entries[first]![name];
    if (first === index) return undefined;
    if (name === uniqueBy) return `repeats ${path}[${first}].${name}${inBrackets(value)}`;
    if (firstValue === value) return undefined;
    return `must be the same as in ${path}[${first}]${inBrackets(firstValue)}: ${sameValue!.because}`;
  }
}

function isObject(value: unknown): value is SentObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function inBrackets(value: unknown): string {
  const isShort = typeof value === 'number' || (typeof value === 'string' && value.length <= 20);
  return isShort ? ` (${value})` : '';
}
