import type { UploadsConfig } from '../../src/sales/uploads/uploads.config.js';
import { givenTill } from '../support/given.js';
import { expectError } from '../support/expect-error.js';
import { day, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const PROBLEM = 'application/problem+json';
const UPLOAD = '/api/v1/sales/upload-daily';

let service: TestApp;
let token: string;
beforeAll(async () => {
  service = await createTestApp<UploadsConfig>({ UPLOAD_MAX_FUTURE_DAYS: '1', CORS_ORIGINS: 'https://office.example' });
  token = (await givenTill(service)).token;
});
afterAll(() => service.close());

const upload = (records: unknown, accept = 'application/json') =>
  service.client.post(UPLOAD, { records }, { token, headers: { Accept: accept } });
const fieldsOf = ({ headers }: { headers: Headers }): string | null => headers.get('X-Error-Fields');

describe('X-Error-Fields lists the invalid fields of a 400 as JSON pointers', () => {
  test.each([
    [
      'an impossible value and a missing one',
      [record({ hour: 24, gto: undefined })],
      '/records/0/hour, /records/0/gto',
    ],
    ['a repeated hour', [record(), record({ gto: 1 })], '/records/1/hour'],
    ['mixed dates', [record(), record({ hour: 1, date: '2025-10-16' })], '/records/1/date'],
    ['an entry that is no object', [record(), 7], '/records/1'],
    ['an array among the entries', [record(), [7]], '/records/1'],
    ['no list', 7, '/records'],
    ['an empty list', [], '/records'],
    ['no field', undefined, '/records'],
  ])('%s', async (_what, records, fields) => {
    const response = await upload(records);
    expectError(response, 400);
    expect(fieldsOf(response)).toBe(fields);
  });

  test('at most 20 of them', async () => {
    const response = await upload(day({ gto: -1 }));
    expectError(response, 400, /\.\.\. and 14 more"}$/);
    const pointers = Array.from({ length: 20 }, (_, index) => `/records/${index}/gto`);
    expect(fieldsOf(response)).toBe(pointers.join(', '));
  });

  test('of a query, by its names', async () => {
    const response = await service.client.get('/api/v1/sales/daily?restaurant_id=x&date=2025-02-30', { token });
    expect([response.status, fieldsOf(response)]).toEqual([400, '/restaurant_id, /date']);
  });

  test('of what the service itself rejects', async () => {
    const ahead = await upload([record({ date: '9999-01-01' })], PROBLEM);
    expect([fieldsOf(ahead), ahead.body.code]).toEqual(['/records/0/date', 'date_too_far_ahead']);
    expect(ahead.body.errors).toEqual([{ pointer: '/records/0/date', code: 'invalid', detail: ahead.body.error }]);
    const long = await service.client.get('/api/v1/sales/missing?from=2025-01-01&to=2025-12-31', { token });
    expect([fieldsOf(long), long.headers.get('X-Error-Code')]).toEqual(['/from, /to', 'too_many_days']);
  });

  test.each([
    ['malformed JSON', 400, '{'],
    ['a body that is no object', 400, '[]'],
    ['too many records', 413, JSON.stringify({ records: [...day(), ...day()] })],
  ])('it is absent with %s', async (_what, status, body) => {
    const response = await service.client.post(UPLOAD, body, { token });
    expect([response.status, fieldsOf(response)]).toEqual([status, null]);
  });

  test('browsers may read it', async () => {
    const headers = { Origin: 'https://office.example' };
    const response = await service.client.post(UPLOAD, {}, { token, headers });
    expect(response.headers.get('Access-Control-Expose-Headers')!.split(',')).toContain('X-Error-Fields');
  });
});

describe('A body of RFC 9457', () => {
  test.each([PROBLEM, `application/json, ${PROBLEM};q=0.9`, ` Application/Problem+JSON ; q=0.5, */*`])(
    'is sent to a client with the header Accept: %s',
    async (accept) => {
      const response = await upload([record({ hour: 24 }), record({ hour: 1, gto: 'x' })], accept);
      const [hour, gto] = [
        'records[0].hour must be an integer from 0 to 23',
        'records[1].gto must be a number from 0 up to but not including 100000000000',
      ];
      expect(response.headers.get('Content-Type')).toBe(`${PROBLEM}; charset=utf-8`);
      expect(response.headers.get('X-Error-Code')).toBe('invalid_request');
      expect(response.body).toEqual({
        type: 'about:blank',
        title: 'Bad Request',
        status: 400,
        detail: `${hour}; ${gto}`,
        code: 'invalid_request',
        error: `${hour}; ${gto}`,
        errors: [
          { pointer: '/records/0/hour', code: 'invalid', detail: hour },
          { pointer: '/records/1/gto', code: 'invalid', detail: gto },
        ],
      });
    },
  );

  test('says what is wrong with each field', async () => {
    const first = record({ orders: undefined });
    const { body } = await upload([first, { ...first, restaurant_id: 102 }], PROBLEM);
    expect(body.errors.map(({ pointer, code }: any) => [pointer, code])).toEqual([
      ['/records/0/orders', 'missing'],
      ['/records/1/restaurant_id', 'mixed'],
      ['/records/1/hour', 'repeated'],
      ['/records/1/orders', 'missing'],
    ]);
  });

  test.each([
    '*/*',
    'application/*',
    'application/json',
    `${PROBLEM};q=0`,
    `${PROBLEM}; q=0.0, */*`,
    `x${PROBLEM}`,
    '',
  ])('is not sent to a client with the header Accept: %j', async (accept) =>
    expectError(await upload([], accept), 400),
  );

  test('has other errors too, and no success', async () => {
    const headers = { Accept: PROBLEM };
    const { client } = service;
    const unauthorized = await client.get('/api/v1/restaurants', { headers });
    expect([unauthorized.status, unauthorized.body.code]).toEqual([401, 'token_missing']);
    const missing = await client.get('/nowhere', { headers });
    expect([missing.status, missing.body.title, missing.body.errors]).toEqual([404, 'Not Found', undefined]);
    const success = await upload([record()], PROBLEM);
    expect(success.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
    expect(success.body.success).toBe(true);
  });
});
