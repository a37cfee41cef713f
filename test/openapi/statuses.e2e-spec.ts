import { UsersService } from '../../src/users/users.service.js';
import type { Answer } from '../support/client.js';
import { givenTill } from '../support/given.js';
import {
  documentOf,
  exampleOf,
  operationsOf,
  resolve,
  responseMismatches,
} from '../support/openapi.js';
import { exchange, rawRequest } from '../support/raw-http.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

/** Of any route: the server sends them whatever the path is. */
const GENERAL = ['400', '404', '408', '431', '500', '503'];

/** A module that is added tests its statuses itself. */
const OWN = /^\w+ \/(health\/|api\/v1\/(auth\/|restaurants$|sales\/|openapi\.json))/;

let service: TestApp;
let operations: [string, any][];
let document: any;
let token: string;
beforeAll(async () => {
  service = await createTestApp();
  document = await documentOf(service);
  operations = operationsOf(document).filter(([name]) => OWN.test(name));
  // The user, password and restaurant of the examples.
  token = (await givenTill(service, { username: 'demo', password: 'demo-password' })).token;
});
afterAll(() => service.close());

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
    isProtected: operation.security.length > 0,
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
  413: (example) => send({ ...example, body: `"${'x'.repeat(service.config.BODY_LIMIT_BYTES)}"` }),
  415: (example) => send(example, { 'Content-Type': 'application/json; charset=latin1' }),
  429: lockedLogin,
};

test('Each operation sends its own documented statuses, and 200 to the request of its examples', async () => {
  for (const [name] of operations) {
    const statuses = Object.keys(resolve(document, new Map(operations).get(name)).responses);
    for (const status of statuses.filter((each) => !GENERAL.includes(each)).reverse()) {
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
    const response = await client.send(method, path, body, { 'Content-Type': 'application/json' });
    expect(String(response.status)).toBe(status);
    await proxy.close();
  });

  test('there are no others', () => {
    const documented = operations.flatMap(([, { responses }]) => Object.keys(responses));
    const seen = [...Object.keys(PROVOKED), ...GENERAL];
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
  const response = await client.send('POST', path, 'grant_type=password', { 'Content-Type': type });
  expect([response.status, response.body.error]).toEqual([
    status,
    expect.stringMatching(/openapi\.json/),
  ]);
});
