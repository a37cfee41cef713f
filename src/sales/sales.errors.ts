import { ServiceError } from '../http/service-error.js';

export class RestaurantClosed extends ServiceError {
  readonly status = 400;
  readonly code = 'restaurant_closed';
  constructor(id: number, name: string, date: string) {
    super(`restaurant ${id} (${name}) is closed on ${date}: nothing can be uploaded for that day`);
  }
}

export class DateTooFarAhead extends ServiceError {
  readonly status = 400;
  readonly code = 'date_too_far_ahead';
  constructor(date: string, latest: string) {
    super(`records[0].date (${date}) lies too far in the future: ${latest} is the latest day that is taken`);
  }
}
