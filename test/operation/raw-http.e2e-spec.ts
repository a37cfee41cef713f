import type { Answer } from '../support/client.js';
import { expectError, expectErrorForm } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { exchange, RawConnection, rawRequest } from '../support/raw-http.js';
import { record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { stretched, timed } from '../support/time-limits.js';

const ORIGIN = 'https://office.example';
const LIVE = '/health/live';
const LOGIN = '/api/v1/auth/login';
const UPLOAD = 'POST /api/v1/sales/upload-daily';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

let service: TestApp;
let configured: TestApp;
beforeAll(async () => {
  service = await createTestApp();
  const settings = {
    REQUEST_TIMEOUT_MS: 1000,
    KEEP_ALIVE_MS: 1000,
    CORS_ORIGINS: `${ORIGIN}, capacitor://localhost,ionic://localhost,null`,
  };
  configured = await service.another(settings);
});
afterAll(() => service.close());

describe('A response', () => {
  const large = rawRequest('GET /', { X: 'x'.repeat(20_000) });
  test.each<[string, number, () => Promise<Answer>]>([
    ['a handler', 200, () => service.client.get(LIVE)],
    ['a guard', 401, () => service.client.upload(undefined, [record()])],
    ['the body reader', 413, () => service.client.post(LOGIN, 'x'.repeat(200_000))],
    ['the router', 404, () => service.client.get('/nothing/here')],
    ['the parser', 400, () => exchange(service.url, 'GARBAGE\r\n\r\n')],
    ['the header limit', 431, () => exchange(service.url, large)],
  ])('of %s has a request id and the security headers', async (_layer, expected, ask) => {
    const { status, headers } = await ask();
    expect(status).toBe(expected);
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

  test.each([
    ['till-7.2025_10', /^till-7\.2025_10$/],
    ['x'.repeat(128), /^x{128}$/],
    ['', UUID],
    ['x'.repeat(129), UUID],
    ['two words', UUID],
    ['a\r\nX-Request-Id: b', UUID], // two of them
  ])('to X-Request-Id %j has one like %s', async (id, expected) => {
    const answer = await exchange(service.url, rawRequest('GET /x', { 'X-Request-Id': id }));
    expect(answer.headers.get('X-Request-Id')).toMatch(expected);
  });

  const [type, length] = [{ 'Content-Type': 'application/json' }, { 'Content-Length': '50' }];
  const begun = { ...type, ...length, 'X-Request-Id': 'slow-1' };
  test.each([
    ['nothing', '', UUID],
    ['headers', `POST ${LOGIN} HTTP/1.1\r\nHost: x\r\nX-Slow: `, UUID],
    ['a body', rawRequest(`POST ${LOGIN}`, begun, '{'), /^slow-1$/],
  ])('to a slow sender of %s is 408, which cuts it', async (_what, bytes, id) => {
    const connection = await RawConnection.open(configured.url);
    await connection.send(bytes);
    const drip = setInterval(() => bytes !== '' && void connection.send(' '), 50);
    const answering = timed(() => connection.answer());
    const { result: answer, ms } = await answering.finally(() => clearInterval(drip));
    expectError(answer, 408, /in time/);
    expect(answer.headers.get('Connection')).toBe('close');
    expect(answer.headers.get('X-Request-Id')).toMatch(id);
    expect(ms).toBeLessThan(stretched(2500));
    connection.abort();
  });

  test('lets the origin that is configured call and read the headers of errors, and no other; tells how long the connection is kept', async () => {
    const own = { Origin: ORIGIN };
    for (const Origin of ['capacitor://localhost', 'ionic://localhost', 'null']) {
      const method = { 'Access-Control-Request-Method': 'POST' };
      const app = await configured.client.send('OPTIONS', LOGIN, undefined, { Origin, ...method });
      expect(app.headers.get('Access-Control-Allow-Origin')).toBe(Origin);
    }
    const asked = await configured.client.send('OPTIONS', LOGIN, undefined, {
      ...own,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization',
    });
    expect(asked.headers.get('Access-Control-Allow-Origin')).toBe(ORIGIN);
    const { headers } = await configured.client.get(LOGIN, { headers: own });
    expect(headers.get('Access-Control-Allow-Origin')).toBe(ORIGIN);
    expect(headers.get('Access-Control-Expose-Headers')).toContain('X-Error-Code');
    expect(headers.get('Keep-Alive')).toBe('timeout=1');
    const evil = { Origin: 'https://evil.example' };
    for (const foreign of [
      await configured.client.get(LIVE, { headers: evil }),
      await service.client.get(LIVE, { headers: own }),
    ])
      expect(foreign.headers.get('Access-Control-Allow-Origin')).toBeNull();
  });
});

describe('HTTP, byte by byte', () => {
  const body = JSON.stringify({ records: [record()] });
  let auth: Record<string, string>;
  const upload = (headers: Record<string, string> = {}, content = body) =>
    rawRequest(UPLOAD, { ...auth, ...headers }, content);
  const saved = () => service.database.query('SELECT hour FROM hourly_sales');

  beforeAll(async () => {
    const { token } = await givenTill(service);
    auth = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  });
  afterEach(async () => {
    const answer = await exchange(service.url, upload({}, '{}')); // whatever happened, it lives on
    expectError(answer, 400, /records is missing/);
    await service.database.query('DELETE FROM hourly_sales');
  });

  const inChunks = { 'Transfer-Encoding': 'chunked' };
  const ONE = [{ hour: 12 }];
  test.each<[number, string, () => string, object[]]>([
    [200, 'HTTP/1.0 without Host', () => upload().replace(/HTTP\/1.1\r\nHost: x/, 'HTTP/1.0'), ONE],
    [200, 'an upgrade', () => upload({ Connection: 'Upgrade', Upgrade: 'websocket' }), ONE],
    [200, 'an unknown Expect', () => upload({ Expect: 'the-unexpected' }), ONE],
    [200, 'an empty Content-Encoding', () => upload({ 'Content-Encoding': '' }), ONE],
    [400, 'HTTP/1.1 without Host', () => upload().replace('Host: x\r\n', ''), []],
    [400, 'two of Host', () => upload().replace('Host: x', 'Host: x\r\nHost: y'), []],
    [400, 'the beginning of TLS', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', []],
    [400, 'both lengths', () => upload({ 'Content-Length': '5', ...inChunks }, '0\r\n\r\n'), []],
    [400, 'a chunk of no size', () => upload(inChunks, 'zz\r\nab\r\n0\r\n\r\n'), []],
  ])('%i: %s', async (status, _name, bytes, expected) => {
    const connection = await RawConnection.open(service.url);
    await connection.send(bytes());
    const answer = await connection.answer();
    const body = { success: true, processed: 1, message: expect.any(String) };
    if (status === 400) expectError(answer, status);
    else expect([answer.status, answer.body]).toEqual([status, body]);
    connection.endSending();
    expect(await connection.closed()).toBeUndefined();
    expect(await saved()).toEqual(expected);
  });

  test('200: 100 Continue is sent to who waits for it', async () => {
    const connection = await RawConnection.open(service.url);
    const announced = { Expect: '100-continue', 'Content-Length': String(body.length) };
    await connection.send(upload(announced, ''));
    await connection.receivedText('100 Continue');
    await connection.send(body);
    expect((await connection.answer()).status).toBe(200);
    connection.abort();
  });

  test('431: headers of more than 16 KB, readable for who sends all before listening', async () => {
    const connection = await RawConnection.open(service.url, { deaf: true });
    await connection.send(upload({ 'X-A': 'a'.repeat(4_000_000) }));
    connection.listen();
    expectError(await connection.answer(), 431, /headers are too large/);
    expect(await connection.closed()).toBeUndefined();
  });

  test('404 or 400, never more: odd targets', async () => {
    const targets = String.raw`* /% /api/v1/%zz /%c0%ae /%00 // /.. ? http:// http://x:99999/ mailto:x \ http://%/`;
    for (const target of ['/\xff', ...targets.split(' '), `/${'a/'.repeat(5000)}`]) {
      const answer = await exchange(service.url, rawRequest(`GET ${target}`));
      expectErrorForm(answer);
      expect([target, [400, 404].includes(answer.status)]).toEqual([target, true]);
    }
  });
});
