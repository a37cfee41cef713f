import { givenTill } from '../support/given.js';
import { expectError } from '../support/expect-error.js';
import { day, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const UPLOAD = '/api/v1/sales/upload-daily';

let service: TestApp;
let token: string;
beforeAll(async () => {
  service = await createTestApp({
    UPLOAD_MAX_FUTURE_DAYS: '1',
    CORS_ORIGINS: 'https://office.example',
  });
  token = (await givenTill(service)).token;
});
afterAll(() => service.close());

const upload = (records: unknown) => service.client.post(UPLOAD, { records }, { token });
const fieldsOf = ({ headers }: { headers: Headers }): string | null =>
  headers.get('X-Error-Fields');

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
    const response = await service.client.get(
      '/api/v1/sales/daily?restaurant_id=x&date=2025-02-30',
      { token },
    );
    expect([response.status, fieldsOf(response)]).toEqual([400, '/restaurant_id, /date']);
  });

  test('of what the service itself rejects', async () => {
    const ahead = await upload([record({ date: '9999-01-01' })]);
    expect([fieldsOf(ahead), ahead.headers.get('X-Error-Code')]).toEqual([
      '/records/0/date',
      'date_too_far_ahead',
    ]);
    const long = await service.client.get('/api/v1/sales/missing?from=2025-01-01&to=2025-12-31', {
      token,
    });
    expect([fieldsOf(long), long.headers.get('X-Error-Code')]).toEqual([
      '/from, /to',
      'too_many_days',
    ]);
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
    expect(response.headers.get('Access-Control-Expose-Headers')!.split(',')).toContain(
      'X-Error-Fields',
    );
  });
});
