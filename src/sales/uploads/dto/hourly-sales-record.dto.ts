import { DateField, MAX_INTEGER, AmountField, IntegerField } from '../../../http/validation/fields.decorator.js';

/** One restaurant's sales in one hour of one day. Amounts are in the local currency; one with no sales is sent as 0. */
export class HourlySalesRecordDto {
  @IntegerField({ min: 1, max: MAX_INTEGER, description: 'Identifier, as the administrator assigned it', example: 1 })
  readonly restaurant_id!: number;

  @DateField({ description: 'Day of the sales', example: '2025-10-15' })
  readonly date!: string;

  @IntegerField({ min: 0, max: 23, description: 'Hour of the day: 9 is from 09:00 to 09:59', example: 9 })
  readonly hour!: number;

  @IntegerField({ min: 0, max: MAX_INTEGER, description: 'Number of orders or bills in this hour', example: 12 })
  readonly orders!: number;

  @AmountField({ description: 'Gross turnover: sales after discount, before GST and service charge', example: 350.5 })
  readonly gto!: number;

  @AmountField({ description: 'Government Service Tax', example: 28.04 })
  readonly gst!: number;

  @AmountField({ description: 'Service charge', example: 35.05 })
  readonly svc!: number;

  @AmountField({ description: 'Total of the discounts that were given', example: 10 })
  readonly discount!: number;

  @IntegerField({ min: 0, max: MAX_INTEGER, description: 'Number of guests (covers) served', example: 25 })
  readonly pax!: number;

  @AmountField({ description: 'Paid in cash', example: 100 })
  readonly cash!: number;

  @AmountField({ description: 'Paid by NETS', example: 50.5 })
  readonly nets!: number;

  @AmountField({ description: 'Paid by Visa card', example: 150 })
  readonly visa!: number;

  @AmountField({ description: 'Paid by Mastercard', example: 63.09 })
  readonly master!: number;

  @AmountField({ description: 'Paid by American Express', example: 0 })
  readonly amex!: number;

  @AmountField({ description: 'Paid by voucher or gift card', example: 50 })
  readonly voucher!: number;

  @AmountField({ description: 'Paid by other methods, mobile wallets for example', example: 0 })
  readonly other!: number;
}
