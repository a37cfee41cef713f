import { ServiceError } from '../http/service-error.js';

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

export class UnfitUsername extends ServiceError {
  readonly status = 400;
  readonly code = 'unfit_username';
  constructor() {
    super('a username has 1 to 200 characters, none of them a control character, and no space at its ends');
  }
}

/** bcrypt reads 72 bytes at most and stops at a NUL: what lies behind would silently not count. */
export class UnfitPassword extends ServiceError {
  readonly status = 400;
  readonly code = 'unfit_password';
  constructor(reason: string) {
    super(`the password ${reason}`);
  }
}
