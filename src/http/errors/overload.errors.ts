import { ServiceError } from './service-error.js';

/** So much work is in flight already that this request would only wait; it was refused before anything was done for it. */
export class Overloaded extends ServiceError {
  readonly status = 503;
  readonly code = 'overloaded';
  override readonly headers = { 'Retry-After': '1' };
  constructor() {
    super('too much is going on at this moment: please send the request again in a second');
  }
}
