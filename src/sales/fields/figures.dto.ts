import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IntegerField, integerSchema } from '../../http/validation/fields.decorator.js';
import { HOURS_PER_DAY, SALES_FIELDS, type Figures } from './sales-fields.js';

const SCHEMAS = {
  count: { ...integerSchema({ min: 0, max: Number.MAX_SAFE_INTEGER }), example: 12 },
  amount: { type: 'number', format: 'double', minimum: 0, example: 350.5 },
} as const;

const FIGURES = Object.fromEntries(SALES_FIELDS.map(({ name, kind }) => [name, SCHEMAS[kind]]));

/** A class whose properties follow from the list of fields. */
@ApiSchema({
  description: 'Figures of one hour, or totals, which may have more digits than a double',
})
export class SalesFigures {}

for (const [name, schema] of Object.entries(FIGURES))
  ApiProperty(schema)(SalesFigures.prototype, name);

export class HourChange {
  @IntegerField({ min: 0, max: HOURS_PER_DAY - 1, example: 9 }) readonly hour!: number;

  /** In OpenAPI 3.0 a reference does not admit null, so the schema of figures is repeated. */
  @ApiProperty({
    type: 'object',
    properties: FIGURES,
    required: Object.keys(FIGURES),
    selfRequired: false,
    nullable: true,
    description: 'null if the hour was not uploaded before, or by none of the 5,000 uploads before',
  })
  readonly before!: Figures<number> | null;

  @ApiProperty({ type: () => SalesFigures }) readonly after!: Figures<number>;
}
