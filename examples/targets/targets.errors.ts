import { serviceError } from '../../src/http/errors/service-error.js';

export class NoTarget extends serviceError({
  code: 'no_target',
  status: 404,
  text: (restaurantId: number) => `no target was set for restaurant ${restaurantId}`,
}) {}

export class TargetExists extends serviceError({
  code: 'target_exists',
  status: 409,
  text: (restaurantId: number) => `restaurant ${restaurantId} has a target already`,
}) {}
