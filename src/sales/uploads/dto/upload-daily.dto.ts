import { ListOf, UniqueBy, SameValue } from '../../../http/validation/lists.decorator.js';
import { HourlySalesRecordDto } from './hourly-sales-record.dto.js';

const ONE_DAY = 'one upload is one restaurant and one day';

/** The sales of one restaurant on one day, hour by hour: all of the day's hours or some of them. */
export class UploadDailyDto {
  @ListOf(() => HourlySalesRecordDto, {
    min: 1,
    max: 24,
    tooMany: 413,
    empty: 'a closed day is sent as records of zeros',
    description: 'One record an hour, in any order',
  })
  @SameValue('restaurant_id', ONE_DAY)
  @SameValue('date', ONE_DAY)
  @UniqueBy('hour')
  readonly records!: HourlySalesRecordDto[];
}
