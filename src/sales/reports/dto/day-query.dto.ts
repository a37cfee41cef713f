import { DateField, MAX_INTEGER } from '../../../http/validation/fields.decorator.js';
import { QueryIntegerField } from '../../../http/validation/fields.decorator.js';

/** One restaurant's day. */
export class DayQueryDto {
  @QueryIntegerField({ min: 1, max: MAX_INTEGER, description: 'Identifier of the restaurant', example: 101 })
  readonly restaurant_id!: number;

  @DateField({ description: 'Day of the sales', example: '2025-10-15' })
  readonly date!: string;
}
