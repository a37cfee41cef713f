import { serviceError } from '../http/errors/service-error.js';
import { MAX_INTEGER } from '../http/validation/fields.decorator.js';

export class UnknownRestaurant extends serviceError({
  code: 'unknown_restaurant',
  status: 404,
  text: (...ids: number[]) => `there is no restaurant ${ids.slice(0, 10).join(', ')}`,
  ofCommandsOnly: true,
}) {}

export class RestaurantExists extends serviceError({
  code: 'restaurant_exists',
  status: 409,
  text: (id: number) => `there is a restaurant ${id} already`,
  ofCommandsOnly: true,
}) {}

export class InvalidRestaurantId extends serviceError({
  code: 'invalid_restaurant_id',
  status: 400,
  text: `a restaurant id is a whole number from 1 to ${MAX_INTEGER}`,
  ofCommandsOnly: true,
}) {}

/** Is the same for unknown and not granted restaurants: clients cannot find out which exist. */
export class RestaurantNotGranted extends serviceError({
  code: 'restaurant_not_granted',
  status: 403,
  text: (id: number) => `restaurant ${id} does not exist, or this account may not upload for it`,
}) {}
