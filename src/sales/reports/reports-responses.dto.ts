import { ApiProperty, ApiSchema, IntersectionType, PartialType } from '@nestjs/swagger';
import { HOURS_PER_DAY } from '../../calendar/hour-set.js';
import {
  DateField,
  EnumField,
  IntegerField,
  integerSchema,
  NextField,
  StringField,
} from '../../http/validation/fields.decorator.js';
import {
  HourChange,
  HourlySalesRecordDto,
  SalesFigures,
} from '../fields/hourly-sales-record.dto.js';
import { MAX_UPLOADS_BEFORE, REPORT_LIMITS } from './report-limits.js';

const RestaurantId = IntegerField({ min: 1, example: 101 });
const Name = StringField({ example: 'Demo Restaurant' });
const Day = DateField({ example: '2025-10-15' });
const FirstDay = DateField({
  example: '2025-01-01',
  description: 'The day from which on the restaurant is expected to send',
});
const nullableDay = (description: string) =>
  ApiProperty({
    type: 'string',
    format: 'date',
    example: '2025-10-15',
    nullable: true,
    description,
  });
const OptionalDay = nullableDay('As it was asked for; null if it was not');
const LastSent = nullableDay('The latest date up to today for which anything was uploaded');
const TIME = {
  type: 'string',
  format: 'date-time',
  example: '2025-10-15T14:02:33.120Z',
} as const;

const integers = (max: number) => (description: string, example: number[]) =>
  ApiProperty({ isArray: true, ...integerSchema({ min: 0, max }), description, example });
const hourList = integers(HOURS_PER_DAY - 1);
const hourCounts = integers(HOURS_PER_DAY);
const MissingHours = hourList('The expected hours that were not uploaded', [10, 11]);
const count = (description: string, example: number) =>
  IntegerField({ min: 0, example, description });

class NamedRestaurant {
  @RestaurantId readonly restaurant_id!: number;
  @Name readonly name!: string;
}

class ExpectedRestaurant extends NamedRestaurant {
  @FirstDay readonly first_day!: string;
  @LastSent readonly last_sent!: string | null;
}

/** The range that was asked for. */
class RangeResponse {
  @Day readonly from!: string;
  @Day readonly to!: string;
}

class RestaurantDayResponse {
  @RestaurantId readonly restaurant_id!: number;
  @Day readonly date!: string;
}

export class DayResponse extends RestaurantDayResponse {
  @count('Number of uploads of the day; send it as `expected_version` with a correction', 3)
  readonly version!: number;
  @ApiProperty({ type: [HourlySalesRecordDto], description: 'As they were sent, by hour' })
  readonly records!: HourlySalesRecordDto[];
  @FirstDay readonly first_day!: string;
  @ApiProperty({
    type: 'object',
    properties: { reason: { type: 'string', nullable: true } },
    required: ['reason'],
    nullable: true,
    description: 'null if the restaurant is not closed on this day',
    example: { reason: 'Christmas' },
  })
  readonly closed!: { readonly reason: string | null } | null;
  @hourList('None before the first day, on a day off and on a closed day', [10, 11, 12])
  readonly expected_hours!: number[];
  @MissingHours readonly missing_hours!: number[];
  @ApiProperty({ type: SalesFigures }) readonly totals!: SalesFigures;
  @ApiProperty({ ...TIME, nullable: true, description: 'null if nothing was uploaded' })
  readonly last_uploaded_at!: string | null;
}

/** Says which upload it was, of whom, and when. */
class ListedUpload {
  @StringField({ example: '101-2025-10-15-3' }) readonly id!: string;
  @ApiProperty(TIME) readonly uploaded_at!: string;
  @StringField({ example: 'demo' }) readonly username!: string;
  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'H39100001_20251015.txt',
    description: 'Where the figures come from, as X-Upload-Source said; null if it did not',
  })
  readonly source!: string | null;
}

class DayUpload extends ListedUpload {
  @IntegerField({ min: 1, max: HOURS_PER_DAY, example: 1 }) readonly processed!: number;
  @ApiProperty({ type: [HourChange], description: 'Empty if the same values were sent again' })
  readonly changes!: HourChange[];
}

/** A page of a day's uploads, newest first. */
export class UploadsResponse extends RestaurantDayResponse {
  @ApiProperty({ type: [DayUpload] }) readonly uploads!: DayUpload[];
  @NextField('int32') readonly next!: number | null;
}

export class DayMissing extends ExpectedRestaurant {
  @Day readonly date!: string;
  @EnumField(['missing', 'partial'], {
    example: 'partial',
    description: 'missing: no hour was uploaded',
  })
  readonly status!: 'missing' | 'partial';
  @IntegerField({ min: 1, max: HOURS_PER_DAY, example: 24, description: 'How many are expected' })
  readonly expected_hours!: number;
  @MissingHours readonly missing_hours!: number[];
  @DateField({
    example: '2025-10-14',
    description:
      'The first of the days in a row up to this one with missing hours, of the ' +
      `${REPORT_LIMITS.missing.days} days before; days of which nothing is expected do not count`,
  })
  readonly since!: string;
  @IntegerField({ min: 1, example: 2, description: 'How many these days are' })
  readonly missing_days!: number;
}

/** A page of the days with missing hours, by restaurant and date. */
export class MissingResponse extends RangeResponse {
  @count('Restaurants of which any hour is expected', 57) readonly expected_restaurants!: number;
  @ApiProperty({ type: [DayMissing] }) readonly missing!: DayMissing[];
  @NextField('string') readonly next!: string | null;
}

class CalendarRestaurant extends ExpectedRestaurant {
  @ApiProperty({
    type: 'string',
    pattern: '^[CPMTFX]+$',
    example: 'CCCPM',
    description:
      'One letter per day, the first for `from`: C complete, P partial, M missing, ' +
      'T today and not complete yet, F in the future and not complete, ' +
      'X nothing expected and nothing uploaded',
  })
  readonly days!: string;
  @hourCounts('How many hours are expected, by day', [24, 24, 24, 24, 0])
  readonly expected_hours!: number[];
  @hourCounts('How many expected hours were not uploaded, by day', [0, 0, 0, 12, 0])
  readonly missing_hours!: number[];
}

/** A page of the restaurants, by id. */
export class CalendarResponse extends RangeResponse {
  @DateField({ example: '2025-10-16', description: "Today's date in the service's time zone" })
  readonly today!: string;
  @StringField({ example: 'Asia/Singapore' }) readonly time_zone!: string;
  @ApiProperty({ type: [CalendarRestaurant] }) readonly restaurants!: CalendarRestaurant[];
  @NextField('int32') readonly next!: number | null;
}

@ApiSchema({
  description: 'The figures that `fields` names, which may have more digits than a double',
})
class TotalFigures extends PartialType(SalesFigures, { skipNullProperties: false }) {}

class Sold {
  @count('Hours of restaurants that were uploaded', 24) readonly hours!: number;
  @count('Hours of restaurants that were expected', 24) readonly expected_hours!: number;
  @count('Expected hours that were not uploaded', 0) readonly missing_hours!: number;
  @ApiProperty({ type: TotalFigures }) readonly totals!: SalesFigures;
}

class ChainTotals extends Sold {
  @count('Restaurants that uploaded anything', 1) readonly restaurants!: number;
}

class DayTotals extends ChainTotals {
  @Day readonly date!: string;
}

class PeriodTotals extends ChainTotals {
  @Day readonly from!: string;
  @Day readonly to!: string;
}

class RestaurantTotals extends IntersectionType(Sold, NamedRestaurant) {
  @count('Days on which anything was uploaded', 1) readonly days!: number;
  @LastSent readonly last_sent!: string | null;
}

class HourTotals extends Sold {
  @IntegerField({ min: 0, max: HOURS_PER_DAY - 1, example: 12 }) readonly hour!: number;
}

class WeekdayHourTotals extends HourTotals {
  @IntegerField({ min: 1, max: 7, example: 1, description: '1 is Monday' })
  readonly weekday!: number;
}

/** Documents a list that is there if `group_by` asks for it. */
const listOf = (type: new () => Sold, description?: string) =>
  ApiProperty({ type: [type], required: false, ...(description && { description }) });

/** Has the lists that `group_by` asks for: every day, week, month, restaurant or hour. */
class TotalsOfRange extends RangeResponse {
  @listOf(DayTotals) readonly days?: DayTotals[];
  @listOf(PeriodTotals, 'From Monday to Sunday') readonly weeks?: PeriodTotals[];
  @listOf(PeriodTotals) readonly months?: PeriodTotals[];
  @listOf(RestaurantTotals) readonly restaurants?: RestaurantTotals[];
  @listOf(HourTotals) readonly hours?: HourTotals[];
  @listOf(WeekdayHourTotals) readonly weekday_hours?: WeekdayHourTotals[];
}

export class TotalsResponse extends TotalsOfRange {
  @ApiProperty({ type: TotalsOfRange, required: false }) readonly before?: TotalsOfRange;
}

/** A sum, which may have more digits than a double. */
const SUM = { type: 'number', format: 'double', minimum: 0, example: 1250.5 } as const;

class ChangedField {
  @StringField({ example: 'pax' }) readonly name!: string;
  @ApiProperty({
    ...SUM,
    nullable: true,
    description: 'All replaced hours before the upload; null where `gto_before` is',
  })
  readonly before!: number | null;
  @ApiProperty({ ...SUM, description: 'The same after it' }) readonly after!: number;
}

class SalesChange extends IntersectionType(ListedUpload, NamedRestaurant, RestaurantDayResponse) {
  @hourList('The hours whose figures it replaced by others', [12, 13])
  readonly hours!: number[];
  @ApiProperty({
    ...SUM,
    nullable: true,
    description: `gto of these hours before the upload; null if the ${MAX_UPLOADS_BEFORE.toLocaleString('en')} uploads before it lack one of them`,
  })
  readonly gto_before!: number | null;
  @ApiProperty({ ...SUM, description: 'gto of these hours after it' }) readonly gto_after!: number;
  @ApiProperty({ type: [ChangedField], description: 'The figures that it replaced by others' })
  readonly fields!: ChangedField[];
}

/** A page of the uploads that replaced figures of days in the range, newest first. */
export class ChangesResponse {
  @OptionalDay readonly from!: string | null;
  @OptionalDay readonly to!: string | null;
  @OptionalDay readonly made_from!: string | null;
  @OptionalDay readonly made_to!: string | null;
  @ApiProperty({ type: [SalesChange] }) readonly changes!: SalesChange[];
  @NextField('string') readonly next!: string | null;
}
