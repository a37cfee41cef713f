import { ApiProperty } from '@nestjs/swagger';
import { IntegerField, integerSchema } from '../../http/validation/fields.decorator.js';
import { HOURS_PER_DAY, type Figures } from './sales-fields.js';

const count = integerSchema({ min: 0, max: Number.MAX_SAFE_INTEGER });
const amount = { type: 'number', format: 'double', minimum: 0 } as const;

/** The figures of one hour, or totals, which may have more digits than a JavaScript number. */
export class SalesFigures implements Figures<number> {
  @ApiProperty({ ...count, example: 12 }) readonly orders!: number;
  @ApiProperty({ ...amount, example: 350.5 }) readonly gto!: number;
  @ApiProperty({ ...amount, example: 28.04 }) readonly gst!: number;
  @ApiProperty({ ...amount, example: 35.05 }) readonly svc!: number;
  @ApiProperty({ ...amount, example: 10 }) readonly discount!: number;
  @ApiProperty({ ...count, example: 25 }) readonly pax!: number;
  @ApiProperty({ ...amount, example: 100 }) readonly cash!: number;
  @ApiProperty({ ...amount, example: 50.5 }) readonly nets!: number;
  @ApiProperty({ ...amount, example: 150 }) readonly visa!: number;
  @ApiProperty({ ...amount, example: 63.09 }) readonly master!: number;
  @ApiProperty({ ...amount, example: 0 }) readonly amex!: number;
  @ApiProperty({ ...amount, example: 50 }) readonly voucher!: number;
  @ApiProperty({ ...amount, example: 0 }) readonly other!: number;
}

export class HourChange {
  @IntegerField({ min: 0, max: HOURS_PER_DAY - 1, example: 9 }) readonly hour!: number;

  @ApiProperty({
    type: () => SalesFigures,
    nullable: true,
    description: 'null if the hour was not uploaded before, or by none of the 5,000 uploads before',
  })
  readonly before!: SalesFigures | null;

  @ApiProperty({ type: () => SalesFigures }) readonly after!: SalesFigures;
}
