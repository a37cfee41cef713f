import { randomUUID } from 'node:crypto';
import { recordsOf, OLD_DAYS_FROM, SAMPLE } from '../load/days.mjs';
import { runSql } from '../machine/postgres.mjs';
import { RESTAURANTS } from './seed.mjs';
import { signToken } from './tokens.mjs';

/** Days of history of each restaurant that make up so many hourly rows. */
export function daysOf(rows) {
  return Math.ceil(rows / 24 / RESTAURANTS.count);
}

/** Fills the tables of sales with whole days before all others, in the order in which they would have come. */
export async function fillSales(url, days, { first, count } = RESTAURANTS) {
  const records = recordsOf({ ...SAMPLE, variant: 0 }).map(({ restaurant_id, date, ...values }) => values);
  const fields = Object.keys(records[0]);
  const columns = JSON.stringify(Object.fromEntries(fields.map((field) => [field, records.map((one) => one[field])])));
  const day = `date '${OLD_DAYS_FROM}' - day AS date`;
  const all = `generate_series(${days - 1}, 0, -1) AS day, generate_series(${first}, ${first + count - 1}) AS restaurant_id`;
  const figures = fields.slice(1);
  await runSql(
    url,
    `INSERT INTO sales_days (restaurant_id, date, uploads, hours, last_uploaded_at)
     SELECT restaurant_id, ${day}, 1, 16777215, now() FROM ${all}`,
    `INSERT INTO uploads (restaurant_id, date, number, user_id, client_address, uploaded_at, processed, changed_hours, records)
     SELECT restaurant_id, ${day}, 1, 1, '127.0.0.1', now(), 24, 16777215, '${columns}' FROM ${all}`,
    `INSERT INTO hourly_sales (restaurant_id, date, hour, ${figures}, upload_number)
     SELECT restaurant_id, ${day}, hour, ${figures.map((field) => records[12][field])}, 1
     FROM ${all}, generate_series(0, 23) AS hour`,
    'VACUUM ANALYZE sales_days, uploads, hourly_sales',
  );
}

/** As many further restaurants, and as many users who upload for one each; answers the users' tokens. */
export async function fillAccounts(url, secret, { first, count, tokens }) {
  const jtis = Array.from({ length: count }, () => randomUUID());
  const numbers = `generate_series(0, ${count - 1}) AS n`;
  await runSql(
    url,
    `INSERT INTO restaurants (id, name) SELECT ${first} + n, 'Restaurant ' || n FROM ${numbers} ON CONFLICT DO NOTHING`,
    `INSERT INTO users (id, username, password_hash) OVERRIDING SYSTEM VALUE SELECT ${first} + n, 'till-' || n, '-' FROM ${numbers}`,
    `INSERT INTO restaurant_grants (user_id, restaurant_id) SELECT ${first} + n, ${first} + n FROM ${numbers}`,
    `INSERT INTO tokens (jti, user_id, issued_at, expires_at)
     SELECT jti, ${first} + n - 1, now(), now() + interval '2 hours'
     FROM unnest('{${jtis}}'::uuid[]) WITH ORDINALITY AS t (jti, n)`,
    `INSERT INTO tokens (jti, user_id, issued_at, expires_at)
     SELECT gen_random_uuid(), ${first} + n % ${count}, now(), now() + interval '2 hours' FROM generate_series(1, ${tokens}) AS n`,
    'VACUUM ANALYZE restaurants, users, restaurant_grants, tokens',
  );
  return jtis.map((jti, index) => signToken(secret, { userId: first + index, jti }));
}
