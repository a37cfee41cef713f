import {
  BooleanField,
  IntegerField,
  OptionalField,
  StringField,
} from '../http/validation/fields.decorator.js';
import { ListField } from '../http/validation/list-field.decorator.js';

/** What happens to the next requests, instead of their response or before it. */
class FaultDto {
  @OptionalField() @IntegerField({ min: 1, example: 2 }) readonly count?: number;

  @OptionalField()
  @StringField({ example: '/api/v1/sales/' })
  readonly path?: string;

  /** Only requests with a token of this user meet it, so that tests at once share a server. */
  @OptionalField() @StringField({ max: 200, example: 'till' }) readonly username?: string;

  @OptionalField() @IntegerField({ min: 400, max: 599, example: 503 }) readonly status?: number;
  @OptionalField()
  @IntegerField({ min: 0, max: 86_400, example: 5 })
  readonly retry_after?: number;
  @OptionalField()
  @IntegerField({ min: 0, max: 600_000, example: 3000 })
  readonly delay_ms?: number;
  @OptionalField() @BooleanField() readonly lost?: boolean;
}

export type Fault = FaultDto;

export class FaultsDto {
  @ListField(() => FaultDto, { max: 1000 }) readonly faults!: FaultDto[];
}
