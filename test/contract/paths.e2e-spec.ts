import { request } from 'node:http';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { exchange, RawConnection, rawRequest } from '../support/raw-http.js';
import { record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { stretched } from '../support/time-limits.js';

const LOGIN = '/api/v1/auth/login';
const UPLOAD = '/api/v1/sales/upload-daily';
const BROKEN_JSON = '{"records": [';
const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('unknown path 404, wrong method 405, before anything else is looked at', () => {
  let service: TestApp;
  let token: string;
  let big: string;
  beforeAll(async () => {
    service = await createTestApp();
    token = (await givenTill(service)).token;
    big = JSON.stringify({ records: [record({ note: 'x'.repeat(service.config.BODY_LIMIT_BYTES) })] });
  });
  afterAll(() => service.close());

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
      expectError(await exchange(service.url, rawRequest(`POST ${path}`, JSON_TYPE, body)), 404, /path/);
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

  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'SEARCH', 'LINK', 'PURGE', 'M-SEARCH', 'TRACE'])(
    '405 with Allow: %s on the paths that take POST',
    async (method) => {
      for (const path of [LOGIN, UPLOAD, `${UPLOAD}?x=%zz`]) {
        const answer = await exchange(service.url, rawRequest(`${method} ${path}`, JSON_TYPE, BROKEN_JSON));
        expectError(answer, 405, new RegExp(`^\\{"error":"${method} .*POST`));
        expect(answer.headers.get('Allow')).toBe('POST');
      }
    },
  );

  test.each([{}, { 'Content-Length': '5' }])(
    '405 with Allow, at once and without a body: HEAD with %j',
    async (headers) => {
      const connection = await RawConnection.open(service.url);
      await connection.send(rawRequest(`HEAD ${UPLOAD}`, headers));
      const start = Date.now();
      const [answer] = await connection.answers(1, { toHead: true });
      connection.abort();
      expect(answer).toMatchObject({ status: 405 });
      expect(answer?.headers.get('Allow')).toBe('POST');
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
      await service.client.post(`${UPLOAD}?a=1&b[]=2&%zz&__proto__=1`, { records: [] }, { token }),
      400,
      /empty/,
    );
    expectError(await service.client.post(`${LOGIN}?`, {}), 400, /grant_type/);
  });

  test('a GET with a body is answered like one without', async () => {
    const status = await new Promise((resolve, reject) => {
      const get = request(`${service.url}${UPLOAD}`, { method: 'GET', headers: JSON_TYPE }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      get.on('error', reject).end(BROKEN_JSON);
    });
    expect(status).toBe(405);
  });
});
