import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsersService } from '../../src/users/users.service.js';
import { apiTypesOf } from './api-types.js';
import { documentGaps, guideGaps } from './documentation-gaps.js';
import type { Answer } from '../support/client.js';
import { givenTill } from '../support/given.js';
import {
  exampleOf,
  operationsOf,
  resolve,
  responseMismatches,
  servedRoutes,
} from '../support/openapi.js';
import { exchange, rawRequest } from '../support/raw-http.js';
import { AMOUNTS, OPTIONAL } from '../support/records.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

/** Any route may send them: the server does whatever the path is. */
const ANY = ['400', '404', '408', '431', '500', '503'];

let service: TestApp;
let document: any;
beforeAll(async () => {
  service = await createTestApp();
  document = (await service.client.get('/api/v1/openapi.json')).body;
});
afterAll(() => service.close());

describe('GET /api/v1/openapi.json', () => {
  /** Any route with a body may send them. */
  const BODY = ['413', '415', ...ANY];

  const operation = (name: string): any => new Map(operationsOf(document)).get(name);

  test('200: it is JSON, without a token, and the same every time', async () => {
    const first = await service.client.get('/api/v1/openapi.json');
    expect([first.status, first.headers.get('Content-Type')]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
    expect(first.body).toEqual(document);
  });

  test('another application in the same process describes itself alike', async () => {
    const other = await service.another();
    expect((await other.client.get('/api/v1/openapi.json')).body).toEqual(document);
  });

  test('it passes the recommended rules of a linter', async () => {
    const file = join(tmpdir(), `openapi-${process.pid}.json`);
    await writeFile(file, JSON.stringify(document));
    const cli = join(__dirname, '../../node_modules/@redocly/cli/bin/cli.js');
    const config = join(__dirname, 'redocly.yaml');
    const env = {
      ...process.env,
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    };
    const run = spawnSync(
      process.execPath,
      [cli, 'lint', file, '--config', config, '--format', 'json'],
      { env },
    );
    await rm(file);
    expect(JSON.parse(run.stdout.toString())).toMatchObject({
      totals: { errors: 0, warnings: 0 },
      problems: [],
    });
  });

  test.each([
    ['POST /api/v1/auth/login', 'login', ['200', '401', '403', '429', ...BODY]],
    ['POST /api/v1/auth/revoke', 'revoke', ['200', '401', ...BODY]],
    ['POST /api/v1/sales/upload-daily', 'uploadDaily', ['200', '401', '403', ...BODY]],
    ['GET /api/v1/sales/daily', 'getDay', ['200', '401', '403', ...ANY]],
    ['GET /api/v1/sales/uploads', 'listUploads', ['200', '401', '403', ...ANY]],
    ['GET /api/v1/sales/missing', 'listMissing', ['200', '401', '403', ...ANY]],
    ['GET /api/v1/sales/calendar', 'getCalendar', ['200', '401', '403', ...ANY]],
    ['GET /api/v1/sales/totals', 'getTotals', ['200', '401', '403', ...ANY]],
    ['GET /api/v1/restaurants', 'listRestaurants', ['200', '401', ...ANY]],
    ['GET /health/live', 'getLiveness', ['200', ...ANY]],
    ['GET /health/ready', 'getReadiness', ['200', ...ANY]],
  ])('%s is %s and has the responses %j', (name, id, statuses) => {
    expect(operation(name).operationId).toBe(id);
    expect(Object.keys(operation(name).responses).sort()).toEqual([...statuses].sort());
  });

  test('paths and tags come in the order of their use, logging out last', () => {
    const { paths, tags } = document;
    expect(Object.keys(paths).slice(0, 2)).toEqual([
      '/api/v1/auth/login',
      '/api/v1/sales/upload-daily',
    ]);
    expect(Object.keys(paths).at(-1)).toBe('/api/v1/auth/revoke');
    const inOrder = operationsOf(document).flatMap(([, operation]) => operation.tags);
    const remedy = 'describe each tag in src/api-description.ts, in the order of use';
    expect({ [remedy]: tags.map(({ name }: any) => name) }).toEqual({
      [remedy]: [...new Set(inOrder)],
    });
    expect(inOrder).toEqual(
      [...inOrder].sort((one, other) => inOrder.indexOf(one) - inOrder.indexOf(other)),
    );
  });

  test('a token is asked for exactly where the service asks for one', async () => {
    for (const [name, { security, responses }] of operationsOf(document)) {
      const [method = '', path = ''] = name.split(' ');
      const { headers } = await service.client.send(method, path);
      const isProtected = headers.get('X-Error-Code') === 'token_missing';
      expect({ name, asked: security }).toEqual({
        name,
        asked: isProtected ? [{ bearer: [] }] : [{}],
      });
      if (isProtected) expect(responses).toHaveProperty('401');
    }
  });

  test('every error has the body {error}, its headers and its codes', () => {
    expect(document.components.schemas.ErrorBody).toMatchObject({
      required: ['error'],
      properties: { error: { type: 'string' } },
    });
    const wait = ['Retry-After'];
    const headers: any = {
      '400': ['X-Error-Fields'],
      '401': ['WWW-Authenticate'],
      '429': wait,
      '503': wait,
    };
    for (const [, { responses }] of operationsOf(document)) {
      for (const [status, response] of Object.entries(responses).filter(([key]) => key >= '400')) {
        const error = resolve(document, response);
        expect(error.content['application/json'].schema).toEqual({
          $ref: '#/components/schemas/ErrorBody',
        });
        expect(Object.keys(error.headers)).toEqual([
          'X-Request-Id',
          ...(headers[status] ?? []),
          'X-Error-Code',
        ]);
      }
    }
  });

  test('the example of an upload is accepted', async () => {
    const till = await givenTill(service);
    const upload = operation('POST /api/v1/sales/upload-daily');
    const { schema } = upload.requestBody.content['application/json'];
    const example = exampleOf(document, schema);
    const { status, body } = await service.client.post('/api/v1/sales/upload-daily', example, till);
    const response = upload.responses['200'].content['application/json'].schema;
    expect([status, body.processed]).toEqual([200, exampleOf(document, response).processed]);
  });

  test('its bounds are the rules', () => {
    const {
      HourlySalesRecordDto: record,
      UploadDailyDto: upload,
      LoginDto: login,
    } = document.components.schemas;
    const amount = { type: 'number', minimum: 0, maximum: 1e11, exclusiveMaximum: true };
    expect(upload).toMatchObject({
      required: ['records'],
      properties: { records: { type: 'array', minItems: 1, maxItems: 24 } },
    });
    expect(record.required).toEqual(
      Object.keys(record.properties).filter((name) => !(name in OPTIONAL)),
    );
    expect(record.properties).toMatchObject({
      restaurant_id: { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
      date: { type: 'string', format: 'date' },
      hour: { type: 'integer', minimum: 0, maximum: 23 },
      orders: { type: 'integer', minimum: 0, maximum: 2_147_483_647 },
      pax: { type: 'integer', minimum: 0, maximum: 2_147_483_647 },
      ...Object.fromEntries(AMOUNTS.map((name) => [name, amount])),
    });
    expect(login.properties.grant_type.enum).toEqual(['password']);
    expect(operation('POST /api/v1/auth/login').requestBody.required).toBe(true);
    expect(operation('POST /api/v1/auth/revoke').requestBody.required).toBe(false);
    expect(operation('GET /api/v1/sales/daily').parameters).toMatchObject([
      {
        name: 'restaurant_id',
        in: 'query',
        required: true,
        schema: { type: 'integer', minimum: 1 },
      },
      { name: 'date', in: 'query', required: true, schema: { type: 'string', format: 'date' } },
    ]);
    expect(operation('GET /api/v1/sales/uploads').parameters[2]).toMatchObject({
      name: 'limit',
      required: false,
    });
  });

  test('null is admitted where the service sends it, and such fields are optional', () => {
    const { HourChange, UploadsResponse } = document.components.schemas;
    const { before, after } = HourChange.properties;
    expect([HourChange.required, UploadsResponse.required]).toEqual([
      ['hour', 'after'],
      ['restaurant_id', 'date', 'uploads'],
    ]);
    expect(before).toMatchObject({
      type: 'object',
      nullable: true,
      properties: { gto: { type: 'number' } },
    });
    expect(after.nullable).toBeUndefined();
  });

  test('nothing is in it that generators make wrong types of', () => {
    expect(JSON.stringify(document)).not.toMatch(/"(allOf|anyOf|oneOf|additionalProperties)":/);
  });

  test('every integer has a format and bounds', () => {
    const integers: unknown[] = [];
    JSON.stringify(document, (_key, value) => {
      if (value?.type === 'integer') integers.push(value);
      return value;
    });
    const bounded = {
      format: expect.stringMatching(/^int/),
      minimum: expect.any(Number),
      maximum: expect.any(Number),
    };
    expect(integers).toEqual(integers.map(() => expect.objectContaining(bounded)));
  });

  test('no boolean has an enum, amounts are doubles', () => {
    const { UploadResponse, HourlySalesRecordDto } = document.components.schemas;
    expect(UploadResponse.properties.success).toEqual({
      type: 'boolean',
      example: true,
      description: expect.any(String),
    });
    expect(HourlySalesRecordDto.properties.gto).toMatchObject({ type: 'number', format: 'double' });
  });
});

describe('The guides and the document', () => {
  const readGuide = (name: string): string =>
    readFileSync(join(__dirname, `../../docs/${name}.md`), 'utf8');
  const guides = { integrating: readGuide('integrating'), operating: readGuide('operating') };
  const codesOf = ({ responses }: any): string[] =>
    responses.Forbidden.headers['X-Error-Code'].schema.enum;

  const withChange = (change: (copy: any) => void): any => {
    const copy = structuredClone(document);
    change(copy);
    return copy;
  };
  const PATH = '/api/v1/restaurants';

  test('the OpenAPI document has every route that is served, each with a summary, a name and a response body', () => {
    expect(servedRoutes(service)).toContain('POST /api/v1/sales/upload-daily');
    expect(documentGaps(document, servedRoutes(service))).toEqual([]);
  });

  test.each<[RegExp, (copy: any) => void]>([
    [/^GET .*restaurants is served but/, ({ paths }) => Reflect.deleteProperty(paths, PATH)],
    [
      /^GET \/x is in the document but/,
      ({ paths }) => (paths['/x'] = { get: { summary: 'Some', responses: { 204: {} } } }),
    ],
    [/has no summary: add @ApiOperation/, ({ paths }) => delete paths[PATH].get.summary],
    [
      /has no response body: add @ApiResponses/,
      ({ paths }) => delete paths[PATH].get.responses[200].content['application/json'].schema,
    ],
    [
      /daily takes a restaurant_id and documents no 403: add it/,
      ({ paths }) => delete paths['/api/v1/sales/daily'].get.responses[403],
    ],
    [
      /^LoginDto.username has no example: give it/,
      ({ components }) => delete components.schemas.LoginDto.properties.username.example,
    ],
    [
      /the operationId of GET .*: set another one/,
      ({ paths }) => (paths[PATH].get.operationId = 'getDay'),
    ],
    [
      /the summary of POST .*: set another one/,
      ({ paths }) => (paths[PATH].get.summary = 'Log in'),
    ],
  ])('a route without them is found: %s', (line, change) => {
    const present = documentGaps(document, servedRoutes(service));
    const found = documentGaps(withChange(change), servedRoutes(service));
    expect(found.filter((each) => !present.includes(each))).toEqual([expect.stringMatching(line)]);
  });

  /** Each was reviewed: it works for clients without a token. */
  const PUBLIC_ROUTES = ['GET /health/live', 'GET /health/ready', 'POST /api/v1/auth/login'];

  test('no route is public by mistake', () => {
    const routes = operationsOf(document).flatMap(([name, { security }]) =>
      security[0].bearer ? [] : [name],
    );
    const remedy = 'take @Public() from the route, or list it in PUBLIC_ROUTES of this file';
    expect({ [remedy]: routes.sort() }).toEqual({ [remedy]: PUBLIC_ROUTES });
  });

  test('a response without a body needs none', () => {
    const copy = withChange(
      ({ paths }) => (paths[PATH].get.responses = { 204: { description: 'Success' } }),
    );
    expect(documentGaps(copy, servedRoutes(service))).toEqual([]);
  });

  test('its routes and error codes are those of the guides', () => {
    expect(guideGaps(document, guides)).toEqual([]);
  });

  test.each<[string, (copy: any) => void]>([
    [
      '/api/v1/unknown/{id} is in neither guide: describe it in docs/integrating.md',
      ({ paths }) => (paths['/api/v1/unknown/{id}'] = {}),
    ],
    [
      '/api/v1/sales is in neither guide: describe it in docs/integrating.md',
      ({ paths }) => (paths['/api/v1/sales'] = {}),
    ],
    [
      'add some_code to the error codes in docs/integrating.md',
      ({ components }) => codesOf(components).push('some_code'),
    ],
    [
      'no error has the code restaurant_not_granted: take it from docs/integrating.md',
      ({ components }) =>
        codesOf(components).splice(codesOf(components).indexOf('restaurant_not_granted'), 1),
    ],
  ])('a gap in the guides is found: %s', (line, change) => {
    const present = guideGaps(document, guides);
    expect(guideGaps(withChange(change), guides).filter((each) => !present.includes(each))).toEqual(
      [line],
    );
  });
});

describe('The statuses', () => {
  /** A module that is added tests its statuses itself. */
  const OWN = /^\w+ \/(health\/|api\/v1\/(auth\/|restaurants$|sales\/|openapi\.json))/;

  let operations: [string, any][];
  let token: string;
  beforeAll(async () => {
    operations = operationsOf(document).filter(([name]) => OWN.test(name));
    // The user, password and restaurant of the examples.
    token = (await givenTill(service, { username: 'demo', password: 'demo-password' })).token;
  });

  interface Example {
    readonly method: string;
    readonly path: string;
    readonly body: any;
    readonly isProtected: boolean;
  }

  /** The request that an operation's examples make, as tools import it. */
  function requestOf(name: string): Example {
    const [method = '', path = ''] = name.split(' ');
    const operation = new Map(operations).get(name);
    const given = (operation.parameters ?? []).filter(
      ({ schema }: any) => schema.example !== undefined,
    );
    const query = new URLSearchParams(
      given.map(({ name: key, schema }: any) => [key, String(schema.example)]),
    );
    const schema = operation.requestBody?.content['application/json'].schema;
    const body = schema && exampleOf(document, schema);
    return {
      method,
      path: query.size > 0 ? `${path}?${query.toString()}` : path,
      body,
      isProtected: 'bearer' in operation.security[0],
    };
  }

  function send(
    { method, path, body, isProtected }: Example,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const type: Record<string, string> =
      body === undefined ? {} : { 'Content-Type': 'application/json' };
    const bearer: Record<string, string> = isProtected ? { Authorization: `Bearer ${token}` } : {};
    const text =
      body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    return service.client.send(method, path, text, { ...type, ...bearer, ...headers });
  }

  /** The same request for a restaurant that is not the caller's. */
  function elsewhere({ path, body, ...rest }: Example): Example {
    const other = body && JSON.parse(JSON.stringify(body).replaceAll(':101', ':999'));
    return { ...rest, path: path.replace('restaurant_id=101', 'restaurant_id=999'), body: other };
  }

  async function disabledLogin(example: Example): Promise<Answer> {
    const { username, password } = await givenTill(service);
    await service.app.get(UsersService).setDisabled(username, true);
    return send({ ...example, body: { ...example.body, username, password } });
  }

  async function lockedLogin(example: Example): Promise<Answer> {
    const wrong = { ...example, body: { ...example.body, username: 'unknown' } };
    for (let failures = 0; failures < service.config.LOGIN_MAX_FAILURES; failures += 1)
      await send(wrong);
    return send(wrong);
  }

  const PROVOKED: Record<string, (example: Example) => Promise<Answer>> = {
    200: (example) => send(example),
    401: (example) =>
      example.isProtected
        ? send({ ...example, isProtected: false })
        : send({ ...example, body: { ...example.body, password: 'wrong' } }),
    403: (example) => (example.isProtected ? send(elsewhere(example)) : disabledLogin(example)),
    413: (example) =>
      send({ ...example, body: `"${'x'.repeat(service.config.BODY_LIMIT_BYTES)}"` }),
    415: (example) => send(example, { 'Content-Type': 'application/json; charset=latin1' }),
    429: lockedLogin,
  };

  test('Each operation sends its own documented statuses, and 200 to the request of its examples', async () => {
    for (const [name] of operations) {
      const statuses = Object.keys(resolve(document, new Map(operations).get(name)).responses);
      for (const status of statuses.filter((each) => !ANY.includes(each)).reverse()) {
        const response = await PROVOKED[status]!(requestOf(name));
        expect({ name, status: String(response.status), text: response.text }).toEqual({
          name,
          status,
          text: expect.any(String),
        });
      }
    }
  });

  describe('The documented statuses of any route are seen', () => {
    const login = 'POST /api/v1/auth/login';
    const raw: [string, string][] = [
      ['400', rawRequest(login, { 'X A': 'a header name with a space' })],
      ['404', rawRequest(`${login}/`)],
      ['408', rawRequest(login, { 'Content-Length': '9' })],
      ['431', rawRequest(login, { 'X-Large': 'x'.repeat(20_000) })],
    ];

    test.each(raw)('%s', async (status, bytes) => {
      const { url } =
        status === '408' ? await service.another({ REQUEST_TIMEOUT_MS: 1000 }) : service;
      const response = await exchange(url, bytes);
      expect(String(response.status)).toBe(status);
      expect(responseMismatches(document, 'POST', '/api/v1/auth/login', response)).toEqual([]);
    });

    test.each([
      [
        '500',
        'POST',
        '/api/v1/auth/login',
        '{"grant_type":"password","username":"demo","password":"x"}',
      ],
      ['503', 'GET', '/health/ready', undefined],
    ])('%s', async (status, method, path, body) => {
      const proxy = await TcpProxy.to(service.database.url);
      const { client } = await service.another({ DATABASE_URL: proxy.url });
      proxy.refuse();
      const response = await client.send(method, path, body, {
        'Content-Type': 'application/json',
      });
      expect(String(response.status)).toBe(status);
      await proxy.close();
    });

    test('there are no others', () => {
      const documented = operations.flatMap(([, { responses }]) => Object.keys(responses));
      const seen = [...Object.keys(PROVOKED), ...ANY];
      const remedy = 'add a request that gets these to PROVOKED in this file';
      expect({
        [remedy]: [...new Set(documented)].filter((status) => !seen.includes(status)),
      }).toEqual({ [remedy]: [] });
    });
  });

  test.each([
    ['an unknown path', '/api/v1/sales/upload-hourly', 'application/json', 404],
    ['a login as a form', '/api/v1/auth/login', 'application/x-www-form-urlencoded', 400],
  ])('The error of %s points to the document', async (_what, path, type, status) => {
    const { client } = service;
    const response = await client.send('POST', path, 'grant_type=password', {
      'Content-Type': type,
    });
    expect([response.status, response.body.error]).toEqual([
      status,
      expect.stringMatching(/openapi\.json/),
    ]);
  });
});

test('the types of the page are those of the OpenAPI document; npm run web:types writes them', async () => {
  const committed = join(__dirname, '../../web/src/api/schema.d.ts');
  const types = await apiTypesOf(service);
  if (process.env['UPDATE_API_TYPES'] === '1') writeFileSync(committed, types);
  expect(readFileSync(committed, 'utf8')).toBe(types);
});
