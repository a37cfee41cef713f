import { commandError, serviceError } from '../http/errors/service-error.js';

export const UnknownRestaurant = commandError({
  code: 'unknown_restaurant',
  status: 404,
  text: (id: number) => `there is no restaurant ${id}`,
});

/** Is the same for unknown and not granted restaurants: clients cannot find out which exist. */
export const RestaurantNotGranted = serviceError({
  code: 'restaurant_not_granted',
  status: 403,
  text: (id: number) => `restaurant ${id} does not exist, or this account may not upload for it`,
});
