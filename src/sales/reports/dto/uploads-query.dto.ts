import { MAX_INTEGER, OptionalField } from '../../../http/validation/fields.decorator.js';
import { QueryIntegerField } from '../../../http/validation/fields.decorator.js';
import { DayQueryDto } from './day-query.dto.js';

/** A page of the uploads of one restaurant's day. */
export class UploadsQueryDto extends DayQueryDto {
  @OptionalField()
  @QueryIntegerField({ min: 1, max: 100, description: 'The most uploads to tell; 50 where left out', example: 50 })
  readonly limit?: number;

  @OptionalField()
  @QueryIntegerField({ min: 1, max: MAX_INTEGER, description: 'The `next` of the page before', example: 12 })
  readonly after?: number;
}
