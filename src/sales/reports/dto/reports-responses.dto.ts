import { ApiProperty } from '@nestjs/swagger';
import {
  DateField,
  EnumField,
  IntegerField,
  integerSchema,
  NextField,
  StringField,
} from '../../../http/validation/fields.decorator.js';
import {
  HourChange,
  HourlySalesRecordDto,
  SalesFigures,
} from '../../fields/hourly-sales-record.dto.js';
import { HOURS_PER_DAY } from '../../../calendar/hour-set.js';
import type { Figures } from '../../fields/sales-fields.js';

const RestaurantId = IntegerField({ min: 1, example: 101 });
const Day = DateField({ example: '2025-10-15' });
const Totals = ApiProperty({ type: SalesFigures });
const UploadedHours = IntegerField({ min: 0, example: 24, description: 'How many were uploaded' });
const MissingHours = ApiProperty({
  isArray: true,
  ...integerSchema({ min: 0, max: HOURS_PER_DAY - 1 }),
  example: [10, 11],
});
const TIME = { type: 'string', format: 'date-time', example: '2025-10-15T14:02:33.120Z' } as const;

class RestaurantDayResponse {
  @RestaurantId readonly restaurant_id!: number;
  @Day readonly date!: string;
}

class NamedRestaurant {
  @RestaurantId readonly restaurant_id!: number;
  @StringField({ example: 'Demo Restaurant' }) readonly name!: string;
}

class RangeResponse {
  @Day readonly from!: string;
  @Day readonly to!: string;
}

export class DayResponse extends RestaurantDayResponse {
  @ApiProperty({ type: [HourlySalesRecordDto], description: 'As they were sent, by hour' })
  readonly records!: HourlySalesRecordDto[];
  @MissingHours readonly missing_hours!: number[];
  @Totals readonly totals!: Figures<number>;
  @ApiProperty({
    ...TIME,
    required: false,
    nullable: true,
    description: 'null if nothing was uploaded',
  })
  readonly last_uploaded_at!: string | null;
}

class DayUpload {
  @StringField({ example: '101-2025-10-15-3' }) readonly id!: string;
  @ApiProperty(TIME) readonly uploaded_at!: string;
  @StringField({ example: 'demo' }) readonly username!: string;
  @IntegerField({ min: 1, max: HOURS_PER_DAY, example: 1 }) readonly processed!: number;
  @ApiProperty({ type: [HourChange], description: 'Empty if the same values were sent again' })
  readonly changes!: HourChange[];
}

/** A page of a day's uploads, newest first. */
export class UploadsResponse extends RestaurantDayResponse {
  @ApiProperty({ type: [DayUpload] }) readonly uploads!: DayUpload[];
  @NextField('int32') readonly next!: number | null;
}

export class DayMissing extends NamedRestaurant {
  @Day readonly date!: string;
  @EnumField(['missing', 'partial'], {
    example: 'partial',
    description: 'missing: no hour was uploaded',
  })
  readonly status!: 'missing' | 'partial';
  @MissingHours readonly missing_hours!: number[];
}

/** A page of the days with missing hours, by restaurant and date. */
export class MissingResponse extends RangeResponse {
  @ApiProperty({ type: [DayMissing] }) readonly missing!: DayMissing[];
  @NextField('string') readonly next!: string | null;
}

class CalendarRestaurant extends NamedRestaurant {
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
export class CalendarResponse extends RangeResponse {
  @DateField({ example: '2025-10-16', description: "Today's date in the service's time zone" })
  readonly today!: string;
  @StringField({ example: 'Asia/Singapore' }) readonly time_zone!: string;
  @ApiProperty({ type: [CalendarRestaurant] }) readonly restaurants!: CalendarRestaurant[];
  @NextField('int32') readonly next!: number | null;
}

class DayTotals {
  @Day readonly date!: string;
  @UploadedHours readonly hours!: number;
  @Totals readonly totals!: Figures<number>;
}

class RestaurantTotals extends NamedRestaurant {
  @UploadedHours readonly hours!: number;
  @Totals readonly totals!: Figures<number>;
}

/** Has every day of the range, or with `group_by=restaurant` every restaurant, by id. */
export class TotalsResponse extends RangeResponse {
  @ApiProperty({ type: [DayTotals], required: false }) readonly days?: DayTotals[];

  @ApiProperty({ type: [RestaurantTotals], required: false })
  readonly restaurants?: RestaurantTotals[];
}
