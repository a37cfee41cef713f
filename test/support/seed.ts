import { hash } from 'bcrypt';
import type { TestDatabase } from './test-database.js';

/** A user who may upload for all restaurants, and the restaurants, made behind the service's back; no password twice. */
export async function seed(
  database: Pick<TestDatabase, 'query'>,
  { username = 'till', password = 'right password', restaurants = [101] } = {},
): Promise<void> {
  await database.query(
    `INSERT INTO restaurants (id, name, first_day) SELECT id, 'Restaurant ' || id, '0001-01-01' FROM unnest($1::integer[]) AS id`,
    [restaurants],
  );
  await database.query(
    'INSERT INTO users (username, password_hash, all_restaurants) VALUES ($1, $2, true)',
    [username, await hash(password, 4)],
  );
}
