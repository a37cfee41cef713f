import { defineField } from '../../../http/validation/field-rule.js';
import { DateField, MAX_INTEGER, OptionalField, QueryIntegerField } from '../../../http/validation/fields.decorator.js';
import { readCursor } from '../day-cursor.js';

const DayCursorField = defineField({
  name: 'dayCursor',
  passes: (value) => readCursor(value) !== undefined,
  message: () => 'must be the `next` of the previous page, given once',
  schema: { type: 'string' },
  description: 'The `next` of the previous page',
  example: '101-2025-10-15',
});

export class DayQueryDto {
  @QueryIntegerField({ min: 1, max: MAX_INTEGER, description: 'Identifier of the restaurant', example: 101 })
  readonly restaurant_id!: number;

  @DateField({ description: 'Day of the sales', example: '2025-10-15' })
  readonly date!: string;
}

export class UploadsQueryDto extends DayQueryDto {
  @OptionalField()
  @QueryIntegerField({ min: 1, max: 100, description: 'Most uploads per page; default: 50', example: 50 })
  readonly limit?: number;

  @OptionalField()
  @QueryIntegerField({ min: 1, max: MAX_INTEGER, description: 'The `next` of the previous page', example: 12 })
  readonly after?: number;
}

export class MissingQueryDto {
  @DateField({ description: 'First day', example: '2025-10-01' })
  readonly from!: string;

  @DateField({ description: 'Last day; the range has at most 92 days', example: '2025-10-31' })
  readonly to!: string;

  @OptionalField()
  @QueryIntegerField({ min: 1, max: MAX_INTEGER, description: 'Only this restaurant', example: 101 })
  readonly restaurant_id?: number;

  @OptionalField()
  @QueryIntegerField({ min: 1, max: 1000, description: 'Most days per page; default: 1000', example: 100 })
  readonly limit?: number;

  @OptionalField()
  @DayCursorField
  readonly after?: string;
}
