import { serviceError } from '../http/errors/service-error.js';

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
