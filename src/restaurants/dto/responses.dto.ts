import { Documented } from '../../http/openapi/api-property.decorator.js';
import { MAX_INTEGER, Text, WholeNumber } from '../../http/validation/fields.decorator.js';

/** A restaurant that the caller may upload for. */
export class GrantedRestaurant {
  @WholeNumber({ min: 1, max: MAX_INTEGER, description: 'Identifier, assigned by the administrator', example: 101 })
  readonly restaurant_id!: number;

  @Text({ description: 'Name of the restaurant', example: 'Harbour Grill' })
  readonly name!: string;
}

/** The restaurants that the caller may upload for, by id. */
export class RestaurantsResponse {
  @Documented({ type: () => GrantedRestaurant, isArray: true })
  readonly restaurants!: GrantedRestaurant[];
}
