import { serviceError } from '../../src/http/errors/service-error.js';

export class NoSalesTarget extends serviceError({
  code: 'no_sales_target',
  status: 404,
  text: (restaurantId: number) => `no sales target was set for restaurant ${restaurantId}`,
}) {}

export class SalesTargetExists extends serviceError({
  code: 'sales_target_exists',
  status: 409,
  text: (restaurantId: number) => `restaurant ${restaurantId} has a sales target already`,
}) {}
