import { ServiceError } from '../http/errors/service-error.js';

export class UnknownRestaurant extends ServiceError {
  readonly status = 404;
  readonly code = 'unknown_restaurant';
  constructor(id: number) {
    super(`there is no restaurant ${id}`);
  }
}

export class RestaurantIdTaken extends ServiceError {
  readonly status = 409;
  readonly code = 'restaurant_id_taken';
  constructor(id: number) {
    super(`there is a restaurant ${id} already`);
  }
}

export class InvalidRestaurant extends ServiceError {
  readonly status = 400;
  readonly code = 'unfit_restaurant';
}

/** Unknown and not granted are one answer: nobody learns which restaurants exist. */
export class RestaurantNotGranted extends ServiceError {
  readonly status = 403;
  readonly code = 'restaurant_not_granted';
  constructor(id: number) {
    super(`restaurant ${id} does not exist, or this account may not upload for it`);
  }
}
