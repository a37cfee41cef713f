import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { registerDecorator } from 'class-validator';
import {
  declare,
  declaredFields,
  described,
  pickDeclared,
  type DeclaredField,
  type FieldOptions,
} from './define-field.js';
import { faultAt, type DescribingRule, type Fault } from './faults.js';

interface ListOptions<Field> extends FieldOptions {
  readonly min: number;
  readonly max: number;
  /** Status above `max`; reported before all other errors. */
  readonly tooMany?: 413;
  /** What to send instead of an empty list. */
  readonly empty?: string;
  readonly uniqueBy?: Field;
  readonly sameValue?: { readonly fields: readonly Field[]; readonly because: string };
}

/**
 * A JSON array of plain objects that one constraint checks, in a loop over the fields of their class.
 *
 * The class may have decorators of this folder only; for others there is `@ValidateNested`, at twenty times the cost.
 */
export function ListField<Entry extends object>(
  entry: () => new () => Entry,
  options: ListOptions<keyof Entry & string>,
): PropertyDecorator {
  const rule = new ListRule(entry, options);
  const passes = (list: unknown): boolean => rule.findFaults(list, '', 1).length === 0;
  const context: DescribingRule = { entry, faultsOf: (list, path) => rule.findFaults(list, path) };
  const decorate: PropertyDecorator = ({ constructor: target }, property) =>
    registerDecorator({
      name: 'list',
      target,
      propertyName: String(property),
      options: { message: '$property is invalid', context },
      validator: { validate: passes },
    });
  const { min: minItems, max: maxItems } = options;
  const schema = { type: () => entry(), isArray: true, minItems, maxItems } as const;
  return applyDecorators(
    decorate,
    declare({ passes, faultsOf: context.faultsOf }),
    ApiProperty({ ...schema, ...described(options) }),
  );
}

class ListRule {
  private fields: readonly ListedField[] | undefined;

  constructor(
    private readonly entry: () => new () => object,
    private readonly options: ListOptions<string>,
  ) {}

  /** Looks at no further entry when there are `limit` faults. Takes undeclared fields out of the entries. */
  findFaults(list: unknown, path: string, limit = Infinity): readonly Fault[] {
    if (!Array.isArray(list))
      return [faultAt(path, list === undefined ? 'is missing' : 'must be an array')];
    if (list.length < this.options.min || list.length > this.options.max)
      return [this.lengthFault(list.length, path)];
    const entries = list as unknown[];
    const fields = (this.fields ??= readFields(this.entry(), this.options));
    const comparison = new Comparison(path, this.options);
    const faults: Fault[] = [];
    for (let index = 0; index < entries.length && faults.length < limit; index += 1) {
      const entry = entries[index];
      if (!isObject(entry)) {
        faults.push(faultAt(`${path}[${index}]`, 'must be an object'));
        continue;
      }
      let sent = 0;
      for (const field of fields) {
        const value = entry[field.name];
        if (value !== undefined) sent += 1;
        if (!isValid(field, value)) {
          faults.push(...faultsOfField(field, value, `${path}[${index}].${field.name}`));
        } else if (field.isCompared && value !== undefined) {
          const text = comparison.textOf(field.name, value, index);
          if (text !== undefined) faults.push(faultAt(`${path}[${index}].${field.name}`, text));
        }
      }
      if (Object.keys(entry).length > sent) entries[index] = pickDeclared(fields, entry);
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
}

interface ListedField extends DeclaredField {
  readonly isCompared: boolean;
}

function readFields(
  Entry: new () => object,
  { uniqueBy, sameValue }: ListOptions<string>,
): readonly ListedField[] {
  const fields = declaredFields(Entry);
  if (fields.length === 0 || fields.some(({ passes }) => !passes))
    throw new Error(`${Entry.name}: the fields of a ListField need decorators of http/validation`);
  const compared = [uniqueBy, ...(sameValue?.fields ?? [])];
  return fields.map((field) => ({ ...field, isCompared: compared.includes(field.name) }));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isValid(field: DeclaredField, value: unknown): boolean {
  if (value === undefined) return field.isOptional === true;
  return field.passes?.(value) === true || (value === null && field.isNullable === true);
}

function faultsOfField(field: DeclaredField, value: unknown, path: string): readonly Fault[] {
  return value === undefined ? [faultAt(path, 'is missing')] : field.faultsOf(value, path);
}

/** Compares valid values with those of the entries before. */
class Comparison {
  private readonly firsts = new Map<string, { readonly index: number; readonly value: unknown }>();
  private readonly indexes = new Map<unknown, number>();

  constructor(
    private readonly path: string,
    private readonly options: ListOptions<string>,
  ) {}

  /** Says what is wrong with a value. */
  textOf(field: string, value: unknown, index: number): string | undefined {
    const { uniqueBy, sameValue } = this.options;
    if (field === uniqueBy) {
      const earlier = this.indexes.get(value);
      if (earlier !== undefined)
        return `repeats ${this.path}[${earlier}].${field}${inBrackets(value)}`;
      this.indexes.set(value, index);
    } else if (sameValue?.fields.includes(field)) {
      const first = this.firsts.get(field) ?? { index, value };
      if (first.value !== value)
        return `must be the same as in ${this.path}[${first.index}]${inBrackets(first.value)}: ${sameValue.because}`;
      this.firsts.set(field, first);
    }
    return undefined;
  }
}

function inBrackets(value: unknown): string {
  const isShort = typeof value === 'number' || (typeof value === 'string' && value.length <= 20);
  return isShort ? ` (${value})` : '';
}
