import { Injectable } from '@nestjs/common';
import { PasswordHasher } from './password-hasher.js';
import type { User } from './user.entity.js';
import { InvalidUsername, UnknownUser, UsernameTaken } from './users.errors.js';
import { UsersRepository } from './users.repository.js';

/** The accounts: made and changed by an administrator only. */
@Injectable()
export class UsersService {
  constructor(
    private readonly users: UsersRepository,
    private readonly hasher: PasswordHasher,
  ) {}

  find(username: string): Promise<User | null> {
    return this.users.findByName(username);
  }

  list(): Promise<User[]> {
    return this.users.list();
  }

  /** Throws `UnknownUser`. */
  async get(username: string): Promise<User> {
    const user = await this.users.findByName(username);
    if (!user) throw new UnknownUser(username);
    return user;
  }

  /** Throws `InvalidUsername`, `InvalidPassword`, `UsernameTaken`. */
  async add(username: string, password: string): Promise<void> {
    if (!/^(?! )[^\p{Cc}\p{Cs}]{1,200}(?<! )$/u.test(username)) throw new InvalidUsername();
    if (!(await this.users.insert(username, await this.hasher.hash(password)))) throw new UsernameTaken(username);
  }

  /** Throws `UnknownUser`, `InvalidPassword`. Revokes the user's tokens. */
  async setPassword(username: string, password: string): Promise<User> {
    const user = await this.get(username);
    await this.users.setPasswordHash(user.id, await this.hasher.hash(password));
    return user;
  }

  /** Throws `UnknownUser`. Disabling revokes the user's tokens. */
  async setDisabled(username: string, disabled: boolean): Promise<User> {
    const user = await this.get(username);
    await this.users.setDisabled(user.id, disabled);
    return user;
  }

  async setAllRestaurants(user: User, allRestaurants: boolean): Promise<void> {
    await this.users.setAllRestaurants(user.id, allRestaurants);
  }
}
