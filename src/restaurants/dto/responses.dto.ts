import { ApiProperty } from '@nestjs/swagger';
import { StringField, IntegerField } from '../../http/validation/fields.decorator.js';

export class GrantedRestaurant {
  @IntegerField({ min: 1, description: 'Identifier, assigned by the administrator', example: 101 })
  readonly restaurant_id!: number;

  @StringField({ description: 'Name of the restaurant', example: 'Demo Restaurant' })
  readonly name!: string;
}

/** The restaurants, sorted by id. */
export class RestaurantsResponse {
  @ApiProperty({ type: () => GrantedRestaurant, isArray: true })
  readonly restaurants!: GrantedRestaurant[];
}
