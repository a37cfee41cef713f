import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Not, Repository } from 'typeorm';
import { Database } from '../database/database.js';
import type { Account } from './credentials.service.js';
import { User } from './user.entity.js';

/** A row in any case. The highest cost, at the fifth place of a bcrypt hash, is the end of an index. */
const FIND_ACCOUNT = {
  name: 'find_account',
  text: `
    SELECT u.id, u.password_hash, u.password_version, u.disabled_at IS NOT NULL AS disabled, h.cost AS highest_cost
    FROM (SELECT max(substr(password_hash, 5, 2)) AS cost FROM users) AS h
    LEFT JOIN users AS u ON u.username = $1`,
};

interface AccountRow {
  readonly id: number | null;
  readonly password_hash: string;
  readonly password_version: number;
  readonly disabled: boolean;
  readonly highest_cost: string | null;
}

/** The table of users. */
@Injectable()
export class UsersRepository {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly database: Database,
  ) {}

  /** The account of that name, and the highest cost of any password hash; 0 where there is none. */
  async findAccount(username: string): Promise<{ account: Account | undefined; highestCost: number }> {
    const row = (await this.database.run<AccountRow>(FIND_ACCOUNT, [username]))[0]!;
    const { id, password_hash: passwordHash, password_version: passwordVersion, disabled } = row;
    const account = id === null ? undefined : { id, passwordHash, passwordVersion, disabled };
    return { account, highestCost: Number(row.highest_cost) };
  }

  findByName(username: string): Promise<User | null> {
    return this.users.findOneBy({ username });
  }

  async isDisabled(id: number): Promise<boolean> {
    return this.users.existsBy({ id, disabledAt: Not(IsNull()) });
  }

  async hasPasswordHash(id: number, passwordHash: string): Promise<boolean> {
    return this.users.existsBy({ id, passwordHash });
  }

  list(): Promise<User[]> {
    return this.users.find({ order: { username: 'ASC' } });
  }

  /** false where the name is taken. */
  async insert(username: string, passwordHash: string): Promise<boolean> {
    const insert = this.users
      .createQueryBuilder()
      .insert()
      .values({ username, passwordHash })
      .orIgnore()
      .returning('id');
    return ((await insert.execute()).raw as unknown[]).length > 0;
  }

  /** Another password: the database revokes the account's tokens with it. */
  async setPasswordHash(id: number, passwordHash: string): Promise<void> {
    await this.users.update({ id }, { passwordHash, passwordVersion: () => 'password_version + 1' });
  }

  /** Stores the same password's newer hash, unless another password was set meanwhile. */
  async renewPasswordHash(id: number, from: string, to: string): Promise<void> {
    await this.users.update({ id, passwordHash: from }, { passwordHash: to });
  }

  /** The database revokes the tokens of an account that is disabled. */
  async setDisabled(id: number, disabled: boolean): Promise<void> {
    await this.users.update({ id }, { disabledAt: disabled ? () => 'coalesce(disabled_at, now())' : null });
  }

  async setAllRestaurants(id: number, allRestaurants: boolean): Promise<void> {
    await this.users.update({ id }, { allRestaurants });
  }
}
