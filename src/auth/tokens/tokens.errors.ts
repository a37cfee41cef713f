import { serviceError } from '../../http/errors/service-error.js';

/** A challenge has no error code if no token was sent (RFC 6750 section 3). */
export class TokenMissing extends serviceError({
  code: 'token_missing',
  status: 401,
  text: (cameThroughProxy: boolean) =>
    'an access token is required: log in and send the header Authorization: Bearer <ACCESS_TOKEN>' +
    (cameThroughProxy ? ', which a proxy in between may have removed' : ''),
  headers: { 'WWW-Authenticate': 'Bearer' },
}) {}

export class TokenInvalid extends serviceError({
  code: 'token_invalid',
  status: 401,
  text: 'the access token is invalid, expired or revoked: log in again',
  headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
}) {}
