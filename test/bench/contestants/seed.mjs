import { hash } from 'bcrypt';
import { AppConfig } from '../../../dist/src/config/app-config.js';
import { migrate } from '../../../dist/src/database/migrate.js';
import { runSql } from '../machine/postgres.mjs';

export const PASSWORD = 'right password';

/** The restaurants of the upload scenarios; identifiers of five digits, see UploadRequests. */
export const RESTAURANTS = { first: 10_001, count: 64 };

/** Of the one token there is before anybody logs in: the uploader's. */
export const TOKEN_ID = '5bd3fd0a-7a41-4d5c-9c61-3f3a3f6a1c2e';

/** The user who uploads, and those who log in; they share one hash. */
export const UPLOADER = 'head-office';
export const CASHIERS = Array.from({ length: 200 }, (_, index) => `cashier-${index}`);

/**
 * Migrates an empty database and fills in restaurants, users, and one user who was granted every restaurant. As in real
 * life, statistics are taken of tables that hold something.
 */
export async function seed(url) {
  await migrate(Object.assign(new AppConfig(), { DATABASE_URL: url }));
  const digest = await hash(PASSWORD, 10);
  const last = RESTAURANTS.first + RESTAURANTS.count - 1;
  await runSql(
    url,
    `INSERT INTO restaurants (id, name) SELECT id, 'Restaurant ' || id FROM generate_series(${RESTAURANTS.first}, ${last}) AS id`,
    `INSERT INTO users (username, password_hash) VALUES ('${UPLOADER}', '${digest}')`,
    `INSERT INTO users (username, password_hash) SELECT 'cashier-' || n, '${digest}' FROM generate_series(0, ${CASHIERS.length - 1}) AS n`,
    'INSERT INTO restaurant_grants (user_id, restaurant_id) SELECT 1, id FROM restaurants',
    `INSERT INTO tokens (jti, user_id, issued_at, expires_at) VALUES ('${TOKEN_ID}', 1, now(), now() + interval '2 hours')`,
    'ANALYZE restaurants, users, restaurant_grants, tokens',
  );
}
