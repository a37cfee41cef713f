import { ServiceError } from '../http/errors/service-error.js';

export class UnknownUser extends ServiceError {
  readonly status = 404;
  readonly code = 'unknown_user';
  constructor(username: string) {
    super(`there is no user "${username}"`);
  }
}

export class UsernameTaken extends ServiceError {
  readonly status = 409;
  readonly code = 'username_taken';
  constructor(username: string) {
    super(`there is a user "${username}" already`);
  }
}

export class InvalidUsername extends ServiceError {
  readonly status = 400;
  readonly code = 'unfit_username';
  constructor() {
    super('a username has 1 to 200 characters, none of them a control character, and no space at its ends');
  }
}

/** bcrypt reads 72 bytes at most and stops at a NUL: what lies behind would silently not count. */
export class InvalidPassword extends ServiceError {
  readonly status = 400;
  readonly code = 'unfit_password';
  constructor(reason: string) {
    super(`the password ${reason}`);
  }
}

/** So many passwords wait to be compared that this one would wait too long. */
export class TooManyLogins extends ServiceError {
  readonly status = 503;
  readonly code = 'too_many_logins';
  override readonly headers: Record<string, string>;
  constructor(seconds: number) {
    super(`too many logins at this moment: please try again in ${seconds} seconds`);
    this.headers = { 'Retry-After': String(seconds) };
  }
}
