import { ValidateBy } from 'class-validator';

/** A setting that is a whole number from `min` to `max`. */
export function WholeNumber(min: number, max: number): PropertyDecorator {
  return ValidateBy({
    name: 'wholeNumber',
    validator: {
      validate: (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
      defaultMessage: () => `$property must be a whole number from ${min} to ${max}`,
    },
  });
}
