import { commandError, serviceError } from '../http/errors/service-error.js';

export const UnknownRestaurant = commandError({
  code: 'unknown_restaurant',
  status: 404,
  text: (id: number) => `there is no restaurant ${id}`,
});

export const RestaurantIdTaken = commandError({
  code: 'restaurant_id_taken',
  status: 409,
  text: (id: number) => `there is a restaurant ${id} already`,
});

export const InvalidRestaurant = commandError({
  code: 'invalid_restaurant',
  status: 400,
  text: (reason: string) => reason,
});

/** Is the same for unknown and not granted restaurants: clients cannot find out which exist. */
export const RestaurantNotGranted = serviceError({
  code: 'restaurant_not_granted',
  status: 403,
  text: (id: number) => `restaurant ${id} does not exist, or this account may not upload for it`,
});
