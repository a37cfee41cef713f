import type { Answer } from '../support/client.js';
import { expectError, expectErrorForm } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { exchange, RawConnection, rawRequest } from '../support/raw-http.js';
import { record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { stretched, timed } from '../support/time-limits.js';

const ORIGIN = 'https://office.example';

let service: TestApp;
let configured: TestApp;
beforeAll(async () => {
  service = await createTestApp();
  const settings = { REQUEST_TIMEOUT_MS: 1000, KEEP_ALIVE_MS: 1000, CORS_ORIGINS: ORIGIN };
  configured = await service.another(settings);
});
afterAll(() => service.close());

describe('An answer', () => {
  const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

  const LAYERS: readonly (readonly [string, () => Promise<Answer>, number])[] = [
    ['a handler', () => service.client.get('/health/live'), 200],
    ['a guard', () => service.client.upload(undefined, [record()]), 401],
    ['the body reader', () => service.client.post('/api/v1/auth/login', 'x'.repeat(200_000)), 413],
    ['the router', () => service.client.get('/nothing/here'), 404],
    ['the parser', () => exchange(service.url, 'GARBAGE\r\n\r\n'), 400],
    [
      'the header limit',
      () => exchange(service.url, rawRequest('GET /', { X: 'x'.repeat(20_000) })),
      431,
    ],
  ];

  test.each(LAYERS)(
    'from %s carries a request id and the security headers',
    async (_layer, ask, status) => {
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
    },
  );

  describe('X-Request-Id', () => {
    test.each(['till-7.2025_10', 'x'.repeat(128)])('%s is kept', async (id) => {
      const answer = await service.client.get('/x', { headers: { 'X-Request-Id': id } });
      expect(answer.headers.get('X-Request-Id')).toBe(id);
    });

    test.each([
      ...['', 'x'.repeat(129), 'two words'],
      'a\r\nX-Request-Id: b', // two of them
    ])('%j is replaced', async (id) => {
      const answer = await exchange(service.url, rawRequest('GET /x', { 'X-Request-Id': id }));
      expect(answer.headers.get('X-Request-Id')).toMatch(UUID);
    });
  });

  describe('A slow sender', () => {
    const LOGIN = 'POST /api/v1/auth/login';
    const LENGTH = { 'Content-Type': 'application/json', 'Content-Length': '50' };
    test.each([
      ['of nothing', '', UUID],
      ['of headers', `${LOGIN} HTTP/1.1\r\nHost: x\r\nX-Slow: `, UUID],
      ['of a body', rawRequest(LOGIN, { ...LENGTH, 'X-Request-Id': 'slow-1' }, '{'), /^slow-1$/],
    ])('%s is cut with 408', async (_what, bytes, id) => {
      const connection = await RawConnection.open(configured.url);
      await connection.send(bytes);
      const drip = setInterval(() => bytes !== '' && void connection.send(' '), 50);
      const { result: answer, ms } = await timed(() => connection.answer()).finally(() =>
        clearInterval(drip),
      );
      expectError(answer, 408, /in time/);
      expect(answer.headers.get('Connection')).toBe('close');
      expect(answer.headers.get('X-Request-Id')).toMatch(id);
      expect(ms).toBeLessThan(stretched(2500));
      connection.abort();
    });
  });

  test('CORS: the origin that is configured may call and read the headers of errors, and no other', async () => {
    const own = { headers: { Origin: ORIGIN } };
    const asked = await configured.client.send('OPTIONS', '/api/v1/auth/login', undefined, {
      ...own.headers,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization',
    });
    expect(asked.headers.get('Access-Control-Allow-Origin')).toBe(ORIGIN);
    const answer = await configured.client.get('/api/v1/auth/login', own);
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(ORIGIN);
    expect(answer.headers.get('Access-Control-Expose-Headers')).toContain('X-Error-Code');
    const foreign = { headers: { Origin: 'https://evil.example' } };
    for (const { headers } of [
      await configured.client.get('/health/live', foreign),
      await service.client.get('/health/live', own),
    ])
      expect(headers.get('Access-Control-Allow-Origin')).toBeNull();
  });

  test('tells how long the connection is kept, as the setting says', async () => {
    const { headers } = await configured.client.get('/health/live');
    expect(headers.get('Keep-Alive')).toBe('timeout=1');
  });
});

describe('HTTP, byte by byte', () => {
  const UPLOAD = '/api/v1/sales/upload-daily';

  let auth: Record<string, string>;
  let body: string;
  const send = (bytes: string | Uint8Array) => exchange(service.url, bytes);
  const saved = () =>
    service.database.query('SELECT hour, gto::text FROM hourly_sales ORDER BY hour');

  beforeAll(async () => {
    await service.database.query('DELETE FROM hourly_sales');
    auth = {
      Authorization: `Bearer ${(await givenTill(service)).token}`,
      'Content-Type': 'application/json',
    };
    body = JSON.stringify({ records: [record()] });
  });
  afterEach(async () => {
    const answer = await send(rawRequest(`POST ${UPLOAD}`, auth, '{}')); // whatever happened, it lives on
    expectError(answer, 400, /records is missing/);
    await service.database.query('DELETE FROM hourly_sales');
  });

  describe('served', () => {
    test.each<[string, (upload: string) => string]>([
      [
        'HTTP/1.0 without Host',
        (upload) => upload.replace('HTTP/1.1', 'HTTP/1.0').replace('Host: x\r\n', ''),
      ],
      [
        'an offer to upgrade',
        (upload) => upload.replace('Host', 'Connection: Upgrade\r\nUpgrade: websocket\r\nHost'),
      ],
      [
        'an empty Content-Encoding',
        (upload) => upload.replace('Host', 'Content-Encoding:\r\nHost'),
      ],
    ])('200: %s', async (_name, change) => {
      const answer = await send(change(rawRequest(`POST ${UPLOAD}`, auth, body)));
      expect(answer).toMatchObject({ status: 200, body: { success: true, processed: 1 } });
      expect(await saved()).toHaveLength(1);
    });

    test('200: 100 Continue is sent to who waits for it', async () => {
      const connection = await RawConnection.open(service.url);
      const headers = {
        ...auth,
        Expect: '100-continue',
        'Content-Length': String(Buffer.byteLength(body)),
      };
      await connection.send(rawRequest(`POST ${UPLOAD}`, headers));
      await connection.receivedText('100 Continue');
      await connection.send(body);
      expect((await connection.answer()).status).toBe(200);
      connection.abort();
    });

    test('a good request is answered, and the garbage behind it ends the connection', async () => {
      const connection = await RawConnection.open(service.url);
      await connection.send(`${rawRequest(`POST ${UPLOAD}`, auth, body)}garbage\r\n\r\n`);
      expect(await connection.closed()).toBeUndefined();
      expect(await connection.answers()).toMatchObject([{ status: 200, body: { success: true } }]);
      expect(await saved()).toHaveLength(1);
    });

    test('garbage behind a request without Host leaves the service running', async () => {
      const connection = await RawConnection.open(service.url);
      await connection.send('GET / HTTP/1.1\r\n\r\ngarbage\r\n\r\n');
      await connection.closed();
    });
  });

  describe('refused as no HTTP', () => {
    const upload = (headers: Record<string, string>, content = body) =>
      rawRequest(`POST ${UPLOAD}`, { ...auth, ...headers }, content);

    test.each<[string, () => string]>([
      ['the beginning of TLS', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
      [
        'both lengths of a body: the one of its chunks and Content-Length',
        () => upload({ 'Content-Length': '5', 'Transfer-Encoding': 'chunked' }, '0\r\n\r\n'),
      ],
      ['two lengths that differ', () => upload({ 'Content-Length': '7\r\nContent-Length: 8' })],
      [
        'a chunk whose size is no number',
        () => upload({ 'Transfer-Encoding': 'chunked' }, 'zz\r\nab\r\n0\r\n\r\n'),
      ],
      ['a header name with a space', () => upload({ 'X A': 'b' })],
      ['a space in the target', () => rawRequest('GET /api v1')],
    ])('400: %s', async (_name, bytes) => {
      const connection = await RawConnection.open(service.url);
      await connection.send(bytes());
      expectError(await connection.answer(), 400);
      connection.endSending();
      expect(await connection.closed()).toBeUndefined();
      expect(await saved()).toEqual([]);
    });

    test('431: headers, or a target, of more than 16 KB, readable for who sends all before listening', async () => {
      for (const bytes of [
        upload({ 'X-A': 'a'.repeat(4_000_000) }),
        rawRequest(`GET /${'a'.repeat(2_000_000)}`),
      ]) {
        const connection = await RawConnection.open(service.url, { deaf: true });
        await connection.send(bytes);
        connection.listen();
        expectError(await connection.answer(), 431, /headers are too large/);
        expect(await connection.closed()).toBeUndefined();
      }
    });

    test('404 or 400, never more: odd targets', async () => {
      const targets = String.raw`* /% /api/v1/%zz /%c0%ae /%00 // /.. ? http:// http://x:99999/ mailto:x \ http://%/`;
      for (const target of ['/\xff', ...targets.split(' '), `/${'a/'.repeat(5000)}`]) {
        const answer = await send(rawRequest(`GET ${target}`));
        expectErrorForm(answer);
        expect([target, [400, 404].includes(answer.status)]).toEqual([target, true]);
      }
    });
  });
});
