import { createHmac } from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';
import { SALES_FIELDS } from '../../dist/src/sales/fields/sales-fields.js';

/**
 * The yardstick: the least a server can do that takes the same upload. It checks the token's signature and time, the
 * body against one compiled schema, and writes the rows by one prepared statement. It knows no revocation, no grants,
 * no ledger, no history, no log, no metrics. With FRAMEWORK=nest it does the same on Nest, which tells what that costs.
 */
const { DATABASE_URL, FRAMEWORK, JWT_SECRET, PORT } = process.env;
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
const address = { port: Number(PORT), host: '127.0.0.1' };
await (FRAMEWORK === 'nest' ? serveWithNest() : serveWithFastify());
const parent = process.ppid;
setInterval(() => process.ppid === parent || process.exit(), 1000);

async function serveWithFastify() {
  const app = Fastify({ ajv });
  const onRequest = async ({ headers }, reply) => {
    if (!isSigned(headers.authorization))
      return reply.code(401).send({ error: 'a valid token is required' });
  };
  app.get('/health/ready', () => 'ready');
  app.post('/api/v1/sales/upload-daily', { schema: { body }, onRequest }, (request) =>
    save(request.body),
  );
  await app.listen(address);
}

/** The same as a route of Nest on Express, as Nest sets both up by itself. */
async function serveWithNest() {
  await import('reflect-metadata');
  const nest = await import('@nestjs/common');
  const { NestFactory } = await import('@nestjs/core');
  let isValid;
  const compiler = Fastify({ ajv });
  compiler.get('/', async (request) => {
    isValid = request.compileValidationSchema(body);
    return '';
  });
  await compiler.inject('/');
  class Routes {
    ready() {
      return 'ready';
    }
    upload(authorization, sent) {
      if (!isSigned(authorization)) throw new nest.UnauthorizedException();
      if (!isValid(sent)) throw new nest.BadRequestException(isValid.errors);
      return save(sent);
    }
  }
  // This file is plain JavaScript, which has no syntax for decorators yet.
  const { prototype } = Routes;
  const decorate = (name, ...decorators) =>
    Reflect.decorate(decorators, prototype, name, Object.getOwnPropertyDescriptor(prototype, name));
  nest.Controller()(Routes);
  decorate('ready', nest.Get('health/ready'));
  decorate('upload', nest.Post('api/v1/sales/upload-daily'), nest.HttpCode(200));
  nest.Headers('authorization')(prototype, 'upload', 0);
  nest.Body()(prototype, 'upload', 1);
  class RoutesModule {}
  nest.Module({ controllers: [Routes] })(RoutesModule);
  const app = await NestFactory.create(RoutesModule, { logger: ['error'] });
  await app.listen(address.port, address.host);
}

async function save({ records: uploaded }) {
  await pool.query({ ...SAVE, values: [JSON.stringify(uploaded)] });
  return { success: true, processed: uploaded.length, message: 'saved' };
}

function isSigned(authorization = '') {
  const [, token = ''] = /^Bearer (\S+)$/.exec(authorization) ?? [];
  const [header, payload, signature] = token.split('.');
  const expected = createHmac('sha256', JWT_SECRET).update(`${header}.${payload}`);
  if (signature !== expected.digest('base64url')) return false;
  return JSON.parse(Buffer.from(payload, 'base64url')).exp >= Date.now() / 1000;
}
