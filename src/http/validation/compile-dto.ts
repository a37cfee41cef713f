import { isDeepStrictEqual } from 'node:util';
import { plainToInstance } from 'class-transformer';
import type { FieldErrors } from './field-errors.js';
import { fieldsOf, reportComparisons, type DtoClass, type Field, type FieldRule } from './field-rule.js';
import { ListRule } from './list-field.decorator.js';

const compiled = new Map<DtoClass, CompiledDto | undefined>();

/** Compiles a DTO class that has only our field decorators; see docs/performance.md#compiled-dtos. */
export function compileDto(Dto: DtoClass): CompiledDto | undefined {
  if (!compiled.has(Dto)) {
    compiled.set(Dto, undefined); // a class that contains itself stays so
    compiled.set(Dto, compileFields(Dto, fieldsOf(Dto)));
  }
  return compiled.get(Dto);
}

function compileFields(Dto: DtoClass, fields: readonly Field[]): CompiledDto | undefined {
  const compiledFields = fields.flatMap((field) => compileField(Dto, field) ?? []);
  reportComparisons(Dto, {}, () => undefined); // throws if a field that is compared with has no rule
  if (compiledFields.length < fields.length || isTransformed(Dto, fields)) return undefined;
  return new CompiledDto(Dto, compiledFields);
}

function compileField(Dto: DtoClass, field: Field): CompiledField | undefined {
  const { name, rule, isOwn } = field;
  if (rule instanceof ListRule) {
    assertComparable(`${Dto.name}.${name}`, rule);
    const Entry = compileDto(rule.entry());
    return Entry && isOwn ? new CompiledList(field, rule, Entry) : undefined;
  }
  return rule && isOwn ? new CompiledField(field, rule) : undefined;
}

function assertComparable(list: string, rule: ListRule): void {
  const Entry = rule.entry();
  const known = fieldsOf(Entry).map(({ name }) => name);
  if (known.length === 0) throw new Error(`${list}: ${Entry.name} has no validation rules`);
  const unknown = [...rule.startComparing('').keys()].find((field) => !known.includes(field));
  if (unknown !== undefined) throw new Error(`${list}: ${Entry.name} has no rule for ${unknown}`);
}

const SAMPLES = [undefined, null, ' Ab1 ', '12', 'true', '2025-01-01', 1.5, true, [' A '], { a: ' B ' }];

/** class-transformer does not list the decorators of a class. */
function isTransformed(Dto: DtoClass, fields: readonly Field[]): boolean {
  const names = fields.filter(({ name, rule }) => !(name in {}) && !(rule instanceof ListRule)).map(({ name }) => name);
  return SAMPLES.some((sample) => {
    const sent = Object.fromEntries(names.map((name) => [name, sample]));
    const received = plainToInstance(Dto, sample === undefined ? {} : sent);
    return !names.every((name) => isDeepStrictEqual(Reflect.get(received, name), sample));
  });
}

class CompiledDto {
  private readonly compares: boolean;

  constructor(
    private readonly Dto: DtoClass,
    private readonly fields: readonly CompiledField[],
  ) {
    this.compares = fieldsOf(Dto).some(({ comparisons }) => comparisons.length > 0);
  }

  passes(object: object): boolean {
    for (const field of this.fields) {
      if (!field.passes(field.valueIn(object))) return false;
    }
    let passes = true;
    if (this.compares) reportComparisons(this.Dto, object, () => (passes = false));
    return passes;
  }

  report(path: string, object: object, errors: FieldErrors, compare?: (field: string, value: unknown) => void): void {
    const pathOf = (name: string): string => (path === '' ? name : `${path}.${name}`);
    for (const field of this.fields) {
      const value = field.valueIn(object);
      if (field.passes(value)) compare?.(field.name, value);
      else field.report(pathOf(field.name), value, errors);
    }
    reportComparisons(this.Dto, object, (name, text) => {
      errors.add({ path: pathOf(name), code: 'invalid', text: () => `${pathOf(name)} ${text}` });
    });
  }
}

class CompiledField {
  readonly name: string;
  private readonly isInherited: boolean;
  private readonly isValid: (value: unknown) => boolean;

  constructor(
    private readonly field: Field,
    private readonly rule: FieldRule,
  ) {
    this.name = field.name;
    this.isInherited = this.name in {};
    this.isValid = rule.definition.passes;
  }

  /** Ignores `valueOf` and the like. */
  valueIn(object: object): unknown {
    if (this.isInherited && !Object.hasOwn(object, this.name)) return undefined;
    return (object as Readonly<Record<string, unknown>>)[this.name];
  }

  passes(value: unknown): boolean {
    if (value === undefined && this.field.isOptional) return true;
    return (value === null && this.field.isNullable) || this.isValid(value);
  }

  report(path: string, value: unknown, errors: FieldErrors): void {
    this.rule.report(path, value, errors);
  }
}

class CompiledList extends CompiledField {
  constructor(
    field: Field,
    private readonly list: ListRule,
    private readonly Entry: CompiledDto,
  ) {
    super(field, list);
  }

  override passes(value: unknown): boolean {
    if (!super.passes(value)) return false;
    if (!Array.isArray(value)) return true;
    const comparisons = [...this.list.startComparing('')];
    return value.every((entry: unknown, index) => {
      if (!isObject(entry) || !this.Entry.passes(entry)) return false;
      return comparisons.every(([field, describe]) => describe(entry[field], index) === undefined);
    });
  }

  override report(path: string, value: unknown, errors: FieldErrors): void {
    const entries: readonly unknown[] = Array.isArray(value) && super.passes(value) ? value : [];
    if (entries.length === 0) super.report(path, value, errors);
    const comparisons = this.list.startComparing(path);
    entries.forEach((entry, index) => {
      const at = `${path}[${index}]`;
      if (!isObject(entry)) errors.add({ path: at, code: 'invalid', text: () => `${at} must be an object` });
      else
        this.Entry.report(at, entry, errors, (field, sent) => {
          const error = comparisons.get(field)?.(sent, index);
          if (error) errors.add(error);
        });
    });
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
