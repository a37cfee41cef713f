import { TransformationType } from 'class-transformer';
import { defaultMetadataStorage as transformations } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage } from 'class-validator';

export type DtoClass = new () => object;

/** One rule as class-validator keeps it. */
export type Rule = ReturnType<typeof rulesOf>[number];

/** The validation rules of a class, its parents' included; none where it is no DTO. */
export function rulesOf(target: DtoClass) {
  return getMetadataStorage().getTargetValidationMetadatas(target, '', false, false);
}

export function hasRules(target: unknown): target is DtoClass {
  return typeof target === 'function' && rulesOf(target as DtoClass).length > 0;
}

/** The class of the objects in a field that is marked `@ValidateNested`, from the field's `@Type(() => Class)`. */
export function nestedClass(Dto: DtoClass, field: string): DtoClass {
  const type = transformations.findTypeMetadata(Dto, field);
  if (type?.options?.discriminator) throw new Error(`${Dto.name}.${field}: discriminators are not supported`);
  const Nested = type?.typeFunction?.();
  if (!hasRules(Nested)) throw new Error(`${Dto.name}.${field}: needs @Type(() => a class with rules)`);
  return Nested;
}

/** Values reach the handler as they were sent: whatever would change them on the way is refused, not ignored. */
export function assertLeavesValuesAlone(Dto: DtoClass, field: string, isNested: boolean): void {
  const changes = [
    ...transformations.findTransformMetadatas(Dto, field, TransformationType.PLAIN_TO_CLASS),
    transformations.findExposeMetadata(Dto, field),
    transformations.findExcludeMetadata(Dto, field),
    isNested ? undefined : transformations.findTypeMetadata(Dto, field),
  ];
  if (changes.some((change) => change !== undefined)) {
    throw new Error(`${Dto.name}.${field}: @Transform, @Expose, @Exclude and @Type have no effect here`);
  }
}

/** A DTO is never constructed, so that an initial value would silently be no default. */
export function assertNoInitialValues(Dto: DtoClass): void {
  const field = Object.entries(new Dto()).find(([, value]) => value !== undefined)?.[0];
  if (field !== undefined) throw new Error(`${Dto.name}.${field}: an initial value has no effect here`);
}
