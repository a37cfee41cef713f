import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';
import { COUNTS, FIELDS } from '../load/days.mjs';

/**
 * The yardstick: the least a server can do that takes the same upload. It checks the token's signature and time, the
 * body against one compiled schema, and writes the rows by one prepared statement. It knows no revocation, no grants,
 * no ledger, no history, no log, no metrics.
 */
const { DATABASE_URL, JWT_SECRET } = process.env;
const columns = FIELDS.join(', ');
const types = FIELDS.map(
  (field) => `${field} ${COUNTS.includes(field) ? 'integer' : 'numeric'}`,
).join(', ');

const CREATE = `CREATE TABLE IF NOT EXISTS hourly_sales (
  restaurant_id integer, date date, hour smallint, ${types}, PRIMARY KEY (restaurant_id, date, hour))`;
const SAVE = {
  name: 'save',
  text: `INSERT INTO hourly_sales (restaurant_id, date, hour, ${columns})
    SELECT restaurant_id, date, hour, ${columns}
    FROM json_to_recordset($1) AS r (restaurant_id integer, date date, hour smallint, ${types})
    ORDER BY hour
    ON CONFLICT (restaurant_id, date, hour) DO UPDATE SET ${FIELDS.map((field) => `${field} = excluded.${field}`).join(', ')}`,
};

const whole = (minimum, maximum) => ({ type: 'integer', minimum, maximum });
const money = { type: 'number', minimum: 0, exclusiveMaximum: 100_000_000_000 };
const count = whole(0, 2_147_483_647);
const record = {
  type: 'object',
  required: ['restaurant_id', 'date', 'hour', ...FIELDS],
  properties: {
    restaurant_id: whole(1, 2_147_483_647),
    date: { type: 'string', format: 'date' },
    hour: whole(0, 23),
    ...Object.fromEntries(FIELDS.map((field) => [field, COUNTS.includes(field) ? count : money])),
  },
};
const body = {
  type: 'object',
  required: ['records'],
  properties: { records: { type: 'array', minItems: 1, maxItems: 24, items: record } },
};
const answer = {
  type: 'object',
  properties: {
    success: { type: 'boolean' },
    processed: { type: 'integer' },
    message: { type: 'string' },
  },
};

const key = createSecretKey(JWT_SECRET, 'utf8');
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 8 });
await pool.query(CREATE);

const ajv = { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } };
const app = Fastify({ ajv });
const route = { schema: { body, response: { 200: answer } }, onRequest: checkToken };
app.post('/api/v1/sales/upload-daily', route, async (request, reply) => {
  const { records } = request.body;
  const [{ restaurant_id: id, date }] = records;
  const isOneDay = records.every((one) => one.restaurant_id === id && one.date === date);
  if (!isOneDay || new Set(records.map(({ hour }) => hour)).size < records.length) {
    return reply
      .code(400)
      .send({ error: 'one upload is one restaurant, one date, and no hour twice' });
  }
  await pool.query({ ...SAVE, values: [JSON.stringify(records)] });
  return {
    success: true,
    processed: records.length,
    message: `saved for restaurant ${id} on ${date}`,
  };
});
await app.listen({ port: 0, host: '127.0.0.1' });
process.send({ port: app.server.address().port });
process.once('disconnect', () => process.exit()).once('SIGTERM', () => process.exit());
process.on('SIGINT', () => undefined); // Ctrl-C reaches the whole group; the parent says when to go

async function checkToken(request, reply) {
  const [, token] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? [];
  if (!token || !isValid(token))
    return reply.code(401).send({ error: 'a valid token is required' });
}

function isValid(token) {
  const [header, payload, signature] = token.split('.');
  const expected = createHmac('sha256', key).update(`${header}.${payload}`).digest();
  const given = Buffer.from(signature ?? '', 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
  if (JSON.parse(Buffer.from(header, 'base64url')).alg !== 'HS256') return false;
  return JSON.parse(Buffer.from(payload, 'base64url')).exp > Date.now() / 1000;
}
