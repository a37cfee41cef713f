import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { Restaurant } from './restaurant.entity.js';

const COLUMNS = 'id, name, closed, created_at AS "createdAt"';

const LIST = { name: 'list_restaurants', text: `SELECT ${COLUMNS} FROM restaurants ORDER BY id` };

const FIND = { name: 'find_restaurants', text: `SELECT ${COLUMNS} FROM restaurants WHERE id = ANY($1::integer[])` };

const INSERT = {
  name: 'insert_restaurant',
  text: 'INSERT INTO restaurants (id, name) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING id',
};

const RENAME = { name: 'rename_restaurant', text: 'UPDATE restaurants SET name = $2 WHERE id = $1' };

const CLOSE = {
  name: 'close_restaurant',
  text: 'UPDATE restaurants SET closed = closed + datemultirange(daterange($2, NULL)) WHERE id = $1',
};

const REOPEN = {
  name: 'reopen_restaurant',
  text: 'UPDATE restaurants SET closed = closed - datemultirange(daterange($2, NULL)) WHERE id = $1',
};

/** Dates are YYYY-MM-DD. */
@Injectable()
export class RestaurantsRepository {
  constructor(private readonly database: Database) {}

  list(): Promise<Restaurant[]> {
    return this.database.run(LIST, []);
  }

  /** Those that exist, in any order. */
  find(ids: readonly number[]): Promise<Restaurant[]> {
    return this.database.run(FIND, [ids]);
  }

  /** Returns false if the id is taken. */
  async insert(id: number, name: string): Promise<boolean> {
    return (await this.database.run(INSERT, [id, name])).length > 0;
  }

  async rename(id: number, name: string): Promise<void> {
    await this.database.run(RENAME, [id, name]);
  }

  async close(id: number, from: string): Promise<void> {
    await this.database.run(CLOSE, [id, from]);
  }

  async reopen(id: number, from: string): Promise<void> {
    await this.database.run(REOPEN, [id, from]);
  }
}
