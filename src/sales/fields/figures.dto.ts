import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IntegerField, integerSchema } from '../../http/validation/fields.decorator.js';
import { HOURS_PER_DAY, SALES_FIELDS, type Figures } from './sales-fields.js';

const SCHEMAS = {
  count: { ...integerSchema({ min: 0, max: Number.MAX_SAFE_INTEGER }), example: 12 },
  amount: { type: 'number', format: 'double', minimum: 0, example: 350.5 },
} as const;

/** A class whose properties follow from the list of fields. */
@ApiSchema({
  description: 'Figures of one hour, or totals, which may have more digits than a double',
})
export class SalesFigures {}

for (const { name, kind } of SALES_FIELDS) ApiProperty(SCHEMAS[kind])(SalesFigures.prototype, name);

export class HourChange {
  @IntegerField({ min: 0, max: HOURS_PER_DAY - 1, example: 9 }) readonly hour!: number;

  @ApiProperty({
    type: () => SalesFigures,
    nullable: true,
    description: 'null if the hour was not uploaded before, or by none of the 5,000 uploads before',
  })
  readonly before!: Figures<number> | null;

  @ApiProperty({ type: () => SalesFigures }) readonly after!: Figures<number>;
}
