import { ApiProperty } from '@nestjs/swagger';
import { ArrayUnique } from 'class-validator';
import { defineField } from '../../src/http/validation/define-field.js';
import {
  DateField,
  EnumField,
  IntegerField,
  isCalendarDate,
  LimitField,
  MAX_INTEGER,
  NextField,
  OptionalField,
  StringField,
} from '../../src/http/validation/fields.decorator.js';
import { ListField } from '../../src/http/validation/list-field.decorator.js';
import { type Kind, KINDS } from './cash-count-kind.js';

const RESTAURANT = { min: 1, max: MAX_INTEGER, description: 'Restaurant identifier', example: 101 };
const DATE = { description: 'Day of the count', example: '2025-10-15' };
const MAX_DRAWERS = 50;
const MAX_AMOUNT = 9_999_999_999.99;

/** An amount in the local currency, with at most two decimals. */
const CashField = defineField({
  passes: (value) =>
    typeof value === 'number' &&
    value >= 0 &&
    value <= MAX_AMOUNT &&
    Number(value.toFixed(2)) === value,
  message: () => `must be a number from 0 to ${MAX_AMOUNT} with at most 2 decimals`,
  schema: { type: 'number', format: 'double', minimum: 0, maximum: MAX_AMOUNT },
  description: 'What was in the drawer',
  example: 312.4,
});

export class CashCountLineDto {
  @StringField({ max: 40, description: 'Word for the drawer, once in a count', example: 'bar' })
  readonly drawer!: string;

  @CashField
  readonly amount!: number;

  @OptionalField()
  @EnumField(KINDS, { description: 'Where the money is; default: till', example: 'till' })
  readonly kind?: Kind;

  @OptionalField()
  @StringField({ max: 200, description: 'What explains the amount', example: 'a voucher inside' })
  readonly note?: string;
}

export class CashCountPathDto {
  @IntegerField({ in: 'path', ...RESTAURANT })
  readonly restaurant_id!: number;

  @DateField(DATE)
  readonly date!: string;
}

export class CashCountDaysDto {
  @DateField({ description: 'The first day', example: '2025-10-01' })
  readonly from!: string;

  @DateField({ description: 'The last day', example: '2025-10-31' })
  readonly to!: string;
}

/** The lines that replace those of a day. */
export class PutCashCountDto {
  @ArrayUnique(({ drawer }: CashCountLineDto) => drawer, { message: '$property repeats a drawer' })
  @ListField(() => CashCountLineDto, { max: MAX_DRAWERS, empty: 'a count is deleted with DELETE' })
  readonly lines!: CashCountLineDto[];
}

export class CashCountResponse {
  @IntegerField(RESTAURANT)
  readonly restaurant_id!: number;

  @DateField(DATE)
  readonly date!: string;

  @ApiProperty({ type: [CashCountLineDto], description: 'By drawer' })
  readonly lines!: CashCountLineDto[];

  @ApiProperty({ type: Number, description: 'The exact sum of the amounts', example: 312.4 })
  readonly total!: number;
}

/** The end of a page of lines: the day and the drawer of its last line. */
export interface CashCountPosition {
  readonly date: string;
  readonly drawer: string;
}

const PositionField = defineField({
  parse: readPosition,
  passes: (value) => value !== null,
  message: () => 'must be the `next` of the previous page',
  schema: { type: 'string' },
  description: 'The `next` of the previous page',
  example: '2025-10-15:bar',
});

/** Reads the `next` of a page; undefined if the text is not one. */
function readPosition(text: string): CashCountPosition | undefined {
  const [date, drawer] = [text.slice(0, 10), text.slice(11)];
  return isCalendarDate(date) && text[10] === ':' ? { date, drawer } : undefined;
}

export function writePosition({ date, drawer }: CashCountPosition): string {
  return `${date}:${drawer}`;
}

export class CashCountLinesQueryDto extends CashCountDaysDto {
  @IntegerField({ in: 'query', ...RESTAURANT })
  readonly restaurant_id!: number;

  @OptionalField()
  @StringField({ max: 40, description: 'Only this drawer', example: 'bar' })
  readonly drawer?: string;

  @LimitField({ max: 500, default: 100 })
  readonly limit: number = 100;

  @OptionalField()
  @PositionField
  readonly after?: CashCountPosition;
}

class DatedCashCountLineDto extends CashCountLineDto {
  @DateField(DATE)
  readonly date!: string;
}

export class CashCountLinesResponse {
  @ApiProperty({ type: [DatedCashCountLineDto], description: 'By date and drawer' })
  readonly lines!: DatedCashCountLineDto[];

  @NextField('string')
  readonly next!: string | null;
}
