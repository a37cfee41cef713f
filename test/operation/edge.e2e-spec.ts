import { once } from 'node:events';
import { createConnection } from 'node:net';
import type { Answer } from '../support/client.js';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { exchange, RawConnection, rawRequest } from '../support/raw-http.js';
import { record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { stretched, timed } from '../support/time-limits.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const ORIGIN = 'https://office.example';

let service: TestApp;
beforeAll(async () => (service = await createTestApp({ CORS_ORIGINS: ORIGIN })));
afterAll(() => service.close());

const LAYERS: readonly (readonly [string, () => Promise<Answer>, number])[] = [
  ['a handler', () => service.client.get('/health/live'), 200],
  ['a guard', () => service.client.upload(undefined, [record()]), 401],
  ['the validation', () => service.client.post('/api/v1/auth/login', {}), 400],
  ['the body reader', () => service.client.post('/api/v1/auth/login', 'x'.repeat(200_000)), 413],
  ['the router', () => service.client.get('/nothing/here'), 404],
  ['the method check', () => service.client.get('/api/v1/auth/login'), 405],
  ['Express', () => exchange(service.url, rawRequest('GET /%')), 404],
  ['the expectation check', () => exchange(service.url, rawRequest('GET /', { Expect: 'wonders' })), 417],
  ['the host check', () => exchange(service.url, 'GET / HTTP/1.1\r\n\r\n'), 400],
  ['the parser', () => exchange(service.url, 'GARBAGE\r\n\r\n'), 400],
  ['the header limit', () => exchange(service.url, rawRequest('GET /', { X: 'x'.repeat(20_000) })), 431],
  ['CONNECT', () => exchange(service.url, rawRequest('CONNECT a:1')), 405],
];

describe('Every answer', () => {
  test.each(LAYERS)('from %s carries a request id and the security headers', async (_layer, ask, status) => {
    const { status: found, headers } = await ask();
    expect(found).toBe(status);
    expect(headers.get('X-Request-Id')).toMatch(UUID);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(headers.get('X-Powered-By')).toBeNull();
  });

  test('to a login carries them too, and no other has the same id', async () => {
    const till = await givenTill(service);
    const [one, other] = [await service.client.upload(till.token, [record()]), await service.client.get('/x')];
    expect(one.status).toBe(200);
    expect(one.headers.get('X-Request-Id')).toMatch(UUID);
    expect(one.headers.get('X-Request-Id')).not.toBe(other.headers.get('X-Request-Id'));
  });
});

describe('X-Request-Id', () => {
  test.each(['till-7.2025_10', 'a', 'x'.repeat(128)])('%s is kept', async (id) => {
    const answer = await service.client.get('/x', { headers: { 'X-Request-Id': id } });
    expect(answer.headers.get('X-Request-Id')).toBe(id);
  });

  test.each(['', 'x'.repeat(129), 'two words', '"quoted"', 'a{b}', 'caf\u00e9', 'a\tb'])(
    '%j is replaced',
    async (id) => {
      const answer = await exchange(service.url, rawRequest('GET /x', { 'X-Request-Id': id }));
      expect(answer.headers.get('X-Request-Id')).toMatch(UUID);
    },
  );

  test('two of them are replaced', async () => {
    const twice = rawRequest('GET /x', { 'X-Request-Id': 'a\r\nX-Request-Id: b' });
    expect((await exchange(service.url, twice)).headers.get('X-Request-Id')).toMatch(UUID);
  });
});

describe('A slow sender', () => {
  let quick: TestApp;
  beforeAll(async () => (quick = await service.another({ REQUEST_TIMEOUT_MS: 1000 })));

  test.each([
    ['of nothing', ''],
    ['of headers', 'POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    [
      'of a body',
      rawRequest('POST /api/v1/auth/login', { 'Content-Type': 'application/json', 'Content-Length': '50' }, '{'),
    ],
  ])('%s is cut with 408', async (_what, bytes) => {
    const connection = await RawConnection.open(quick.url);
    await connection.send(bytes);
    const drip = setInterval(() => bytes !== '' && void connection.send(' '), 50);
    const { result: answer, ms } = await timed(() => connection.answer()).finally(() => clearInterval(drip));
    expectError(answer, 408, /in time/);
    expect(answer.headers.get('Connection')).toBe('close');
    expect(answer.headers.get('X-Request-Id')).toMatch(UUID);
    expect(ms).toBeLessThan(stretched(2500));
    connection.abort();
  });

  test('keeps the id that it sent', async () => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': '50', 'X-Request-Id': 'slow-1' };
    const answer = await exchange(quick.url, rawRequest('POST /api/v1/auth/login', headers, '{'));
    expectError(answer, 408);
    expect(answer.headers.get('X-Request-Id')).toBe('slow-1');
  });
});

describe('CORS', () => {
  const preflight = { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'authorization' };

  test('an origin that is configured may call and read the headers of errors', async () => {
    const asked = await service.client.send('OPTIONS', '/api/v1/sales/upload-daily', undefined, {
      Origin: ORIGIN,
      ...preflight,
    });
    expect(asked.headers.get('Access-Control-Allow-Origin')).toBe(ORIGIN);
    const answer = await service.client.get('/api/v1/auth/login', { headers: { Origin: ORIGIN } });
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(ORIGIN);
    expect(answer.headers.get('Access-Control-Expose-Headers')).toContain('X-Error-Code');
  });

  test('another origin is not told that it may, and without the setting nobody is', async () => {
    const closed = await service.another({ CORS_ORIGINS: '' });
    const foreign = await service.client.get('/health/live', { headers: { Origin: 'https://evil.example' } });
    const any = await closed.client.get('/health/live', { headers: { Origin: ORIGIN } });
    for (const { headers } of [foreign, any]) expect(headers.get('Access-Control-Allow-Origin')).toBeNull();
  });
});

test('An idle connection is kept for as long as the setting says, and told so', async () => {
  const brief = await service.another({ KEEP_ALIVE_MS: 1000 });
  const socket = createConnection(Number(new URL(brief.url).port), '127.0.0.1');
  const since = Date.now();
  socket.write(rawRequest('GET /health/live'));
  const head = String((await once(socket, 'data'))[0]);
  expect(head).toContain('Keep-Alive: timeout=1');
  await once(socket.resume(), 'close');
  expect(Date.now() - since).toBeGreaterThan(900);
});
