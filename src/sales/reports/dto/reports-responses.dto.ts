import { ApiProperty } from '../../../http/openapi/openapi.decorator.js';
import { DateField, MAX_INTEGER, IntegerField } from '../../../http/validation/fields.decorator.js';
import { HourlySalesRecordDto } from '../../uploads/dto/hourly-sales-record.dto.js';
import { SalesFigures } from './sales-figures.dto.js';

const RestaurantId = IntegerField({ min: 1, max: MAX_INTEGER, example: 101 });
const Day = DateField({ example: '2025-10-15' });
const Hour = IntegerField({ min: 0, max: 23 });
const MissingHours = ApiProperty({
  isArray: true, type: 'integer', minimum: 0, maximum: 23, description: 'The hours that were not uploaded',
}); // prettier-ignore
const time = { type: 'string', format: 'date-time', example: '2025-10-15T14:02:33.120Z' } as const;
const cursor = 'Where the next page begins, to be sent as `after`; null on the last page';

/** One day of one restaurant. */
export class DayResponse {
  @RestaurantId readonly restaurant_id!: number;
  @Day readonly date!: string;

  @ApiProperty({ type: () => HourlySalesRecordDto, isArray: true, description: 'As they were sent, by hour' })
  readonly records!: HourlySalesRecordDto[];

  @MissingHours readonly missing_hours!: number[];

  @ApiProperty({ type: () => SalesFigures, description: 'The records, added up in decimals' })
  readonly totals!: SalesFigures;

  @ApiProperty({ ...time, nullable: true, description: 'null where nothing was uploaded' })
  readonly last_uploaded_at!: string | null;
}

/** What an upload changed in one hour. */
class HourChange {
  @Hour readonly hour!: number;

  @ApiProperty({ type: () => SalesFigures, nullable: true, description: 'null where the hour was not uploaded before' })
  readonly before!: SalesFigures | null;

  @ApiProperty({ type: () => SalesFigures }) readonly after!: SalesFigures;
}

/** An upload of the day. */
class UploadTold {
  @ApiProperty({ type: 'string', example: '101-2025-10-15-3' }) readonly id!: string;
  @ApiProperty(time) readonly uploaded_at!: string;
  @ApiProperty({ type: 'string', description: 'Who sent it' }) readonly username!: string;
  @IntegerField({ min: 1, max: 24, description: 'How many records it held' }) readonly processed!: number;

  @ApiProperty({ type: () => HourChange, isArray: true, description: 'Empty where the same values were sent again' })
  readonly changes!: HourChange[];
}

/** A page of the uploads of one restaurant's day, newest first. */
export class UploadsResponse {
  @RestaurantId readonly restaurant_id!: number;
  @Day readonly date!: string;
  @ApiProperty({ type: () => UploadTold, isArray: true }) readonly uploads!: UploadTold[];
  @ApiProperty({ type: 'integer', nullable: true, description: cursor }) readonly next!: number | null;
}

/** A day of which some hours were not uploaded, or all. */
class DayMissing {
  @RestaurantId readonly restaurant_id!: number;
  @ApiProperty({ type: 'string' }) readonly name!: string;
  @Day readonly date!: string;

  @ApiProperty({ type: 'string', enum: ['missing', 'partial'], description: 'missing: not one hour was uploaded' })
  readonly status!: 'missing' | 'partial';

  @MissingHours readonly missing_hours!: number[];
}

/** A page of the days of which hours are missing, in the order of restaurants and dates. */
export class MissingResponse {
  @Day readonly from!: string;
  @Day readonly to!: string;
  @ApiProperty({ type: () => DayMissing, isArray: true }) readonly missing!: DayMissing[];
  @ApiProperty({ type: 'string', nullable: true, description: cursor }) readonly next!: string | null;
}
