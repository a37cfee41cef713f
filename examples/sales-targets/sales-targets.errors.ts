import { serviceError } from '../../src/http/errors/service-error.js';

export class NoSalesTarget extends serviceError({
  code: 'no_sales_target',
  status: 404,
  text: (restaurantId: number) => `no sales target was set for restaurant ${restaurantId}`,
}) {}

export class OnlyHeadOfficeApproves extends serviceError({
  code: 'only_head_office_approves',
  status: 403,
  text: 'only a user of all restaurants approves sales targets',
}) {}

export class SalesTargetApproved extends serviceError({
  code: 'sales_target_approved',
  status: 409,
  text: (restaurantId: number) =>
    `the sales target of restaurant ${restaurantId} is approved already`,
}) {}

export class SalesTargetExists extends serviceError({
  code: 'sales_target_exists',
  status: 409,
  text: (restaurantId: number) => `restaurant ${restaurantId} has a sales target already`,
}) {}
