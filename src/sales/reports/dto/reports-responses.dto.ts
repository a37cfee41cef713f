import { ApiProperty } from '@nestjs/swagger';
import {
  DateField,
  EnumField,
  IntegerField,
  integerSchema,
  MAX_INTEGER,
} from '../../../http/validation/fields.decorator.js';
import { NextField } from '../../../http/validation/page-fields.decorator.js';
import { HourChange, SalesFigures } from '../../fields/figures.dto.js';
import { HourlySalesRecordDto } from '../../fields/hourly-sales-record.dto.js';
import { HOURS_PER_DAY, MAX_RECORDS_PER_UPLOAD } from '../../fields/sales-fields.js';

const RestaurantId = IntegerField({ min: 1, max: MAX_INTEGER, example: 101 });
const Day = DateField({ example: '2025-10-15' });
const MissingHours = ApiProperty({
  isArray: true,
  ...integerSchema({ min: 0, max: HOURS_PER_DAY - 1 }),
  example: [10, 11],
  description: 'The hours that were not uploaded',
});
const time = { type: 'string', format: 'date-time', example: '2025-10-15T14:02:33.120Z' } as const;

export class DayResponse {
  @RestaurantId readonly restaurant_id!: number;
  @Day readonly date!: string;

  @ApiProperty({
    type: () => HourlySalesRecordDto,
    isArray: true,
    description: 'As they were sent, in the order of the hours',
  })
  readonly records!: HourlySalesRecordDto[];

  @MissingHours readonly missing_hours!: number[];

  @ApiProperty({ type: () => SalesFigures }) readonly totals!: SalesFigures;

  @ApiProperty({ ...time, nullable: true, description: 'null if nothing was uploaded' })
  readonly last_uploaded_at!: string | null;
}

class DayUpload {
  @ApiProperty({ type: 'string', example: '101-2025-10-15-3' }) readonly id!: string;
  @ApiProperty(time) readonly uploaded_at!: string;
  @ApiProperty({ type: 'string', description: 'Who sent it', example: 'demo' })
  readonly username!: string;
  @IntegerField({
    min: 1,
    max: MAX_RECORDS_PER_UPLOAD,
    description: 'How many records it held',
    example: 1,
  })
  readonly processed!: number;

  @ApiProperty({
    type: () => HourChange,
    isArray: true,
    description: 'Empty if the same values were sent again',
  })
  readonly changes!: HourChange[];
}

/** A page of a day's uploads, newest first. */
export class UploadsResponse {
  @RestaurantId readonly restaurant_id!: number;
  @Day readonly date!: string;
  @ApiProperty({ type: () => DayUpload, isArray: true }) readonly uploads!: DayUpload[];
  @NextField('int32') readonly next!: number | null;
}

export class DayMissing {
  @RestaurantId readonly restaurant_id!: number;
  @ApiProperty({ type: 'string', example: 'Demo Restaurant' }) readonly name!: string;
  @Day readonly date!: string;

  @EnumField(['missing', 'partial'], {
    example: 'partial',
    description: 'missing: no hour was uploaded',
  })
  readonly status!: 'missing' | 'partial';

  @MissingHours readonly missing_hours!: number[];
}

/** A page of the days with missing hours, by restaurant and date. */
export class MissingResponse {
  @Day readonly from!: string;
  @Day readonly to!: string;
  @ApiProperty({ type: () => DayMissing, isArray: true }) readonly missing!: DayMissing[];
  @NextField('string') readonly next!: string | null;
}

class CalendarRestaurant {
  @RestaurantId readonly restaurant_id!: number;
  @ApiProperty({ type: 'string', example: 'Demo Restaurant' }) readonly name!: string;

  @ApiProperty({
    type: 'string',
    pattern: '^[CPMTFX]+$',
    example: 'CCCPM',
    description:
      'One letter per day, the first for `from`: C complete, P partial, M missing, ' +
      'T today and not complete yet, F in the future and not complete, X closed',
  })
  readonly days!: string;
}

/** A page of the restaurants, by id. */
export class CalendarResponse {
  @Day readonly from!: string;
  @Day readonly to!: string;

  @DateField({ example: '2025-10-16', description: "Today's date in the service's time zone" })
  readonly today!: string;

  @ApiProperty({
    type: 'string',
    example: 'Asia/Singapore',
    description: "IANA name of the service's time zone",
  })
  readonly time_zone!: string;

  @ApiProperty({ type: () => CalendarRestaurant, isArray: true })
  readonly restaurants!: CalendarRestaurant[];
  @NextField('int32') readonly next!: number | null;
}

const UploadedHours = IntegerField({
  min: 0,
  max: MAX_INTEGER,
  example: 24,
  description: 'How many uploaded hours are added up',
});

class DayTotals {
  @Day readonly date!: string;
  @UploadedHours readonly hours!: number;
  @ApiProperty({ type: () => SalesFigures }) readonly totals!: SalesFigures;
}

class RestaurantTotals {
  @RestaurantId readonly restaurant_id!: number;
  @ApiProperty({ type: 'string', example: 'Demo Restaurant' }) readonly name!: string;
  @UploadedHours readonly hours!: number;
  @ApiProperty({ type: () => SalesFigures }) readonly totals!: SalesFigures;
}

export class TotalsResponse {
  @Day readonly from!: string;
  @Day readonly to!: string;

  @ApiProperty({
    type: () => DayTotals,
    isArray: true,
    required: false,
    description: 'Every day of the range; absent with `group_by=restaurant`',
  })
  readonly days?: DayTotals[];

  @ApiProperty({
    type: () => RestaurantTotals,
    isArray: true,
    required: false,
    description: 'Every restaurant, by id; only with `group_by=restaurant`',
  })
  readonly restaurants?: RestaurantTotals[];
}
