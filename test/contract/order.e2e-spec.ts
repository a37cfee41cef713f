import { request } from 'node:http';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { exchange, rawRequest, RawConnection } from '../support/raw-http.js';
import { day, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { stretched } from '../support/time-limits.js';

describe('the order in which a request is judged', () => {
  const LOGIN = '/api/v1/auth/login';
  const UPLOAD = '/api/v1/sales/upload-daily';
  const BROKEN_JSON = '{"records": [';
  const JSON_TYPE = { 'Content-Type': 'application/json' };

  let service: TestApp;
  let token: string;
  let big: string;
  beforeAll(async () => {
    service = await createTestApp();
    token = (await givenTill(service)).token;
    big = JSON.stringify({
      records: [record({ note: 'x'.repeat(service.config.BODY_LIMIT_BYTES) })],
    });
  });
  afterAll(async () => {
    expect(await service.database.query('SELECT 1 FROM sales_days')).toEqual([]); // nothing here may ever be saved
    await service.close();
  });

  describe('401 before every fault of the body, and of how it is sent', () => {
    const bodies = (): Record<string, string> => ({
      nothing: '',
      'invalid JSON': BROKEN_JSON,
      'a valid upload': JSON.stringify({ records: [record()] }),
      '25 records': JSON.stringify({ records: [...day(), record()] }),
      'missing fields': '{}',
      'a body over the limit': big,
    });
    const tokens = ['', 'Bearer x']; // how else one is sent: tokens/refused

    test.each(Object.keys(bodies()).map((name) => [name]))('401: %s', async (name) => {
      for (const authorization of tokens) {
        const answer = await exchange(
          service.url,
          rawRequest(
            `POST ${UPLOAD}`,
            { ...JSON_TYPE, ...(authorization && { Authorization: authorization }) },
            bodies()[name],
          ),
        );
        expectError(answer, 401, /token/);
      }
    });

    test.each([
      ['another Content-Type', { 'Content-Type': 'text/plain' }],
      ['an unknown charset', { 'Content-Type': 'application/json; charset=x' }],
      ['an unknown Content-Encoding', { ...JSON_TYPE, 'Content-Encoding': 'zstd' }],
      ['a gzip that is none', { ...JSON_TYPE, 'Content-Encoding': 'gzip' }],
    ])('401: %s', async (_name, headers) => {
      expectError(await exchange(service.url, rawRequest(`POST ${UPLOAD}`, headers, '{}')), 401);
    });

    test('401 at once, while the body is still on its way', async () => {
      const headers = { ...JSON_TYPE, 'Content-Length': '5000' };
      expectError(await exchange(service.url, rawRequest(`POST ${UPLOAD}`, headers)), 401);
      expectError(
        await exchange(
          service.url,
          rawRequest(`POST ${UPLOAD}`, { 'Transfer-Encoding': 'chunked' }),
        ),
        401,
      );
    });
  });

  describe('413 before 400', () => {
    const upload = (records: unknown) => service.client.upload(token, records);

    test.each<[string, unknown]>([
      ['valid', [...day(), record({ hour: 0 })]],
      ['empty objects', Array(25).fill({})],
      ['null', Array(25).fill(null)],
      ['lists', Array(25).fill([])],
      ['of mixed types', [...day(), 'x']],
      ['of restaurants that do not exist', Array(25).fill(record({ restaurant_id: 999 }))],
      ['numbers, ten thousand', Array(10_000).fill(1)],
    ])('413: more than 24 entries: %s', async (_name, records) => {
      expectError(await upload(records), 413, /records holds \d+ entries, at most 24/);
    });

    test('413: a body over the limit, whatever is in it and however it is sent', async () => {
      for (const body of [big, 'x'.repeat(big.length), ' '.repeat(big.length)]) {
        expectError(await service.client.post(UPLOAD, body, { token }), 413, /102400 bytes/);
      }
      const headers = { 'Content-Type': 'text/plain' };
      expectError(await service.client.post(UPLOAD, big, { token, headers }), 413, /102400 bytes/);
      headers['Content-Type'] = 'application/json; charset=latin1';
      expectError(await service.client.post(UPLOAD, big, { token, headers }), 413, /102400 bytes/);
    });
  });

  describe('400 before 403', () => {
    test.each<[string, unknown]>([
      ['a missing field', [record({ restaurant_id: 999, gto: undefined })]],
      ['an impossible date', [record({ restaurant_id: 999, date: '2025-02-30' })]],
      ['a repeated hour', [record({ restaurant_id: 999 }), record({ restaurant_id: 999 })]],
      [
        'restaurants mixed, one of them unknown',
        [record(), record({ restaurant_id: 999, hour: 1 })],
      ],
    ])('400: %s, though the restaurant is unknown', async (_name, records) => {
      expectError(await service.client.upload(token, records), 400, /records\[\d\]/);
    });

    test('403: nothing is wrong but the restaurant', async () => {
      expectError(await service.client.upload(token, [record({ restaurant_id: 999 })]), 403, /999/);
    });
  });

  describe('404 before anything else: an unknown path or a wrong method', () => {
    test.each([
      '/',
      '/api',
      '/api/v1',
      '/api/v1/auth',
      '/api/v1/auth/login/',
      '/api/v1/auth/Login',
      '/API/v1/auth/login',
      '/api/v2/auth/login',
      '/api/v1/auth/login/x',
      '/api/v1//auth/login',
      '//api/v1/auth/login',
      '/api/v1/auth/./login',
      '/api/v1/auth%2Flogin',
      '/api/v1/auth/login%00',
      '/api/v1/auth/login;x=1',
      '/api/v1/sales',
      '/api/v1/sales/upload-hourly',
      '/api/v1/sales/upload-daily/',
      '/api/v1/sales/upload%2Ddaily',
      '/api/v1/sales/upload_daily',
      '/__proto__',
      '/constructor',
    ])('404: POST %s', async (path) => {
      for (const body of ['', BROKEN_JSON, big]) {
        expectError(
          await exchange(service.url, rawRequest(`POST ${path}`, JSON_TYPE, body)),
          404,
          /path/,
        );
      }
    });

    test('404: an unknown path tells nothing of whether the token is valid', async () => {
      for (const authorization of ['Bearer x', `Bearer ${token}`]) {
        const answer = await service.client.send('POST', '/api/v1/sales/upload-hourly', '{}', {
          ...JSON_TYPE,
          Authorization: authorization,
        });
        expectError(answer, 404);
      }
    });

    test.each([
      'GET',
      'PUT',
      'PATCH',
      'DELETE',
      'OPTIONS',
      'PROPFIND',
      'SEARCH',
      'LINK',
      'PURGE',
      'M-SEARCH',
      'TRACE',
    ])('404: %s on the paths that take POST', async (method) => {
      for (const path of [LOGIN, UPLOAD, `${UPLOAD}?x=%zz`]) {
        const answer = await exchange(
          service.url,
          rawRequest(`${method} ${path}`, JSON_TYPE, BROKEN_JSON),
        );
        expectError(answer, 404, /no endpoint at this path for this method/);
      }
    });

    test.each([{}, { 'Content-Length': '5' }])(
      '404 at once and without a body: HEAD with %j',
      async (headers) => {
        const connection = await RawConnection.open(service.url);
        await connection.send(rawRequest(`HEAD ${UPLOAD}`, headers));
        const start = Date.now();
        const [answer] = await connection.answers(1, { toHead: true });
        connection.abort();
        expect(answer).toMatchObject({ status: 404 });
        expect(connection.text).toMatch(/\r\n\r\n$/);
        expect(Date.now() - start).toBeLessThan(stretched(5000));
      },
    );

    test('an unknown method is no HTTP that is spoken here: 400', async () => {
      expectError(await exchange(service.url, rawRequest(`BREW ${UPLOAD}`)), 400);
      expectError(await exchange(service.url, rawRequest(`post ${UPLOAD}`)), 400);
    });

    test('a query string does not make another path of it', async () => {
      expectError(
        await service.client.post(
          `${UPLOAD}?a=1&b[]=2&%zz&__proto__=1`,
          { records: [] },
          { token },
        ),
        400,
        /empty/,
      );
      expectError(await service.client.post(`${LOGIN}?`, {}), 400, /grant_type/);
    });

    test('a GET with a body is answered like one without', async () => {
      const status = await new Promise((resolve, reject) => {
        const get = request(
          `${service.url}${UPLOAD}`,
          { method: 'GET', headers: JSON_TYPE },
          (answer) => {
            answer.resume();
            resolve(answer.statusCode);
          },
        );
        get.on('error', reject).end(BROKEN_JSON);
      });
      expect(status).toBe(404);
    });
  });
});
