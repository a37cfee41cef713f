import { applyDecorators } from '@nestjs/common';
import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import type { FieldErrors, ReportedError } from './field-errors.js';
import { FieldRule, fieldsOf, type DtoClass, type FieldOptions } from './field-rule.js';

interface ListOptions extends FieldOptions {
  readonly min: number;
  readonly max: number;
  /** Status above `max`; reported before all other errors. */
  readonly tooMany?: 413;
  /** What to send instead of an empty list. */
  readonly empty?: string;
  readonly uniqueBy?: string;
  readonly sameValue?: { readonly fields: readonly string[]; readonly because: string };
}

/** Describes a value that contradicts an earlier entry. */
type Comparison = (value: unknown, index: number) => ReportedError | undefined;

/** A JSON array of objects, each validated by its own DTO class. */
export function ListField(entry: () => DtoClass, options: ListOptions): PropertyDecorator {
  return applyDecorators(
    new ListRule(entry, options).toDecorator(),
    ValidateNested({ message: '$property must be an object' }),
    Type(entry),
  );
}

export class ListRule extends FieldRule {
  constructor(
    readonly entry: () => DtoClass,
    private readonly options: ListOptions,
  ) {
    const { min, max } = options;
    super({
      ...options,
      name: 'listField',
      passes: (list) => Array.isArray(list) && list.length >= min && list.length <= max && firstArrayIn(list) === -1,
      message: (list) => (Array.isArray(list) ? describeShortList(list, options) : 'must be an array'),
      schema: { type: () => entry(), isArray: true, minItems: min, maxItems: max },
      entry,
    });
  }

  override passes(list: unknown): boolean {
    return super.passes(list) && this.compare('', list as readonly unknown[]).length === 0;
  }

  override report(path: string, list: unknown, errors: FieldErrors): void {
    const { min, max, tooMany } = this.options;
    if (!Array.isArray(list) || list.length < min) super.report(path, list, errors);
    else if (list.length > max) {
      const text = `${path} holds ${list.length} entries, at most ${max} are allowed`;
      if (tooMany) errors.addTooManyEntries(text);
      else errors.add({ path, code: 'invalid', text: () => text });
    } else if (firstArrayIn(list) >= 0) {
      const entry = `${path}[${firstArrayIn(list)}]`;
      errors.add({ path: entry, code: 'invalid', text: () => `${entry} must be an object` });
    } else this.compare(path, list).forEach((error) => errors.add(error));
  }

  startComparing(path: string): Map<string, Comparison> {
    const { uniqueBy, sameValue } = this.options;
    const comparisons = new Map<string, Comparison>();
    for (const field of sameValue?.fields ?? [])
      comparisons.set(field, compareWithFirst(path, field, sameValue!.because));
    if (uniqueBy !== undefined) comparisons.set(uniqueBy, compareWithEarlier(path, uniqueBy));
    return comparisons;
  }

  private compare(path: string, list: readonly unknown[]): ReportedError[] {
    const comparisons = this.startComparing(path);
    const rules = new Map(fieldsOf(this.entry()).map(({ name, rule }) => [name, rule]));
    return list.flatMap((entry, index) => {
      if (typeof entry !== 'object' || entry === null) return [];
      return [...comparisons].flatMap(([field, describe]) => {
        const value: unknown = Reflect.get(entry, field);
        return rules.get(field)?.passes(value) === false ? [] : (describe(value, index) ?? []);
      });
    });
  }
}

/** class-validator would look into nested arrays. */
function firstArrayIn(list: readonly unknown[]): number {
  return list.findIndex((entry) => Array.isArray(entry));
}

function describeShortList({ length }: readonly unknown[], { min, empty }: ListOptions): string {
  if (length === 0 && empty !== undefined) return `is empty: ${empty}`;
  return `must hold at least ${min} ${min === 1 ? 'entry' : 'entries'}`;
}

function compareWithFirst(path: string, field: string, because: string): Comparison {
  let first: { readonly index: number; readonly value: unknown } | undefined;
  return (value, index) => {
    if (value === undefined) return undefined;
    const expected = (first ??= { index, value });
    if (expected.value === value) return undefined;
    const at = `${path}[${index}].${field}`;
    const text = () =>
      `${at} must be the same as in ${path}[${expected.index}]${inBrackets(expected.value)}: ${because}`;
    return { path: at, code: 'mixed', text };
  };
}

function compareWithEarlier(path: string, field: string): Comparison {
  const indexes = new Map<unknown, number>();
  return (value, index) => {
    const earlier = value === undefined ? undefined : indexes.get(value);
    if (earlier === undefined) {
      indexes.set(value, index);
      return undefined;
    }
    const at = `${path}[${index}].${field}`;
    return { path: at, code: 'repeated', text: () => `${at} repeats ${path}[${earlier}].${field}${inBrackets(value)}` };
  };
}

function inBrackets(value: unknown): string {
  const isShort = typeof value === 'number' || (typeof value === 'string' && value.length <= 20);
  return isShort ? ` (${value})` : '';
}
