import { serviceError } from '../http/errors/service-error.js';

/** Is the same for unknown and not granted restaurants: clients cannot find out which exist. */
export class RestaurantNotGranted extends serviceError({
  code: 'restaurant_not_granted',
  status: 403,
  text: (id: number) => `restaurant ${id} does not exist, or this account may not upload for it`,
}) {}
