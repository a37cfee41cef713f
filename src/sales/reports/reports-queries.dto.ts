import { defineField } from '../../http/validation/define-field.js';
import {
  AfterField,
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

/** Identifies an upload: its restaurant, date, and number within the day. */
export interface UploadId extends RestaurantDay {
  readonly number: number;
}

const RestaurantIdField = IntegerField({ in: 'query', min: 1, example: 101 });

const RestaurantIdsField = defineField({
  parse: readRestaurantIds,
  passes: (value) => Array.isArray(value),
  message: () => `must be 1 to ${MAX_NAMED_RESTAURANTS} identifiers with commas between`,
  schema: { type: 'string', pattern: '^[1-9]\\d{0,9}(,[1-9]\\d{0,9})*$' },
  description: `At most ${MAX_NAMED_RESTAURANTS}, with commas between; default: all of the caller`,
});

function readRestaurantIds(text: string): number[] | undefined {
  const ids = text.split(',').map(readNumber);
  return ids.every((id) => id !== undefined) && ids.length <= MAX_NAMED_RESTAURANTS
    ? ids
    : undefined;
}

/** Reads a positive integer; undefined if the text is not one. */
function readNumber(text = ''): number | undefined {
  return /^[1-9]\d{0,9}$/.test(text) && Number(text) <= MAX_INTEGER ? Number(text) : undefined;
}

/** Reads the identifier of an upload, `101-2025-10-15-3`; without a number, it is of a day. */
function readUploadId(text: string) {
  const [, id, date, rest] = /^(\d+)-([\d-]{10})(?:-(.+))?$/.exec(text) ?? [];
  const [restaurantId, number] = [readNumber(id), readNumber(rest)];
  if (restaurantId === undefined || !isCalendarDate(date)) return undefined;
  return rest === undefined || number !== undefined ? { restaurantId, date, number } : undefined;
}

/** Takes the `next` of a page, which is a day of a restaurant, or an upload of such a day. */
function positionField(of: 'day' | 'upload', example: string): PropertyDecorator {
  return defineField({
    parse(text) {
      const position = readUploadId(text);
      return (position?.number === undefined) === (of === 'day') ? position : undefined;
    },
    passes: (value) => value !== null,
    message: () => 'must be the `next` of the previous page',
    schema: { type: 'string' },
    description: 'The `next` of the previous page',
    example,
  });
}

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

export class DayQueryDto {
  @RestaurantIdField readonly restaurant_id!: number;
  @DateField({ example: '2025-10-15' }) readonly date!: string;
}

export class UploadsQueryDto extends DayQueryDto {
  @LimitField({ max: 100, default: 50 }) readonly limit?: number;
  @AfterField() readonly after?: number;
}

class RangeQueryDto {
  @DateField({ description: 'First day', example: '2025-10-01' }) readonly from!: string;
  @DateField({ description: 'Last day', example: '2025-10-31' }) readonly to!: string;
}

export class ExportQueryDto extends RangeQueryDto {
  @OptionalField() @RestaurantIdsField readonly restaurant_id?: readonly number[];
}

export class MissingQueryDto extends ExportQueryDto {
  @LimitField({ max: 1000, default: 1000 }) readonly limit?: number;
  @OptionalField() @positionField('day', '101-2025-10-15') readonly after?: RestaurantDay;
}

const GROUPINGS = ['date', 'week', 'month', 'restaurant', 'hour', 'weekday_hour'] as const;

export class TotalsQueryDto extends ExportQueryDto {
  @OptionalField()
  @wordsField(GROUPINGS, 'Each has a list of its own in the response; default: date', 'restaurant')
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

export class CalendarQueryDto extends ExportQueryDto {
  @LimitField({ max: 1000, default: 1000 }) readonly limit?: number;
  @AfterField() readonly after?: number;
}

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
  @OptionalField() @positionField('upload', '101-2025-10-15-3') readonly after?: UploadId;
}
