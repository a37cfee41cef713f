import { serviceError } from '../http/errors/service-error.js';

/** RFC 6750 section 3: no error code without a token. */
export const TokenMissing = serviceError(
  'token_missing',
  401,
  'an access token is required: log in and send the header Authorization: Bearer <ACCESS_TOKEN>',
  { 'WWW-Authenticate': 'Bearer' },
);

export const TokenInvalid = serviceError(
  'token_invalid',
  401,
  'the access token is invalid, expired or revoked: log in again',
  { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
);

/** One text for unknown users and wrong passwords. */
export const WrongCredentials = serviceError('wrong_credentials', 401, 'the username or the password is wrong', {
  'WWW-Authenticate': 'Bearer',
});

/** Sent only after the right password. */
export const AccountDisabled = serviceError(
  'account_disabled',
  403,
  'this account is disabled: ask head office to enable it',
);

export const TooManyFailures = serviceError(
  'too_many_failures',
  429,
  (seconds: number) => `too many failed logins: please try again in ${seconds} seconds`,
  (seconds) => ({ 'Retry-After': String(seconds) }),
);
