import { ApiProperty } from '../../../http/openapi/openapi.decorator.js';

const Count = ApiProperty({ type: 'integer', minimum: 0 });
const Amount = ApiProperty({ type: 'number', minimum: 0 });

/** The figures of one hour, or added up. Totals may have more digits than a binary number carries. */
export class SalesFigures {
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
}
