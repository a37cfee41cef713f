import { CalendarDate, MAX_INTEGER, Money, WholeNumber } from '../../../http/validation/fields.decorator.js';

/** One restaurant's sales in one hour of one day. Amounts are in the local currency; one with no sales is sent as 0. */
export class HourlySalesRecordDto {
  @WholeNumber({ min: 1, max: MAX_INTEGER, description: 'Identifier, as the administrator assigned it', example: 1 })
  readonly restaurant_id!: number;

  @CalendarDate({ description: 'Day of the sales', example: '2025-10-15' })
  readonly date!: string;

  @WholeNumber({ min: 0, max: 23, description: 'Hour of the day: 9 is from 09:00 to 09:59', example: 9 })
  readonly hour!: number;

  @WholeNumber({ min: 0, max: MAX_INTEGER, description: 'Number of orders or bills in this hour', example: 12 })
  readonly orders!: number;

  @Money({ description: 'Gross turnover: sales after discount, before GST and service charge', example: 350.5 })
  readonly gto!: number;

  @Money({ description: 'Government Service Tax', example: 28.04 })
  readonly gst!: number;

  @Money({ description: 'Service charge', example: 35.05 })
  readonly svc!: number;

  @Money({ description: 'Total of the discounts that were given', example: 10 })
  readonly discount!: number;

  @WholeNumber({ min: 0, max: MAX_INTEGER, description: 'Number of guests (covers) served', example: 25 })
  readonly pax!: number;

  @Money({ description: 'Paid in cash', example: 100 })
  readonly cash!: number;

  @Money({ description: 'Paid by NETS', example: 50.5 })
  readonly nets!: number;

  @Money({ description: 'Paid by Visa card', example: 150 })
  readonly visa!: number;

  @Money({ description: 'Paid by Mastercard', example: 63.09 })
  readonly master!: number;

  @Money({ description: 'Paid by American Express', example: 0 })
  readonly amex!: number;

  @Money({ description: 'Paid by voucher or gift card', example: 50 })
  readonly voucher!: number;

  @Money({ description: 'Paid by other methods, mobile wallets for example', example: 0 })
  readonly other!: number;
}
