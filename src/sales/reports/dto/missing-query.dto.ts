import { defineField } from '../../../http/validation/field-rule.js';
import { DateField, MAX_INTEGER, OptionalField } from '../../../http/validation/fields.decorator.js';
import { QueryIntegerField } from '../../../http/validation/fields.decorator.js';
import { readCursor } from '../day-cursor.js';

const Cursor = defineField(
  {
    name: 'dayCursor',
    passes: (value) => readCursor(value) !== undefined,
    message: () => 'must be the `next` of the page before, given once',
    schema: { type: 'string' },
  },
  { description: 'The `next` of the page before', example: '101-2025-10-15' },
);

/** A page of the days, within a range, of which hours are missing. */
export class MissingQueryDto {
  @DateField({ description: 'First day', example: '2025-10-01' })
  readonly from!: string;

  @DateField({ description: 'Last day; at most 92 days are looked at', example: '2025-10-31' })
  readonly to!: string;

  @OptionalField()
  @QueryIntegerField({ min: 1, max: MAX_INTEGER, description: 'This restaurant only', example: 101 })
  readonly restaurant_id?: number;

  @OptionalField()
  @QueryIntegerField({ min: 1, max: 1000, description: 'The most days to tell; 1000 where left out', example: 100 })
  readonly limit?: number;

  @OptionalField()
  @Cursor
  readonly after?: string;
}
