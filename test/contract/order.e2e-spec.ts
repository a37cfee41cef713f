import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { exchange, RawConnection, rawRequest } from '../support/raw-http.js';
import { day, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

describe('the order in which a request is judged', () => {
  const LOGIN = '/api/v1/auth/login';
  const UPLOAD = '/api/v1/sales/upload-daily';
  const BROKEN_JSON = '{"records": [';
  const JSON_TYPE = { 'Content-Type': 'application/json' };
  const BIG = 'x'.repeat(102_401);

  let service: TestApp;
  let token: string;
  beforeAll(async () => {
    service = await createTestApp();
    token = (await givenTill(service)).token;
  });
  afterAll(async () => {
    const saved = await service.database.query('SELECT 1 FROM sales_days');
    expect(saved).toEqual([]); // nothing here may ever be saved
    await service.close();
  });

  const send = (line: string, headers: Record<string, string> = JSON_TYPE, body = '') =>
    exchange(service.url, rawRequest(line, headers, body));

  describe('401 comes before every fault of the body, and of how the body is sent', () => {
    test.each<[string, Record<string, string>, string]>([
      ['invalid JSON', {}, BROKEN_JSON],
      ['25 records', {}, JSON.stringify({ records: [...day(), record()] })],
      ['a body over the limit', {}, BIG],
      ['another Content-Type', { 'Content-Type': 'text/plain' }, '{}'],
      ['an unknown Content-Encoding', { 'Content-Encoding': 'zstd' }, '{}'],
      ['a body that is still on its way', { 'Content-Length': '5000' }, ''],
    ])('an invalid token with %s is 401', async (_name, headers, body) => {
      for (const authorization of [{}, { Authorization: `Bearer ${token}x` }]) {
        const all = { ...JSON_TYPE, ...headers, ...authorization };
        expectError(await send(`POST ${UPLOAD}`, all, body), 401, /token/);
      }
    });
  });

  const elsewhere = record({ restaurant_id: 999 });
  test.each<[number, string, RegExp, unknown, string?]>([
    [413, '25 that are null', /records holds 25 entries, at most 24/, Array(25).fill(null)],
    [413, 'a body over the limit that is not JSON', /102400 bytes/, BIG],
    [413, 'one of another type', /102400 bytes/, BIG, 'text/plain'],
    [400, 'a missing field', /records\[0\]/, [{ ...elsewhere, gto: undefined }]],
    [400, 'a repeated hour', /records\[1\]/, [elsewhere, elsewhere]],
  ])(
    '413 comes before 400, and 400 before 403: %i for %s',
    async (status, _name, text, records, type = JSON_TYPE['Content-Type']) => {
      const body = typeof records === 'string' ? records : { records };
      const headers = { 'Content-Type': type };
      expectError(await service.client.post(UPLOAD, body, { token, headers }), status, text);
    },
  );

  describe('404 comes before anything else', () => {
    const OTHERS = `${LOGIN} ${UPLOAD} ${UPLOAD}?x=%zz`;
    test.each([
      ['POST', '/ /api/v1 /API/v1/auth/login /api/v2/auth/login /api/v1/sales/upload-hourly'],
      ['POST', '/api/v1/auth/login/ /api/v1/auth/login/x /api/v1//auth/login //api/v1/auth/login'],
      ['POST', '/api/v1/auth/./login /api/v1/auth%2Flogin /api/v1/auth/login%00 /__proto__'],
      ...['GET', 'PUT', 'OPTIONS'].map((method) => [method, OTHERS]),
    ])('%s is 404 at %s', async (method, paths) => {
      const error =
        'there is no endpoint at this path for this method: GET /api/v1/openapi.json lists all, /api/v1/docs shows them';
      for (const path of paths.split(' '))
        for (const body of ['', BROKEN_JSON, BIG]) {
          const answer = await send(`${method} ${path}`, JSON_TYPE, body);
          expectError(answer, 404);
          expect([path, answer.body]).toEqual([path, { error }]);
        }
    });

    test('an unknown path does not say whether the token is valid', async () => {
      const [invalid, valid] = await Promise.all(
        ['x', token].map((sent) => service.client.post('/api/v1/nothing', {}, { token: sent })),
      );
      expectError(invalid!, 404);
      expect([valid!.status, valid!.text]).toEqual([404, invalid!.text]);
    });

    test('HEAD is 404 without a body, whether or not a body is announced', async () => {
      for (const headers of [{}, { 'Content-Length': '5' }]) {
        const connection = await RawConnection.open(service.url);
        await connection.send(rawRequest(`HEAD ${UPLOAD}`, headers));
        const [answer] = await connection.answers(1, { toHead: true });
        connection.abort();
        expect(answer).toMatchObject({ status: 404 });
        expect(connection.text).toMatch(/\r\n\r\n$/);
      }
    });

    test('a query string does not change the path', async () => {
      const path = `${UPLOAD}?a=1&b[]=2&%zz&__proto__=1`;
      expectError(await service.client.post(path, { records: [] }, { token }), 400, /empty/);
      expectError(await service.client.post(`${LOGIN}?`, {}), 400, /grant_type/);
    });
  });
});
