import { commandError, serviceError } from '../http/errors/service-error.js';

export const UnknownRestaurant = commandError(
  'unknown_restaurant',
  404,
  (id: number) => `there is no restaurant ${id}`,
);

export const RestaurantIdTaken = commandError(
  'restaurant_id_taken',
  409,
  (id: number) => `there is a restaurant ${id} already`,
);

export const InvalidRestaurant = commandError('unfit_restaurant', 400, (reason: string) => reason);

/** The same for unknown restaurants and those not granted: clients cannot find out which exist. */
export const RestaurantNotGranted = serviceError(
  'restaurant_not_granted',
  403,
  (id: number) => `restaurant ${id} does not exist, or this account may not upload for it`,
);
