import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Controller, Get, type Type, UseGuards } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ThrottlerGuard } from '@nestjs/throttler';
import { CurrentUser, type Principal } from '../../src/auth/tokens/current-user.decorator.js';
import { Public } from '../../src/http/public.decorator.js';
import { UsersService } from '../../src/users/users.service.js';
import type { Answer } from '../support/client.js';
import { givenRestaurant, givenTill, givenUser } from '../support/given.js';
import {
  exampleOf,
  operationsOf,
  resolve,
  responseMismatches,
  servedRoutes,
} from '../support/openapi.js';
import { exchange, rawRequest } from '../support/raw-http.js';
import { AMOUNTS, OPTIONAL } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { documentGaps, guideGaps } from './documentation-gaps.js';
import { routesWithoutCaller } from './routes-without-caller.js';

/** Any route may send them: the server does whatever the path is. */
const ANY = ['400', '404', '408', '431', '500', '503'];

/** A restaurant that exists and is granted to nobody: only the grants keep it from a caller. */
const FOREIGN = 999;
const OF_FOREIGN = /"restaurant_id":999\b/;

const root = join(__dirname, '../..');

let service: TestApp;
let document: any;
beforeAll(async () => {
  service = await createTestApp();
  document = (await service.client.get('/api/v1/openapi.json')).body;
});
afterAll(() => service.close());

describe('GET /api/v1/openapi.json', () => {
  const operation = (name: string): any => new Map(operationsOf(document)).get(name);

  test('200: it is JSON, and the same from another application in the same process', async () => {
    const { client } = await service.another();
    const { status, headers, body } = await client.get('/api/v1/openapi.json');
    expect([status, headers.get('Content-Type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(body).toEqual(document);
    expect(document.servers).toEqual([{ url: '/', description: expect.any(String) }]);
  });

  test('it passes the recommended rules of a linter', async () => {
    const file = join(tmpdir(), `openapi-${process.pid}.json`);
    await writeFile(file, JSON.stringify(document));
    const cli = join(root, 'node_modules/@redocly/cli/bin/cli.js');
    const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const args = ['lint', file, '--config', join(__dirname, 'redocly.yaml'), '--format', 'json'];
    const env = { ...process.env, ...quiet };
    const { stdout } = spawnSync(process.execPath, [cli, ...args], { env, encoding: 'utf8' });
    await rm(file);
    expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 }, problems: [] });
  });

  test.each([
    ['POST /api/v1/auth/login', 'login', '200 401 403 429 413 415'],
    ['POST /api/v1/auth/revoke', 'revoke', '200 401 413 415'],
    ['POST /api/v1/sales/upload-daily', 'uploadDaily', '200 401 403 409 413 415'],
    ['GET /api/v1/sales/daily', 'getDay', '200 401 403'],
    ['GET /api/v1/sales/uploads', 'listUploads', '200 401 403'],
    ['GET /api/v1/sales/missing', 'listMissing', '200 401 403'],
    ['GET /api/v1/sales/calendar', 'getCalendar', '200 401 403'],
    ['GET /api/v1/sales/totals', 'getTotals', '200 401 403'],
    ['GET /api/v1/restaurants', 'listRestaurants', '200 401 403'],
    ['GET /health/live', 'getLiveness', '200'],
    ['GET /health/ready', 'getReadiness', '200'],
  ])('%s is %s and has the responses %s, and those of any route', (name, id, own) => {
    const { operationId, responses } = operation(name);
    const statuses = [...own.split(' '), ...ANY].sort();
    expect([operationId, Object.keys(responses).sort()]).toEqual([id, statuses]);
  });

  test('every tag is described, and no other', () => {
    const used = operationsOf(document).flatMap(([, { tags }]) => tags);
    const remedy = 'describe each tag in src/api-description.ts, in the order of use';
    expect({ [remedy]: document.tags.map(({ name }: any) => name).sort() }).toEqual({
      [remedy]: [...new Set(used)].sort(),
    });
    expect(document.tags.at(-1).name).toBe('Logout');
  });

  /** Each was reviewed: it works for clients without a token. */
  const PUBLIC_ROUTES = [
    'GET /api/v1/auth/ways',
    'GET /health/live',
    'GET /health/ready',
    'POST /api/v1/auth/company/begin',
    'POST /api/v1/auth/company/complete',
    'POST /api/v1/auth/company/logout',
    'POST /api/v1/auth/login',
  ];

  test('a token is asked for where it says so; no route is public by mistake', async () => {
    const isPublic: string[] = [];
    for (const [name, { security, responses }] of operationsOf(document)) {
      const [method = '', path = ''] = name.split(' ');
      const { headers } = await service.client.send(method, path);
      const isProtected = headers.get('X-Error-Code') === 'token_missing';
      expect([name, security]).toEqual([name, [isProtected ? { bearer: [] } : {}]]);
      if (isProtected) expect(responses).toHaveProperty('401');
      else isPublic.push(name);
    }
    const remedy = 'take @Public() from the route, or list it in PUBLIC_ROUTES of this file';
    expect({ [remedy]: isPublic.sort() }).toEqual({ [remedy]: PUBLIC_ROUTES });
  });

  /** Each was reviewed: it gives every user the same. */
  const SAME_FOR_ALL = [
    'FileProfilesController.listFileProfiles',
    'FileProfilesController.readFileProfile',
  ];

  test('every route knows who asks: whoever forgets that forgets the grants', () => {
    @Controller()
    class Example {
      @Get('forgotten')
      forgotten(): void {}
      @Public()
      @Get('open')
      open(): void {}
      @UseGuards(ThrottlerGuard)
      @Get('role')
      ofRole(): void {}
      @Get('own')
      own(@CurrentUser() user: Principal): Principal {
        return user;
      }
    }
    expect(routesWithoutCaller([Example])).toEqual(['Example.forgotten']);
    const found = service.app.get(DiscoveryService, { strict: false }).getControllers();
    const remedy =
      'take @CurrentUser() and ask for its grants, give it a guard, or list it in SAME_FOR_ALL here';
    const missing = routesWithoutCaller(found.map(({ metatype }) => metatype as Type));
    expect({ [remedy]: missing.filter((each) => !SAME_FOR_ALL.includes(each)) }).toEqual({
      [remedy]: [],
    });
  });

  test('every error has the body {error}, its headers and its codes', () => {
    expect(document.components.schemas.ErrorBody).toMatchObject({
      required: ['error'],
      properties: { error: { type: 'string' } },
    });
    const wait = 'Retry-After';
    const own: any = { 400: 'X-Error-Fields', 401: 'WWW-Authenticate', 429: wait, 503: wait };
    const responses = operationsOf(document).flatMap(([, each]) => Object.entries(each.responses));
    const examples: Record<string, unknown> = {};
    for (const [status, response] of responses.filter(([key]) => key >= '400')) {
      const { content, headers } = resolve(document, response);
      const $ref = '#/components/schemas/ErrorBody';
      const { schema, example } = content['application/json'];
      expect(schema).toEqual({ $ref });
      expect(examples[status] ?? example).toEqual(example); // one for each status
      examples[status] = example;
      const { enum: codes, example: code } = headers['X-Error-Code'].schema;
      expect(codes).toContain(code);
      expect(Object.keys(headers)).toEqual(
        ['X-Request-Id', own[status] ?? [], 'X-Error-Code'].flat(),
      );
    }
    const remedy = 'add an error of this status to those in src/api-description.ts';
    const texts = Object.entries<any>(examples).map(([status, each]) => [status, each?.error]);
    expect({ [remedy]: texts.filter(([, text]) => !text) }).toEqual({ [remedy]: [] });
    expect(new Set(texts.map(([, text]) => text)).size).toBe(texts.length);
  });

  test('its bounds are the rules', () => {
    const { schemas } = document.components;
    const { HourlySalesRecord: record, UploadDaily: upload, Login: login } = schemas;
    expect(Object.keys(schemas).filter((name) => name.endsWith('Dto'))).toEqual([]);
    const amount = {
      ...{ type: 'number', format: 'double' },
      ...{ minimum: 0, maximum: 1e11, exclusiveMaximum: true },
    };
    const count = { type: 'integer', minimum: 0, maximum: 2_147_483_647 };
    const date = { type: 'string', format: 'date' };
    expect(upload).toMatchObject({
      required: ['records'],
      properties: { records: { type: 'array', minItems: 1, maxItems: 24 } },
    });
    expect(record.required).toEqual(
      Object.keys(record.properties).filter((name) => !(name in OPTIONAL)),
    );
    expect(record.properties).toMatchObject({
      restaurant_id: { ...count, minimum: 1 },
      date,
      hour: { type: 'integer', minimum: 0, maximum: 23 },
      orders: count,
      pax: count,
      ...Object.fromEntries(AMOUNTS.map((name) => [name, amount])),
    });
    expect(login.properties.grant_type.enum).toEqual(['password']);
    expect(operation('POST /api/v1/auth/login').requestBody.required).toBe(true);
    expect(operation('POST /api/v1/auth/revoke').requestBody.required).toBe(false);
    const id = { type: 'integer', minimum: 1 };
    expect(operation('GET /api/v1/sales/daily').parameters).toMatchObject([
      { name: 'restaurant_id', in: 'query', required: true, schema: id },
      { name: 'date', in: 'query', required: true, schema: date },
    ]);
    const limit = { name: 'limit', required: false };
    expect(operation('GET /api/v1/sales/uploads').parameters[2]).toMatchObject(limit);
  });

  test('what may be null is optional, and its schema is not a reference', () => {
    const { HourChange } = document.components.schemas;
    expect(HourChange.properties.before).toMatchObject({
      ...{ type: 'object', nullable: true },
      properties: { gto: { type: 'number' } },
    });
    const schemas = Object.entries<any>(document.components.schemas);
    const nullable = schemas.flatMap(([schema, { properties = {}, required = [] }]) =>
      required
        .filter((name: string) => properties[name].nullable === true)
        .map((name: string) => `${schema}.${name}`),
    );
    const remedy = 'add required: false to these: Python clients reject null in a required field';
    expect({ [remedy]: nullable }).toEqual({ [remedy]: [] });
  });

  test('generators make right types: nothing is composed, integers have bounds', () => {
    expect(JSON.stringify(document)).not.toMatch(
      /"(allOf|anyOf|oneOf|additionalProperties)":(?!true)/,
    );
    const [integers, booleans]: [object[], object[]] = [[], []];
    JSON.stringify(document, (_key, value) => {
      if (value?.type === 'integer') integers.push(value);
      if (value?.type === 'boolean') booleans.push(value);
      return value;
    });
    const [format, minimum] = [expect.stringMatching(/^int/), expect.any(Number)];
    const bounded = { format, minimum, maximum: minimum };
    expect(integers).toEqual(integers.map(() => expect.objectContaining(bounded)));
    expect(booleans.filter((each) => 'enum' in each)).toEqual([]);
  });
});

describe('The guides and the document', () => {
  const reference = readFileSync(join(root, 'docs/reference.md'), 'utf8');
  const gapsOf = (described: any): string[] => [
    ...documentGaps(described, servedRoutes(service)),
    ...guideGaps(described, reference),
  ];

  test('every route is described in the document, and every error code in the reference', () => {
    expect(servedRoutes(service)).toContain('POST /api/v1/sales/upload-daily');
    expect(gapsOf(document)).toEqual([]);
  });

  const PATH = '/api/v1/restaurants';
  const NO_CONTENT = { 204: { description: 'Success' } };
  const ARRAY = { schema: { type: 'array', items: { type: 'integer' } } };
  const LIST = { 200: { content: { 'application/json': ARRAY } } };
  const CSV = { 200: { content: { 'text/csv': { schema: { type: 'string' } } } } };
  const PUT = { summary: 'Some', responses: NO_CONTENT };
  const codesOf = ({ components }: any): string[] =>
    components.responses.Forbidden.headers['X-Error-Code'].schema.enum;

  test.each<[gap: RegExp | undefined, change: (copy: any) => unknown]>([
    [/^GET .*restaurants is served but/, ({ paths }) => Reflect.deleteProperty(paths, PATH)],
    [/^PUT .* is in the document but/, ({ paths }) => (paths['/health/live'].put = PUT)],
    [/has no response body: add/, ({ paths }) => (paths[PATH].get.responses = {})],
    [/returns an array: return an obj/, ({ paths }) => (paths[PATH].get.responses = LIST)],
    [undefined, ({ paths }) => (paths[PATH].get.responses = NO_CONTENT)],
    [undefined, ({ paths }) => (paths[PATH].get.responses = CSV)],
    [/daily .* no 403: add/, ({ paths }) => delete paths['/api/v1/sales/daily'].get.responses[403]],
    [
      /^Login.username has no example: give it/,
      ({ components }) => delete components.schemas.Login.properties.username.example,
    ],
    [/the summary of POST .*: set/, ({ paths }) => (paths[PATH].get.summary = 'Log in')],
    [/^add some_code to the error codes/, (copy) => codesOf(copy).push('some_code')],
    [
      /^no error has the code restaurant_not_granted: take it/,
      (copy) => codesOf(copy).splice(codesOf(copy).indexOf('restaurant_not_granted'), 1),
    ],
  ])('what is missing is found, and nothing else: %s', (gap, change) => {
    const copy = structuredClone(document);
    change(copy);
    const before = gapsOf(document); // a gap of the document is told by the test above alone
    const found = gapsOf(copy).filter((each) => !before.includes(each));
    expect(found).toEqual(gap ? [expect.stringMatching(gap)] : []);
  });
});

describe('The statuses', () => {
  /** A module that is added tests its statuses itself, and so do file profiles and what is of people. */
  const OWN =
    /^\w+ \/(health\/|api\/v1\/(auth\/(login|password|revoke)|restaurants$|sales\/(?!file-profiles)|openapi\.json))/;

  let operations: [string, any][];
  let token: string;
  beforeAll(async () => {
    const own = operationsOf(document).filter(([name]) => OWN.test(name));
    // What ends the token comes last.
    const rank = ([name]: [string, unknown]) =>
      ['/password', '/revoke'].indexOf(/\/\w+$/.exec(name)?.[0] ?? '');
    operations = own.toSorted((one, next) => rank(one) - rank(next));
    // The user, password and restaurant of the examples.
    token = (await givenTill(service, { username: 'demo', password: 'demo-password' })).token;
  });

  type Example = ReturnType<typeof requestOf>;

  /** The request that an operation's examples make, as tools import it; of restaurant 101 where it may be of all. */
  function requestOf(name: string, { parameters = [], requestBody, security }: any) {
    const [method = '', path = ''] = name.split(' ');
    const examples = parameters
      .map(({ name: key, schema }: any) => [key, key === 'restaurant_id' ? 101 : schema.example])
      .filter(([, example]: any) => example !== undefined);
    const query = new URLSearchParams(examples).toString();
    const schema = requestBody?.content['application/json']?.schema;
    const body = schema && exampleOf(document, schema);
    return { method, path: `${path}?${query}`, body, isProtected: 'bearer' in security[0] };
  }

  function send(example: Example, headers: Record<string, string> = {}): Promise<Answer> {
    const { method, path, body, isProtected } = example;
    const text = typeof body === 'object' ? JSON.stringify(body) : body;
    return service.client.send(method, path, text, {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(isProtected ? { Authorization: `Bearer ${token}` } : {}),
      ...headers,
    });
  }

  /** The last answer to so many wrong passwords of a user. */
  async function guess(example: Example, times: number): Promise<Answer> {
    const till = await givenTill(service);
    const body = { ...example.body, current_password: 'wrong' };
    const own = { Authorization: `Bearer ${till.token}` };
    for (let time = 1; time < times; time += 1) await send({ ...example, body }, own);
    return send({ ...example, body }, own);
  }

  const PROVOKED: Record<string, (example: Example) => Promise<Answer>> = {
    200: async (example) => {
      const answer = await send(example);
      if (example.path.includes('/auth/password')) token = answer.body.access_token as string;
      return answer;
    },
    401: (example) =>
      example.isProtected
        ? send({ ...example, isProtected: false })
        : send({ ...example, body: { ...example.body, password: 'wrong' } }),
    403: async ({ path, body, ...example }) => {
      await givenRestaurant(service, FOREIGN);
      if (path.includes('/auth/password')) return guess({ path, body, ...example }, 1);
      if (path.includes('/restaurants')) {
        await service.app.get(UsersService).add('jane', 'right password', { kind: 'person' });
        const restricted = await service.client.token('jane', 'right password');
        return send({ ...example, path, body }, { Authorization: `Bearer ${restricted}` });
      }
      if (example.isProtected) {
        const foreign = body && JSON.parse(JSON.stringify(body).replaceAll(':101', `:${FOREIGN}`));
        return send({ ...example, path: path.replace('=101', `=${FOREIGN}`), body: foreign });
      }
      const { username, password } = await givenTill(service);
      const users = service.app.get(UsersService);
      await users.setDisabled(await users.get(username), true);
      return send({ ...example, path, body: { ...body, username, password } });
    },
    409: (example) => send({ ...example, path: `${example.path}&expected_version=9` }),
    413: (example) =>
      send({ ...example, body: `"${'x'.repeat(service.config.BODY_LIMIT_BYTES)}"` }),
    415: (example) => send(example, { 'Content-Type': 'application/json; charset=latin1' }),
    429: async (example) => {
      if (example.isProtected) return guess(example, service.config.LOGIN_MAX_FAILURES + 1);
      const wrong = { ...example, body: { ...example.body, username: 'unknown' } };
      for (let failures = 0; failures < service.config.LOGIN_MAX_FAILURES; failures += 1)
        await send(wrong);
      return send(wrong);
    },
  };

  test('Each operation sends its documented statuses, and 200 to its examples', async () => {
    const remedy = 'add a request that gets this status to PROVOKED in this file';
    for (const [name, operation] of operations) {
      const own = Object.keys(operation.responses).filter((status) => !ANY.includes(status));
      for (const status of own.reverse()) {
        expect({ [remedy]: Object.keys(PROVOKED) }).toEqual({
          [remedy]: expect.arrayContaining([status]),
        });
        const response = await PROVOKED[status]!(requestOf(name, operation));
        const found = { name, status: String(response.status), text: response.text };
        expect(found).toEqual({ ...found, status });
      }
    }
  });

  /** How many rows each table has of a restaurant. */
  async function rowsOf(restaurantId: number): Promise<Record<string, number>> {
    const tables = await service.database.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
       WHERE column_name = 'restaurant_id' AND table_schema = 'public' AND table_type = 'BASE TABLE'`,
    );
    const counts = tables.map(
      ({ name }) => `SELECT '${name}' AS name, count(*) FROM ${name} WHERE restaurant_id = $1`,
    );
    const rows = await service.database.query<{ name: string; count: number }>(
      counts.join(' UNION ALL '),
      [restaurantId],
    );
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
  }

  test('A foreign restaurant is 403 on every route that takes one, written by none and in no list', async () => {
    await givenRestaurant(service, FOREIGN);
    ({ token } = await givenTill(service));
    const taking = operationsOf(document).filter(([, { parameters = [], requestBody }]) => {
      const json = requestBody?.content['application/json'];
      if (requestBody && !json) return false; // a file, whose form is checked first
      const body = resolve(document, json?.schema);
      const names = parameters.map(({ name }: any) => name);
      return [...names, ...Object.keys(body?.properties ?? {})].includes('restaurant_id');
    });
    expect(taking.length).toBeGreaterThan(2);
    const before = await rowsOf(FOREIGN);
    expect(before).toHaveProperty('hourly_sales');
    const askForForeign = ([name, operation]: [string, any]): Promise<Answer> => {
      const example = requestOf(name, operation);
      const path = (operation.parameters ?? []).reduce(
        (filled: string, { name: key, schema }: any) =>
          filled.replace(`{${key}}`, key === 'restaurant_id' ? `${FOREIGN}` : schema.example),
        example.path.replace(/restaurant_id=\d+/, `restaurant_id=${FOREIGN}`),
      );
      const body = example.body && { ...example.body, restaurant_id: FOREIGN };
      return send({ ...example, path, body });
    };
    for (const each of taking) {
      const [name] = each;
      const { status, text } = await askForForeign(each);
      expect({ name, status, text }).toMatchObject({ name, status: 403 });
      expect({ name, written: await rowsOf(FOREIGN) }).toEqual({ name, written: before });
    }
    const till = token;
    const username = await givenUser(service, { all_restaurants: true });
    token = await service.client.token(username, 'right password');
    for (const each of taking) await askForForeign(each); // what can be written is
    expect((await service.client.get('/api/v1/restaurants', { token })).text).toMatch(OF_FOREIGN);
    token = till;
    const lists = operationsOf(document).filter(
      ([name, { responses }]) =>
        name.startsWith('GET ') && !responses[200]?.content?.['text/event-stream'],
    );
    for (const [name, operation] of lists) {
      const { text } = await send(requestOf(name, operation));
      expect({ name, text }).toEqual({ name, text: expect.not.stringMatching(OF_FOREIGN) });
    }
  });

  test.each([
    [408, { 'Content-Length': '9' }],
    [431, { 'X-Large': 'x'.repeat(20_000) }],
  ])('What the server sends before a route is known is as documented: %i', async (status, sent) => {
    const { url } = await service.another({ REQUEST_TIMEOUT_MS: 1000 });
    const response = await exchange(url, rawRequest('POST /api/v1/auth/login', sent));
    expect(response.status).toBe(status);
    expect(responseMismatches(document, 'POST', '/api/v1/auth/login', response)).toEqual([]);
  });
});
