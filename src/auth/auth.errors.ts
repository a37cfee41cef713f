import { ServiceError } from '../http/errors/service-error.js';

/** No bearer token came with the request (RFC 6750 section 3: no error code then). */
export class TokenMissing extends ServiceError {
  readonly status = 401;
  readonly code = 'token_missing';
  override readonly headers = { 'WWW-Authenticate': 'Bearer' };
  constructor() {
    super('an access token is required: log in and send the header Authorization: Bearer <ACCESS_TOKEN>');
  }
}

/** One text for every reason: malformed, expired, wrongly signed, revoked, never issued. */
export class TokenInvalid extends ServiceError {
  readonly status = 401;
  readonly code = 'token_invalid';
  override readonly headers = { 'WWW-Authenticate': 'Bearer error="invalid_token"' };
  constructor() {
    super('the access token is invalid, expired or revoked: log in again');
  }
}

/** Unknown user and wrong password are one answer. */
export class WrongCredentials extends ServiceError {
  readonly status = 401;
  readonly code = 'wrong_credentials';
  override readonly headers = { 'WWW-Authenticate': 'Bearer' };
  constructor() {
    super('the username or the password is wrong');
  }
}

/** Told only to who knows the password. */
export class AccountDisabled extends ServiceError {
  readonly status = 403;
  readonly code = 'account_disabled';
  constructor() {
    super('this account is disabled: ask head office to enable it');
  }
}

/** One text for every limit and every user, known or not. */
export class TooManyFailures extends ServiceError {
  readonly status = 429;
  readonly code = 'too_many_failures';
  override readonly headers: Record<string, string>;
  constructor(seconds: number) {
    super(`too many failed logins: please try again in ${seconds} seconds`);
    this.headers = { 'Retry-After': String(seconds) };
  }
}
