import { AmountField, DateField, IntegerField } from '../../http/validation/fields.decorator.js';
import { HOURS_PER_DAY, type SentFigures } from './sales-fields.js';

/** Sales of a restaurant in an hour, in local currency; a method without payments is 0. */
export class HourlySalesRecordDto implements SentFigures {
  @IntegerField({ min: 1, description: 'Identifier, assigned by the administrator', example: 101 })
  readonly restaurant_id!: number;

  @DateField({ description: 'Day of the sales', example: '2025-10-15' })
  readonly date!: string;

  @IntegerField({
    min: 0,
    max: HOURS_PER_DAY - 1,
    description: 'Hour of the day: 9 is 09:00 to 09:59',
    example: 9,
  })
  readonly hour!: number;

  @IntegerField({ min: 0, description: 'Number of orders or bills in this hour', example: 12 })
  readonly orders!: number;

  @AmountField({
    description: 'Gross turnover: sales after discount, before GST and service charge',
    example: 350.5,
  })
  readonly gto!: number;

  @AmountField({ description: 'Government Service Tax', example: 28.04 })
  readonly gst!: number;

  @AmountField({ description: 'Service charge', example: 35.05 })
  readonly svc!: number;

  @AmountField({ description: 'Total discount applied', example: 10 })
  readonly discount!: number;

  @IntegerField({ min: 0, description: 'Number of guests (covers) served', example: 25 })
  readonly pax!: number;

  @AmountField({ description: 'Cash payments', example: 100 })
  readonly cash!: number;

  @AmountField({ description: 'NETS payments', example: 50.5 })
  readonly nets!: number;

  @AmountField({ description: 'Visa card payments', example: 150 })
  readonly visa!: number;

  @AmountField({ description: 'Mastercard payments', example: 63.09 })
  readonly master!: number;

  @AmountField({ description: 'American Express payments', example: 0 })
  readonly amex!: number;

  @AmountField({ description: 'Voucher or gift card payments', example: 50 })
  readonly voucher!: number;

  @AmountField({ description: 'Other payments, such as mobile wallets', example: 0 })
  readonly other!: number;
}
