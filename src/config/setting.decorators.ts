import { applyDecorators } from '@nestjs/common';
import { IsBoolean, Max, Min, ValidateIf } from 'class-validator';

/** Takes a whole number of a range, or 0 where that has a meaning of its own. */
export function WholeNumber(
  min: number,
  max: number,
  { orZero = false }: { readonly orZero?: boolean } = {},
): PropertyDecorator {
  const message = `$property must be a whole number from ${min} to ${max}${orZero ? ', or 0' : ''}`;
  return applyDecorators(
    ValidateIf((_config, value) => !orZero || value !== 0),
    Min(min, { message }),
    Max(max, { message }),
  );
}

/** Takes true or false. */
export const TrueOrFalse = (): PropertyDecorator =>
  IsBoolean({ message: '$property must be true or false' });
