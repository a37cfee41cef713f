import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { HOURS_PER_DAY } from '../../calendar/hour-set.js';
import {
  AmountField,
  DateField,
  IntegerField,
  integerSchema,
} from '../../http/validation/fields.decorator.js';
import { type Figures, SALES_FIELDS, type SentFigures } from './sales-fields.js';

const HourField = IntegerField({
  min: 0,
  max: HOURS_PER_DAY - 1,
  description: '9 is 09:00 to 09:59',
  example: 9,
});

const AFTER_DISCOUNT = 'Gross turnover: after discount, before GST and service charge';

/** Sales of a restaurant in an hour, in local currency; a method without payments is 0. */
export class HourlySalesRecordDto implements SentFigures {
  @IntegerField({ min: 1, example: 101 }) readonly restaurant_id!: number;
  @DateField({ example: '2025-10-15' }) readonly date!: string;
  @HourField readonly hour!: number;

  @IntegerField({ min: 0, description: 'Orders or bills', example: 12 }) readonly orders!: number;
  @AmountField({ description: AFTER_DISCOUNT, example: 350.5 }) readonly gto!: number;
  @AmountField({ description: 'Goods and services tax', example: 28.04 })
  readonly gst!: number;
  @AmountField({ description: 'Service charge', example: 35.05 }) readonly svc!: number;
  @AmountField({ description: 'Total discount applied', example: 10 }) readonly discount!: number;
  @IntegerField({ min: 0, description: 'Guests served', example: 25 }) readonly pax!: number;
  @AmountField({ description: 'Cash payments', example: 100 }) readonly cash!: number;
  @AmountField({ description: 'NETS payments', example: 50.5 }) readonly nets!: number;
  @AmountField({ description: 'Visa payments', example: 150 }) readonly visa!: number;
  @AmountField({ description: 'Mastercard payments', example: 63.09 }) readonly master!: number;
  @AmountField({ description: 'American Express payments', example: 0 }) readonly amex!: number;
  @AmountField({ description: 'Vouchers and gift cards', example: 50 }) readonly voucher!: number;
  @AmountField({ description: 'Mobile wallets and others', example: 0 }) readonly other!: number;
  // a new field goes here
}

const SCHEMAS = {
  count: { ...integerSchema({ min: 0, max: Number.MAX_SAFE_INTEGER }), example: 12 },
  amount: { type: 'number', format: 'double', minimum: 0, example: 350.5 },
} as const;

const FIGURES = Object.fromEntries(SALES_FIELDS.map(({ name, kind }) => [name, SCHEMAS[kind]]));

const Count = ApiProperty(SCHEMAS.count);
const Amount = ApiProperty(SCHEMAS.amount);

/** The figures alone. */
@ApiSchema({
  description: 'Figures of one hour, or totals, which may have more digits than a double',
})
export class SalesFigures implements Figures<number> {
  @Count readonly orders!: number;
  @Amount readonly gto!: number;
  @Amount readonly gst!: number;
  @Amount readonly svc!: number;
  @Amount readonly discount!: number;
  @Count readonly pax!: number;
  @Amount readonly cash!: number;
  @Amount readonly nets!: number;
  @Amount readonly visa!: number;
  @Amount readonly master!: number;
  @Amount readonly amex!: number;
  @Amount readonly voucher!: number;
  @Amount readonly other!: number;
  // the figure of a new field goes here
}

export class HourChange {
  @HourField readonly hour!: number;

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

  @ApiProperty({ type: SalesFigures }) readonly after!: SalesFigures;
}
