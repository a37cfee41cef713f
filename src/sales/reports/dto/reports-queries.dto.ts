import { defineField } from '../../../http/validation/define-field.js';
import {
  AfterField,
  DateField,
  EnumField,
  IntegerField,
  isCalendarDate,
  LimitField,
  MAX_INTEGER,
  OptionalField,
} from '../../../http/validation/fields.decorator.js';

const MAX_RESTAURANTS = 100;

export interface RestaurantDay {
  readonly restaurantId: number;
  /** YYYY-MM-DD */
  readonly date: string;
}

const From = DateField({ description: 'First day', example: '2025-10-01' });
const toField = (maxDays: number): PropertyDecorator =>
  DateField({
    description: `Last day; the range has at most ${maxDays} days`,
    example: '2025-10-31',
  });

const restaurantIdField = (description: string): PropertyDecorator =>
  IntegerField({ in: 'query', min: 1, description, example: 101 });

const RestaurantIdsField = defineField({
  parse: readRestaurantIds,
  passes: (value) => Array.isArray(value),
  message: () => `must be 1 to ${MAX_RESTAURANTS} identifiers with commas between`,
  schema: { type: 'string', pattern: '^[1-9]\\d{0,9}(,[1-9]\\d{0,9})*$' },
  description: `Only these restaurants, at most ${MAX_RESTAURANTS}, with commas between; default: all of the caller`,
  example: '101',
});

function readRestaurantIds(text: string): number[] | undefined {
  const ids = text.split(',');
  const isValid = ids.every((id) => /^[1-9]\d{0,9}$/.test(id) && Number(id) <= MAX_INTEGER);
  return isValid && ids.length <= MAX_RESTAURANTS ? ids.map(Number) : undefined;
}

const PositionField = defineField({
  parse: readPosition,
  passes: (value) => value !== null,
  message: () => 'must be the `next` of the previous page',
  schema: { type: 'string' },
  description: 'The `next` of the previous page',
  example: '101-2025-10-15',
});

/** Reads a position, `101-2025-10-15`; undefined if the text is not one. */
function readPosition(text: string): RestaurantDay | undefined {
  const [, id, date] = /^([1-9]\d{0,9})-(.+)$/.exec(text) ?? [];
  return Number(id) <= MAX_INTEGER && isCalendarDate(date)
    ? { restaurantId: Number(id), date }
    : undefined;
}

export class DayQueryDto {
  @restaurantIdField('Identifier of the restaurant') readonly restaurant_id!: number;
  @DateField({ description: 'Day of the sales', example: '2025-10-15' }) readonly date!: string;
}

export class UploadsQueryDto extends DayQueryDto {
  @LimitField({ max: 100, default: 50 }) readonly limit?: number;
  @AfterField() readonly after?: number;
}

export class MissingQueryDto {
  @From readonly from!: string;
  @toField(92) readonly to!: string;
  @OptionalField() @restaurantIdField('Only this restaurant') readonly restaurant_id?: number;
  @LimitField({ max: 1000, default: 1000 }) readonly limit?: number;
  @OptionalField() @PositionField readonly after?: RestaurantDay;
}

class OverviewQueryDto {
  @From readonly from!: string;
  @toField(62) readonly to!: string;
  @OptionalField() @RestaurantIdsField readonly restaurant_id?: readonly number[];
}

export class TotalsQueryDto extends OverviewQueryDto {
  @OptionalField()
  @EnumField(['date', 'restaurant'], {
    description: 'What each line of totals is of; default: date',
    example: 'restaurant',
  })
  readonly group_by?: 'date' | 'restaurant';
}

export class CalendarQueryDto extends OverviewQueryDto {
  @LimitField({ max: 1000, default: 1000 }) readonly limit?: number;
  @AfterField() readonly after?: number;
}
