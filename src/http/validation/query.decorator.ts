import { getMetadataStorage } from 'class-validator';
import { defineField, type FieldOptions } from './define-field.js';

const NAME = 'queryWholeNumber';

/** Canonical decimal only: no sign but a minus, no leading zero, nothing around it. */
const WHOLE_NUMBER = /^(?:0|-?[1-9]\d{0,15})$/;

interface Range {
  readonly min: number;
  readonly max: number;
}

/** A whole number in the query string, written `5`: not `5.0`, `05` or nothing. The handler gets a number. */
export function QueryWholeNumber({ min, max, ...options }: Range & FieldOptions): PropertyDecorator {
  return defineField(
    {
      name: NAME,
      passes: (value) => {
        if (typeof value !== 'string' || !WHOLE_NUMBER.test(value)) return false;
        return Number(value) >= min && Number(value) <= max;
      },
      fault: () => `must be an integer from ${min} to ${max}, given once`,
      schema: { type: 'integer', minimum: min, maximum: max },
    },
    options,
  );
}

/** A copy of a valid query in which the parameters marked `@QueryWholeNumber` are numbers. */
export function withNumbers(Dto: new () => object, query: object): object {
  const copy: Record<string, unknown> = { ...query };
  for (const { name, propertyName } of getMetadataStorage().getTargetValidationMetadatas(Dto, '', false, false)) {
    if (name === NAME && copy[propertyName] !== undefined) copy[propertyName] = Number(copy[propertyName]);
  }
  return copy;
}
