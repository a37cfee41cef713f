import { serviceError } from '../http/errors/service-error.js';

export class UnknownUser extends serviceError({
  code: 'unknown_user',
  status: 404,
  text: (username: string) => `there is no user "${username}"`,
  ofCommandsOnly: true,
}) {}

export class UsernameTaken extends serviceError({
  code: 'username_taken',
  status: 409,
  text: (username: string) => `there is a user "${username}" already`,
  ofCommandsOnly: true,
}) {}

export class InvalidPassword extends serviceError({
  code: 'invalid_password',
  status: 400,
  text: (reason: string) => `the password ${reason}`,
  pointers: ['/new_password'],
}) {}

export class TooManyLogins extends serviceError({
  code: 'too_many_logins',
  status: 503,
  text: (seconds: number) => {
    const wait = seconds === 1 ? '1 second' : `${seconds} seconds`;
    return `too many logins at this moment: please try again in ${wait}`;
  },
  headers: (seconds) => ({ 'Retry-After': String(seconds) }),
}) {}
