import { ApiProperty } from '@nestjs/swagger';
import {
  DateField,
  IntegerField,
  LimitField,
  MAX_INTEGER,
  NextField,
  OptionalField,
  StringField,
} from '../../http/validation/fields.decorator.js';
import {
  positionField,
  RangeQueryDto,
  readPosition,
  type RestaurantDay,
  RestaurantIdsField,
} from '../reports/reports-queries.dto.js';
import { hourList, RangeResponse, Source, TIME } from '../reports/reports-responses.dto.js';

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

export class ChangesQueryDto extends RangeQueryDto {
  @OptionalField() @RestaurantIdsField readonly restaurant_id?: readonly number[];
  @LimitField({ max: 100, default: 50 }) readonly limit?: number;
  @OptionalField() @AfterUploadField readonly after?: UploadId;
}

/** The turnover of the replaced hours; it may have more digits than a double. */
const turnover = (description: string, example: number, nullable = false) =>
  ApiProperty({
    ...{ type: 'number', format: 'double', minimum: 0, description, example },
    ...(nullable && { required: false, nullable }),
  });

class SalesChange {
  @StringField({ example: '101-2025-10-15-3' }) readonly id!: string;
  @IntegerField({ min: 1, example: 101 }) readonly restaurant_id!: number;
  @StringField({ example: 'Demo Restaurant' }) readonly name!: string;
  @DateField({ example: '2025-10-15' }) readonly date!: string;
  @ApiProperty(TIME) readonly uploaded_at!: string;
  @StringField({ example: 'demo' }) readonly username!: string;
  @Source readonly source!: string | null;
  @hourList('The hours whose figures it replaced by others', [12, 13])
  readonly hours!: number[];
  @turnover(
    'gto of these hours before the upload; null if the 2,000 uploads before it lack one of them',
    1250.5,
    true,
  )
  readonly gto_before!: number | null;
  @turnover('gto of these hours after it', 1270.5) readonly gto_after!: number;
}

/** A page of the uploads that replaced figures of days in the range, newest first. */
export class ChangesResponse extends RangeResponse {
  @ApiProperty({ type: [SalesChange] }) readonly changes!: SalesChange[];
  @NextField('string') readonly next!: string | null;
}
