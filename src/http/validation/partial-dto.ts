import { defineComparison, fieldsOf, type DtoClass } from './field-rule.js';
import { NullableField, OptionalField } from './fields.decorator.js';

/** Makes a class of some fields of a DTO, each of which may be left out: the body of a PATCH. */
export function PartialDto<T extends object, Name extends keyof T & string>(
  Dto: new () => T,
  ...names: readonly Name[]
): new () => Partial<Pick<T, Name>> {
  const Part: DtoClass = class extends Object {};
  for (const name of names) decorate(Part, Dto, name, names);
  return Part;
}

/** A comparison with a field that is not among the names is left out. */
function decorate(Part: DtoClass, Dto: DtoClass, name: string, names: readonly string[]): void {
  const field = fieldsOf(Dto).find((each) => each.name === name);
  if (!field?.rule || !field.isOwn) throw new Error(`${Dto.name}.${name}: PartialDto takes our field decorators only`);
  const comparisons = field.comparisons.filter(({ definition }) => names.includes(definition.other));
  const decorators = [
    field.rule.toDecorator(),
    OptionalField(),
    ...(field.isNullable ? [NullableField()] : []),
    ...comparisons.map(({ definition }) => defineComparison(definition)),
  ];
  for (const apply of decorators) apply(Part.prototype as object, name);
}
