import { defineField } from '../../http/validation/define-field.js';
import {
  AfterField,
  BooleanField,
  DateField,
  IntegerField,
  isCalendarDate,
  LimitField,
  MAX_INTEGER,
  OptionalField,
} from '../../http/validation/fields.decorator.js';
import { SALES_FIELDS } from '../fields/sales-fields.js';
import { MAX_NAMED_RESTAURANTS } from './report-limits.js';

export interface RestaurantDay {
  readonly restaurantId: number;
  /** YYYY-MM-DD */
  readonly date: string;
}

const RestaurantIdField = IntegerField({ in: 'query', min: 1, example: 101 });

const RestaurantIdsField = defineField({
  parse: readRestaurantIds,
  passes: (value) => Array.isArray(value),
  message: () => `must be 1 to ${MAX_NAMED_RESTAURANTS} identifiers with commas between`,
  schema: { type: 'string', pattern: '^[1-9]\\d{0,9}(,[1-9]\\d{0,9})*$' },
  description: `At most ${MAX_NAMED_RESTAURANTS}, with commas between; default: all of the caller`,
  example: '101',
});

function readRestaurantIds(text: string): number[] | undefined {
  const ids = text.split(',');
  const isValid = ids.every((id) => /^[1-9]\d{0,9}$/.test(id) && Number(id) <= MAX_INTEGER);
  return isValid && ids.length <= MAX_NAMED_RESTAURANTS ? ids.map(Number) : undefined;
}

const PositionField = positionField(readPosition, '101-2025-10-15');

/** Takes the `next` of a page by days; `parse` returns undefined for any other text. */
function positionField(parse: (text: string) => unknown, example: string): PropertyDecorator {
  return defineField({
    parse,
    passes: (value) => value !== null,
    message: () => 'must be the `next` of the previous page',
    schema: { type: 'string' },
    description: 'The `next` of the previous page',
    example,
  });
}

/** Reads a position, `101-2025-10-15`; undefined if the text is not one. */
function readPosition(text: string): RestaurantDay | undefined {
  const [, id, date] = /^([1-9]\d{0,9})-(.+)$/.exec(text) ?? [];
  return Number(id) <= MAX_INTEGER && isCalendarDate(date)
    ? { restaurantId: Number(id), date }
    : undefined;
}

export class DayQueryDto {
  @RestaurantIdField readonly restaurant_id!: number;
  @DateField({ example: '2025-10-15' }) readonly date!: string;
}

export class UploadsQueryDto extends DayQueryDto {
  @LimitField({ max: 100, default: 50 }) readonly limit?: number;
  @AfterField() readonly after?: number;
}

export class RangeQueryDto {
  @DateField({ description: 'First day', example: '2025-10-01' }) readonly from!: string;
  @DateField({ description: 'Last day', example: '2025-10-31' }) readonly to!: string;
}

export class MissingQueryDto extends RangeQueryDto {
  @OptionalField() @RestaurantIdField readonly restaurant_id?: number;
  @LimitField({ max: 1000, default: 1000 }) readonly limit?: number;
  @OptionalField() @PositionField readonly after?: RestaurantDay;
}

const GROUPINGS = ['date', 'week', 'month', 'restaurant', 'hour', 'weekday_hour'] as const;

/** Takes some of these words, with commas between them. */
function wordsField(words: readonly string[], description: string, example: string) {
  const isValid = (given: readonly string[]): boolean =>
    given.every((word) => words.includes(word)) && new Set(given).size === given.length;
  return defineField({
    parse: (text) => (isValid(text.split(',')) ? text.split(',') : undefined),
    passes: (value) => Array.isArray(value),
    message: () => `must be ${words.join(', ')}, or some of them with commas between`,
    schema: { type: 'string', pattern: `^(${words.join('|')})(,(${words.join('|')}))*$` },
    description,
    example,
  });
}

export class TotalsQueryDto extends RangeQueryDto {
  @OptionalField() @RestaurantIdsField readonly restaurant_id?: readonly number[];

  @OptionalField()
  @wordsField(GROUPINGS, 'Each has a list in the response; default: date', 'restaurant')
  readonly group_by?: readonly (typeof GROUPINGS)[number][];

  @OptionalField()
  @wordsField(
    SALES_FIELDS.map(({ name }) => name),
    'The figures of all lists, with commas between; default: all',
    'orders,gto',
  )
  readonly fields?: readonly string[];

  @OptionalField()
  @DateField({ description: 'First day of a second range, which `before` has' })
  readonly before_from?: string;

  @OptionalField()
  @DateField({ description: 'Last day of the second range' })
  readonly before_to?: string;
}

export class ExportQueryDto extends RangeQueryDto {
  @OptionalField() @RestaurantIdsField readonly restaurant_id?: readonly number[];
}

export class CalendarQueryDto extends RangeQueryDto {
  @OptionalField() @RestaurantIdsField readonly restaurant_id?: readonly number[];

  @OptionalField()
  @BooleanField({
    in: 'query',
    description: 'true: only restaurants with a finished day that is not complete; default: false',
  })
  readonly incomplete?: boolean;
  @LimitField({ max: 1000, default: 1000 }) readonly limit?: number;
  @AfterField() readonly after?: number;
}

/** Identifies an upload: its restaurant, date, and number within the day. */
export interface UploadId extends RestaurantDay {
  readonly number: number;
}

/** Reads the identifier of an upload, `101-2025-10-15-3`; undefined if the text is not one. */
function readUploadId(text: string): UploadId | undefined {
  const [, day = '', number] = /^(.+)-([1-9]\d{0,9})$/.exec(text) ?? [];
  const position = readPosition(day);
  return position && Number(number) <= MAX_INTEGER
    ? { ...position, number: Number(number) }
    : undefined;
}

const AfterUploadField = positionField(readUploadId, '101-2025-10-15-3');

export class ChangesQueryDto {
  @OptionalField()
  @DateField({ description: 'First day whose figures were replaced', example: '2025-10-01' })
  readonly from?: string;

  @OptionalField()
  @DateField({ description: 'Last such day', example: '2025-10-31' })
  readonly to?: string;

  @OptionalField()
  @DateField({ description: 'First day on which they were replaced' })
  readonly made_from?: string;

  @OptionalField() @DateField({ description: 'Last such day' }) readonly made_to?: string;
  @OptionalField() @RestaurantIdsField readonly restaurant_id?: readonly number[];
  @LimitField({ max: 100, default: 50 }) readonly limit?: number;
  @OptionalField() @AfterUploadField readonly after?: UploadId;
}
