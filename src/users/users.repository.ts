import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { Transaction } from '../database/transaction.js';
import type { User } from './user.entity.js';

export type Account = Pick<User, 'id' | 'passwordHash' | 'passwordVersion'> & { readonly disabled: boolean };

export interface Credentials {
  readonly account: Account | undefined;
  /** The highest bcrypt cost in use; equal work hides which users exist. */
  readonly workCost: number;
}

const COLUMNS = `
  id, username, password_hash AS "passwordHash", password_version AS "passwordVersion",
  all_restaurants AS "allRestaurants", disabled_at AS "disabledAt", created_at AS "createdAt"`;

/** Always one row. Characters 5 and 6, the bcrypt cost, are indexed. */
const FIND_ACCOUNT = {
  name: 'find_account',
  text: `
    SELECT u.id, u.password_hash AS "passwordHash", u.password_version AS "passwordVersion",
      u.disabled_at IS NOT NULL AS disabled, h.cost AS "highestCost"
    FROM (SELECT max(substr(password_hash, 5, 2)) AS cost FROM users) AS h
    LEFT JOIN users AS u ON u.username = $1`,
};
const FIND = { name: 'find_user', text: `SELECT ${COLUMNS} FROM users WHERE username = $1` };
const LIST = { name: 'list_users', text: `SELECT ${COLUMNS} FROM users ORDER BY username` };
const IS_DISABLED = { name: 'is_user_disabled', text: 'SELECT FROM users WHERE id = $1 AND disabled_at IS NOT NULL' };
const HAS_HASH = { name: 'has_password_hash', text: 'SELECT FROM users WHERE id = $1 AND password_hash = $2' };
const INSERT = {
  name: 'insert_user',
  text: 'INSERT INTO users (username, password_hash) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING id',
};
const SET_HASH = {
  name: 'set_password_hash',
  text: 'UPDATE users SET password_hash = $2, password_version = password_version + 1 WHERE id = $1',
};
const RENEW_HASH = {
  name: 'renew_password_hash',
  text: 'UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash = $2',
};
const DISABLE = {
  name: 'disable_user',
  text: 'UPDATE users SET disabled_at = now() WHERE id = $1 AND disabled_at IS NULL',
};
const ENABLE = { name: 'enable_user', text: 'UPDATE users SET disabled_at = NULL WHERE id = $1' };
const SET_ALL_RESTAURANTS = {
  name: 'set_all_restaurants',
  text: 'UPDATE users SET all_restaurants = $2 WHERE id = $1',
};

/** Reads and writes users; the database revokes their tokens on disabling and new passwords. */
@Injectable()
export class UsersRepository {
  constructor(private readonly database: Database) {}

  /** `highestCost` is 0 without users. */
  async findAccount(username: string): Promise<{ account: Account | undefined; highestCost: number }> {
    type Row = { [Key in keyof Account]: Account[Key] | null } & { readonly highestCost: string | null };
    const { highestCost, ...account } = (await this.database.run<Row>(FIND_ACCOUNT, [username]))[0]!;
    return { account: account.id === null ? undefined : (account as Account), highestCost: Number(highestCost) };
  }

  async findByName(username: string): Promise<User | undefined> {
    return (await this.database.run<User>(FIND, [username]))[0];
  }

  async isDisabled(id: number): Promise<boolean> {
    return (await this.database.run(IS_DISABLED, [id])).length > 0;
  }

  async hasPasswordHash(id: number, passwordHash: string): Promise<boolean> {
    return (await this.database.run(HAS_HASH, [id, passwordHash])).length > 0;
  }

  list(): Promise<User[]> {
    return this.database.run(LIST, []);
  }

  /** False if the name is taken. */
  async insert(username: string, passwordHash: string): Promise<boolean> {
    return (await this.database.run(INSERT, [username, passwordHash])).length > 0;
  }

  async setPasswordHash(id: number, passwordHash: string): Promise<void> {
    await this.database.run(SET_HASH, [id, passwordHash]);
  }

  /** Changes nothing if a new password was set meanwhile. */
  async renewPasswordHash(id: number, from: string, to: string): Promise<void> {
    await this.database.run(RENEW_HASH, [id, from, to]);
  }

  async setDisabled(id: number, disabled: boolean): Promise<void> {
    await this.database.run(disabled ? DISABLE : ENABLE, [id]);
  }

  async setAllRestaurants(id: number, allRestaurants: boolean, transaction: Transaction): Promise<void> {
    await transaction.run(SET_ALL_RESTAURANTS, [id, allRestaurants]);
  }
}
