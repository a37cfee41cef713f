import { MAX_INTEGER, Optional } from '../../../http/validation/fields.decorator.js';
import { QueryWholeNumber } from '../../../http/validation/query.decorator.js';
import { DayQueryDto } from './day-query.dto.js';

/** A page of the uploads of one restaurant's day. */
export class UploadsQueryDto extends DayQueryDto {
  @Optional()
  @QueryWholeNumber({ min: 1, max: 100, description: 'The most uploads to tell; 50 where left out', example: 50 })
  readonly limit?: number;

  @Optional()
  @QueryWholeNumber({ min: 1, max: MAX_INTEGER, description: 'The `next` of the page before', example: 12 })
  readonly after?: number;
}
