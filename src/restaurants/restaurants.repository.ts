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

const FROM = 'datemultirange(daterange($2, NULL))';

const CHANGES = {
  rename: { name: 'rename_restaurant', text: updateSetting('name = $2') },
  close: { name: 'close_restaurant', text: updateSetting(`closed = closed + ${FROM}`) },
  reopen: { name: 'reopen_restaurant', text: updateSetting(`closed = closed - ${FROM}`) },
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

  /** `value` is the new name, or the first day. Returns the restaurant as it is then. */
  async change(change: keyof typeof CHANGES, id: number, value: string): Promise<Restaurant> {
    const [changed] = await this.database.run<Restaurant>(CHANGES[change], [id, value]);
    return changed!;
  }
}

function updateSetting(assignment: string): string {
  return `UPDATE restaurants SET ${assignment} WHERE id = $1 RETURNING ${COLUMNS}`;
}
