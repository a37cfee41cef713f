import { ServiceError } from '../http/errors/service-error.js';

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

export class DatesReversed extends ServiceError {
  readonly status = 400;
  readonly code = 'dates_reversed';
  constructor(from: string, to: string) {
    super(`to (${to}) must not be before from (${from})`);
  }
}

export class TooManyDays extends ServiceError {
  readonly status = 400;
  readonly code = 'too_many_days';
  constructor(most: number) {
    super(`from and to must span at most ${most} days: ask for a shorter range`);
  }
}
