import { serviceError } from '../../http/errors/service-error.js';

/** Is the same for unknown users and wrong passwords: clients cannot find out which users exist. */
export class WrongCredentials extends serviceError({
  code: 'wrong_credentials',
  status: 401,
  text: 'the username or the password is wrong',
  headers: { 'WWW-Authenticate': 'Bearer' },
}) {}

export class WrongCurrentPassword extends serviceError({
  code: 'wrong_current_password',
  status: 403,
  text: 'the current password is wrong',
}) {}

/** Is sent only after the right password. */
export class AccountDisabled extends serviceError({
  code: 'account_disabled',
  status: 403,
  text: 'this account is disabled: ask head office to enable it',
}) {}

export class TooManyFailures extends serviceError({
  code: 'too_many_failures',
  status: 429,
  text: (seconds: number) => `too many failed logins: please try again in ${seconds} seconds`,
  headers: (seconds) => ({ 'Retry-After': String(seconds) }),
}) {}

export class TooManyRequests extends serviceError({
  code: 'too_many_requests',
  status: 429,
  text: (seconds: number) =>
    `too many logins from this address: please try again in ${seconds} seconds`,
  headers: (seconds) => ({ 'Retry-After': String(seconds) }),
}) {}
