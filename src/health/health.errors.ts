import { ServiceError } from '../http/errors/service-error.js';

/** No requests should be sent here for now. */
export class NotReady extends ServiceError {
  readonly status = 503;
  readonly code = 'not_ready';
  override readonly headers = { 'Retry-After': '1' };
}

/** This instance finishes what it has begun and then ends. */
export class ShuttingDown extends ServiceError {
  readonly status = 503;
  readonly code = 'shutting_down';
  constructor() {
    super('not ready: shutting down');
  }
}
