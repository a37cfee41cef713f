import { serviceError } from '../../http/errors/service-error.js';

/** Is the same for unknown users and wrong passwords: clients cannot find out which users exist. */
export class WrongCredentials extends serviceError({
  code: 'wrong_credentials',
  status: 401,
  text: 'the username or the password is wrong',
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

export class PasswordNotAllowed extends serviceError({
  code: 'password_not_allowed',
  status: 403,
  text: 'this user signs in with the company account',
}) {}

/** Is sent only after the right password. */
export class CodeRequired extends serviceError({
  code: 'code_required',
  status: 403,
  text: 'send the code of your authenticator app, or a recovery code, as `code` too',
}) {}

const WRONG_CODE = 'the code is wrong, or was used before';

export class WrongCode extends serviceError({
  code: 'wrong_code',
  status: 401,
  text: WRONG_CODE,
}) {}

/** A 401 would say that the token has ended. */
export class WrongCurrentCode extends serviceError({
  code: 'wrong_current_code',
  status: 403,
  text: WRONG_CODE,
}) {}

export class SecondFactorNotOffered extends serviceError({
  code: 'second_factor_not_offered',
  status: 404,
  text: 'a second factor is not offered to this account',
}) {}

export class SecondFactorExists extends serviceError({
  code: 'second_factor_exists',
  status: 409,
  text: 'there is a second factor already: remove it first',
}) {}
