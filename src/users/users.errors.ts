import { commandError, serviceError } from '../http/errors/service-error.js';

export const UnknownUser = commandError('unknown_user', 404, (username: string) => `there is no user "${username}"`);

export const UsernameTaken = commandError(
  'username_taken',
  409,
  (username: string) => `there is a user "${username}" already`,
);

export const InvalidUsername = commandError(
  'unfit_username',
  400,
  'a username has 1 to 200 characters, none of them a control character, and no space at its ends',
);

export const InvalidPassword = commandError('unfit_password', 400, (reason: string) => `the password ${reason}`);

export const TooManyLogins = serviceError(
  'too_many_logins',
  503,
  (seconds: number) => `too many logins at this moment: please try again in ${seconds} seconds`,
  (seconds) => ({ 'Retry-After': String(seconds) }),
);
