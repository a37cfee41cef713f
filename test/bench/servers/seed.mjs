import { hash } from 'bcrypt';
import { runSql } from '../postgres.mjs';
import { runCommand } from './service.mjs';

export const PASSWORD = 'right password';

/** The restaurants of the scenarios; `days.mjs` needs identifiers of five digits. */
export const RESTAURANTS = { first: 10_001, count: 64 };

/** The user who uploads, and those who log in; they share one hash. */
export const UPLOADER = 'head-office';
export const CASHIERS = Array.from({ length: 200 }, (_, index) => `cashier-${index}`);

/** Migrates an empty database and fills in restaurants, users and one user who was granted every restaurant. */
export async function seed(folder, url) {
  await runCommand(folder, url, 'migration', 'run');
  const digest = await hash(PASSWORD, 10);
  await runSql(
    url,
    ...restaurantsFrom(RESTAURANTS),
    ...usersNamed([UPLOADER, ...CASHIERS], digest),
    `INSERT INTO restaurant_grants (user_id, restaurant_id)
     SELECT users.id, restaurants.id FROM users, restaurants WHERE username = '${UPLOADER}'`,
    'ANALYZE restaurants, users, restaurant_grants', // as in real life, of tables that hold something
  );
}

/** A till, which is a user with a restaurant of its own, for each name; each logged in the day before. */
export async function seedTills(url, usernames) {
  const first = RESTAURANTS.first + RESTAURANTS.count;
  await runSql(
    url,
    ...restaurantsFrom({ first, count: usernames.length }),
    ...usersNamed(usernames, await hash(PASSWORD, 10)),
    `INSERT INTO restaurant_grants (user_id, restaurant_id)
     SELECT users.id, ${first} + n - 1
     FROM unnest('{${usernames}}'::text[]) WITH ORDINALITY AS till (username, n) JOIN users USING (username)`,
    `INSERT INTO known_addresses (user_id, network, last_login_at) SELECT id, '127.0.0.1', now() FROM users`,
    'ANALYZE restaurants, users, restaurant_grants',
  );
  return usernames.map((username, index) => ({ username, restaurant: first + index }));
}

function restaurantsFrom({ first, count }) {
  const ids = `generate_series(${first}, ${first + count - 1}) AS id`;
  return [`INSERT INTO restaurants (id, name) SELECT id, 'Restaurant ' || id FROM ${ids}`];
}

function usersNamed(usernames, digest) {
  return [
    `INSERT INTO users (username, password_hash) SELECT unnest('{${usernames}}'::text[]), '${digest}'`,
  ];
}
