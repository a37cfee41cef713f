import { serviceError } from '../../src/http/errors/service-error.js';

export const NoCashCount = serviceError({
  code: 'no_cash_count',
  status: 404,
  text: (restaurantId: number, date: string) =>
    `the drawers of restaurant ${restaurantId} were not counted on ${date}`,
});
