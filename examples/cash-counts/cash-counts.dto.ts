import { ApiProperty } from '@nestjs/swagger';
import { isCalendarDate } from '../../src/http/validation/calendar-date.js';
import {
  DateField,
  DecimalField,
  IntegerField,
  MAX_INTEGER,
  OptionalField,
  StringField,
} from '../../src/http/validation/fields.decorator.js';
import { ListField } from '../../src/http/validation/list-field.decorator.js';
import {
  CursorField,
  LimitField,
  NextField,
} from '../../src/http/validation/page-fields.decorator.js';

const RESTAURANT = { min: 1, max: MAX_INTEGER, description: 'Restaurant identifier', example: 101 };
const DATE = { description: 'Day of the count', example: '2025-10-15' };
const MAX_DRAWERS = 50;

export class CashCountLineDto {
  @StringField({ max: 40, description: 'Word for the drawer, once in a count', example: 'bar' })
  readonly drawer!: string;

  /** Amount in the local currency. */
  @DecimalField({
    max: 9_999_999_999.99,
    decimals: 2,
    description: 'What was in the drawer',
    example: 312.4,
  })
  readonly amount!: number;

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

/** The lines that replace those of a day. */
export class PutCashCountDto {
  @ListField(() => CashCountLineDto, { min: 1, max: MAX_DRAWERS, uniqueBy: 'drawer' })
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

/** Returns undefined for a text that is not the `next` of a page. */
function readPosition(text: unknown): CashCountPosition | undefined {
  if (typeof text !== 'string') return undefined;
  const [date, drawer] = [text.slice(0, 10), text.slice(11)];
  return isCalendarDate(date) && text[10] === ':' ? { date, drawer } : undefined;
}

export function writePosition({ date, drawer }: CashCountPosition): string {
  return `${date}:${drawer}`;
}

export class CashCountLinesQueryDto {
  @IntegerField({ in: 'query', ...RESTAURANT })
  readonly restaurant_id!: number;

  @DateField({ description: 'The first day', example: '2025-10-01' })
  readonly from!: string;

  @DateField({ description: 'The last day', example: '2025-10-31' })
  readonly to!: string;

  @OptionalField()
  @StringField({ max: 40, description: 'Only this drawer', example: 'bar' })
  readonly drawer?: string;

  @LimitField({ max: 500, default: 100 })
  readonly limit: number = 100;

  @CursorField(readPosition, '2025-10-15:bar')
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
