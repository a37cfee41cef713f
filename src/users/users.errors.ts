import { commandError, serviceError } from '../http/errors/service-error.js';

export const UnknownUser = commandError({
  code: 'unknown_user',
  status: 404,
  text: (username: string) => `there is no user "${username}"`,
});

export const UsernameTaken = commandError({
  code: 'username_taken',
  status: 409,
  text: (username: string) => `there is a user "${username}" already`,
});

export const InvalidUsername = commandError({
  code: 'invalid_username',
  status: 400,
  text: 'a username has 1 to 200 characters, none of them a control character, and no space at its ends',
});

export const InvalidPassword = commandError({
  code: 'invalid_password',
  status: 400,
  text: (reason: string) => `the password ${reason}`,
});

export const TooManyLogins = serviceError({
  code: 'too_many_logins',
  status: 503,
  text: (seconds: number) =>
    `too many logins at this moment: please try again in ${seconds} seconds`,
  headers: (seconds) => ({ 'Retry-After': String(seconds) }),
});
