import { ApiProperty } from '../../../http/openapi/openapi.decorator.js';
import { IntegerField, StringField } from '../../../http/validation/fields.decorator.js';
import { ListField } from '../../../http/validation/list-field.decorator.js';
import { MAX_RECORDS_PER_UPLOAD } from '../../fields/sales-fields.js';
import { HourlySalesRecordDto } from './hourly-sales-record.dto.js';

/** All or some hours of one restaurant's day. */
export class UploadDailyDto {
  @ListField(() => HourlySalesRecordDto, {
    min: 1,
    max: MAX_RECORDS_PER_UPLOAD,
    tooMany: 413,
    empty: 'a closed day is sent as records of zeros',
    description: 'One record per hour, in any order',
    sameValue: { fields: ['restaurant_id', 'date'], because: 'one upload is one restaurant and one day' },
    uniqueBy: 'hour',
  })
  readonly records!: HourlySalesRecordDto[];
}

export class UploadResponse {
  @ApiProperty({ type: 'boolean', example: true, description: 'Always true: a failed upload gets an error response' })
  readonly success!: true;

  @IntegerField({ min: 1, max: MAX_RECORDS_PER_UPLOAD, description: 'How many records were saved', example: 1 })
  readonly processed!: number;

  @StringField({
    description: 'Names the restaurant and the date',
    example: '1 hourly record saved for restaurant 101 (Demo Restaurant) on 2025-10-15',
  })
  readonly message!: string;
}
