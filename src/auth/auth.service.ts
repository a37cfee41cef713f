import { Injectable } from '@nestjs/common';
import { PasswordHasher } from '../users/password-hasher.js';
import type { User } from '../users/user.entity.js';
import { UsersService } from '../users/users.service.js';
import { AccountDisabled, WrongCredentials } from './auth.errors.js';

/** Judges a login. */
@Injectable()
export class AuthService {
  constructor(
    private readonly users: UsersService,
    private readonly hasher: PasswordHasher,
  ) {}

  /** Throws `WrongCredentials`, and `AccountDisabled` to who knew the password. */
  async authenticate(username: string, password: string): Promise<User> {
    const user = username.includes('\0') ? null : await this.users.find(username);
    const matches = await this.hasher.matches(password, user?.passwordHash);
    if (!user || !matches) throw new WrongCredentials();
    if (user.disabledAt) throw new AccountDisabled();
    return user;
  }
}
