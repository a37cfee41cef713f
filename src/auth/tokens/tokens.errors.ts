import { serviceError } from '../../http/errors/service-error.js';

/** A challenge has no error code if no token was sent (RFC 6750 section 3). */
export class TokenMissing extends serviceError({
  code: 'token_missing',
  status: 401,
  text: (cameThroughProxy: boolean) =>
    'an access token is required: log in and send the header Authorization: Bearer <ACCESS_TOKEN>' +
    (cameThroughProxy ? ', which a proxy in between may have removed' : ''),
}) {}

export class TokenInvalid extends serviceError({
  code: 'token_invalid',
  status: 401,
  text: 'the access token is invalid, expired or revoked: log in again',
  headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
}) {}

export class PasswordMustChange extends serviceError({
  code: 'password_must_change',
  status: 403,
  text: 'set a password of your own first: head office knows this one',
}) {}

export class SecondFactorRequired extends serviceError({
  code: 'second_factor_required',
  status: 403,
  text: 'set up the second factor first, on the page or by POST /api/v1/auth/second-factor',
}) {}

/** What the user of a restricted token has to do before other routes than those of `auth/`. */
export const RESTRICTIONS = {
  password_must_change: PasswordMustChange,
  second_factor_required: SecondFactorRequired,
} as const;
export type Restriction = keyof typeof RESTRICTIONS;
