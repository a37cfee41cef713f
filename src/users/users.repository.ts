import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { User } from './user.entity.js';

/** The table of users. */
@Injectable()
export class UsersRepository {
  constructor(@InjectRepository(User) private readonly users: Repository<User>) {}

  findByName(username: string): Promise<User | null> {
    return this.users.findOneBy({ username });
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

  async setPasswordHash(id: number, passwordHash: string): Promise<void> {
    await this.users.update({ id }, { passwordHash });
  }

  /** Stores the same password's newer hash, unless another password was set meanwhile. */
  async renewPasswordHash(id: number, from: string, to: string): Promise<void> {
    await this.users.update({ id, passwordHash: from }, { passwordHash: to });
  }

  async setDisabled(id: number, disabled: boolean): Promise<void> {
    await this.users.update({ id }, { disabledAt: disabled ? () => 'coalesce(disabled_at, now())' : null });
  }

  async setAllRestaurants(id: number, allRestaurants: boolean): Promise<void> {
    await this.users.update({ id }, { allRestaurants });
  }
}
