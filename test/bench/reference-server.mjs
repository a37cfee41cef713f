import { createHmac } from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';
import { SALES_FIELDS } from '../../dist/src/sales/fields/sales-fields.js';

/**
 * The yardstick: the least a server can do that takes the same upload. It checks the token's signature and time, the
 * body against one compiled schema, and writes the rows by one prepared statement. It knows no revocation, no grants,
 * no ledger, no history, no log, no metrics.
 */
const { DATABASE_URL, JWT_SECRET, PORT } = process.env;
const listFields = (write) => SALES_FIELDS.map(write).join(', ');
const columns = listFields(({ name }) => name);
const types = listFields(({ name, kind }) => `${name} ${kind === 'count' ? 'integer' : 'numeric'}`);

const CREATE = `CREATE TABLE hourly_sales (
  restaurant_id integer, date date, hour smallint, ${types}, PRIMARY KEY (restaurant_id, date, hour))`;
const SAVE = {
  name: 'save',
  text: `INSERT INTO hourly_sales (restaurant_id, date, hour, ${columns})
    SELECT restaurant_id, date, hour, ${columns}
    FROM json_to_recordset($1) AS r (restaurant_id integer, date date, hour smallint, ${types})
    ORDER BY hour
    ON CONFLICT (restaurant_id, date, hour) DO UPDATE SET ${listFields(({ name }) => `${name} = excluded.${name}`)}`,
};

const whole = (minimum, maximum) => ({ type: 'integer', minimum, maximum });
const money = { type: 'number', minimum: 0, exclusiveMaximum: 100_000_000_000 };
const count = whole(0, 2_147_483_647);
const figures = SALES_FIELDS.map(({ name, kind }) => [name, kind === 'count' ? count : money]);
const properties = {
  restaurant_id: whole(1, 2_147_483_647),
  date: { type: 'string', format: 'date' },
  hour: whole(0, 23),
  ...Object.fromEntries(figures),
};
const record = { type: 'object', required: Object.keys(properties), properties };
const records = { type: 'array', minItems: 1, maxItems: 24, items: record };
const body = { type: 'object', required: ['records'], properties: { records } };

const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 8 });
await pool.query(CREATE);

const ajv = { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } };
const app = Fastify({ ajv });
app.get('/health/ready', () => 'ready');
app.post(
  '/api/v1/sales/upload-daily',
  { schema: { body }, onRequest: checkToken },
  async ({ body: { records: uploaded } }) => {
    await pool.query({ ...SAVE, values: [JSON.stringify(uploaded)] });
    return { success: true, processed: uploaded.length, message: 'saved' };
  },
);
await app.listen({ port: Number(PORT), host: '127.0.0.1' });
const parent = process.ppid;
setInterval(() => process.ppid === parent || process.exit(), 1000);

async function checkToken(request, reply) {
  const [, token = ''] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? [];
  const [header, payload, signature] = token.split('.');
  const expected = createHmac('sha256', JWT_SECRET).update(`${header}.${payload}`);
  const isSigned = signature === expected.digest('base64url');
  if (!isSigned || JSON.parse(Buffer.from(payload, 'base64url')).exp < Date.now() / 1000)
    return reply.code(401).send({ error: 'a valid token is required' });
}
