import { serviceError } from '../../src/http/errors/service-error.js';

export const NoTarget = serviceError({
  code: 'no_target',
  status: 404,
  text: (restaurantId: number) => `no target was set for restaurant ${restaurantId}`,
});

export const TargetExists = serviceError({
  code: 'target_exists',
  status: 409,
  text: (restaurantId: number) => `restaurant ${restaurantId} has a target already`,
});
