import { ListField } from '../../../http/validation/list-field.decorator.js';
import { HourlySalesRecordDto } from './hourly-sales-record.dto.js';

/** The sales of one restaurant on one day, hour by hour: all of the day's hours or some of them. */
export class UploadDailyDto {
  @ListField(() => HourlySalesRecordDto, {
    min: 1,
    max: 24,
    tooMany: 413,
    empty: 'a closed day is sent as records of zeros',
    description: 'One record an hour, in any order',
    sameValue: { fields: ['restaurant_id', 'date'], because: 'one upload is one restaurant and one day' },
    uniqueBy: 'hour',
  })
  readonly records!: HourlySalesRecordDto[];
}
