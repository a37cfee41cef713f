import { applyDecorators } from '@nestjs/common';
import { Max, Min } from 'class-validator';

export function WholeNumber(min: number, max: number): PropertyDecorator {
  const message = `$property must be a whole number from ${min} to ${max}`;
  return applyDecorators(Min(min, { message }), Max(max, { message }));
}
