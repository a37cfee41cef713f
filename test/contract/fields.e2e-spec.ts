import { isCalendarDate } from '../../src/http/validation/fields.decorator.js';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { AMOUNTS, COUNTS, day, OPTIONAL, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const UPLOAD = '/api/v1/sales/upload-daily';
const INTEGERS = ['restaurant_id', 'hour', ...COUNTS];
const REQUIRED = ['date', ...INTEGERS, ...AMOUNTS].filter((field) => !(field in OPTIONAL));
const MAX = 2_147_483_647;
const NO_DAY = 'must be a day that exists, in the form YYYY-MM-DD';

let service: TestApp;
let token: string;
beforeAll(async () => {
  service = await createTestApp();
  token = (await givenTill(service, { restaurants: [1, 101, 1000, MAX] })).token;
});
afterEach(() => service.database.query('DELETE FROM hourly_sales'));
afterAll(() => service.close());

/** Uploads one record in which these fields are written so in the JSON. */
function upload(json: string, fields: readonly string[]) {
  const marked = record(Object.fromEntries(fields.map((field) => [field, '%'])));
  const text = JSON.stringify({ records: [marked] }).replaceAll('"%"', json);
  return service.client.post(UPLOAD, text, { token });
}

const pointersOf = ({ headers }: { headers: Headers }) => headers.get('X-Error-Fields');

describe('A wrong field of a record is 400, in words and in X-Error-Fields, and saves nothing:', () => {
  afterEach(async () =>
    expect(await service.database.query('SELECT 1 FROM hourly_sales')).toEqual([]),
  );

  test('each of the sixteen may be missing in one record of a day', async () => {
    expect(REQUIRED).toHaveLength(16);
    for (const missing of [REQUIRED.slice(0, 8), REQUIRED.slice(8)]) {
      const left = Object.entries(record({ hour: 13 })).filter(([name]) => !missing.includes(name));
      const records = day().with(13, Object.fromEntries(left));
      const answer = await service.client.upload(token, records);
      expectError(answer, 400);
      expect(answer.body.error.split('; ').sort()).toEqual(
        missing.map((field) => `records[13].${field} is missing`).sort(),
      );
    }
  });

  const OTHER_TYPES = 'null true [1] {"a":1}';
  const NO_AMOUNT = 'must be a number from 0 up to but not including 100000000000';
  const notAnInteger = (field: string): string => {
    const [min, max] = [field === 'restaurant_id' ? 1 : 0, field === 'hour' ? 23 : MAX];
    return `must be an integer from ${min} to ${max}`;
  };

  test.each<[fields: string[], values: string, fault: (field: string) => string]>([
    [INTEGERS, `${OTHER_TYPES} -1 3.5 22.9999999999 ${MAX + 1} ${2 ** 53} 1E400`, notAnInteger],
    [INTEGERS, '"" "1"', (field) => `${notAnInteger(field)}, without quotes`],
    [['restaurant_id'], '0', notAnInteger],
    [['hour'], '24', notAnInteger],
    [AMOUNTS, OTHER_TYPES, () => NO_AMOUNT],
    [AMOUNTS, '"" "10.00"', () => `${NO_AMOUNT}, without quotes`],
    [AMOUNTS, '-0.01 -5e-324 -1e400', () => 'must not be negative'],
    [
      AMOUNTS,
      '1.23e-300 5e-324 1e-21 0.000000000000000000001 1.5e-20',
      () => 'must have at most 20 decimals',
    ],
    [AMOUNTS, '100000000000 100000000000.01 1E400', () => 'must be less than 100000000000'],
  ])('%j may not be %s', async (fields, values, fault) => {
    const most = 8; // at ten faults some would not be told in words
    for (const json of values.split(' '))
      for (let from = 0; from < fields.length; from += most) {
        const wrong = fields.slice(from, from + most);
        const answer = await upload(json, wrong);
        expectError(answer, 400);
        const faults = wrong.map((field) => `records[0].${field} ${fault(field)}`);
        expect([json, answer.body.error.split('; ')]).toEqual([json, faults]);
        expect(pointersOf(answer)).toBe(wrong.map((field) => `/records/0/${field}`).join(', '));
      }
  });

  test('the text names ten faults, the header twenty, and neither quotes a value', async () => {
    const faults = await service.client.upload(token, [
      record({ hour: 24, gto: -1 }),
      record({ date: 'x'.repeat(20_000), pax: undefined }),
    ]);
    expectError(faults, 400);
    expect(faults.body.error.split('; ')).toEqual([
      'records[0].hour must be an integer from 0 to 23',
      'records[0].gto must not be negative',
      `records[1].date ${NO_DAY}`,
      'records[1].pax is missing',
    ]);
    const hopeless = await service.client.upload(token, Array(24).fill({}));
    expectError(hopeless, 400, /records\[0\]\.restaurant_id is missing; .*; \.\.\. and 374 more"/);
    expect(hopeless.body.error.split('; ')).toHaveLength(11);
    const negative = await service.client.upload(token, day({ gto: -1 }));
    const twenty = Array.from({ length: 20 }, (_, index) => `/records/${index}/gto`);
    expect(pointersOf(negative)).toBe(twenty.join(', '));
  });

  test('X-Error-Fields also names fields of a query and of later checks, and browsers may read the header', async () => {
    const Origin = 'https://office.example';
    const { client } = await service.another({ UPLOAD_MAX_FUTURE_DAYS: 1, CORS_ORIGINS: Origin });
    const ahead = { records: [record({ date: '9999-01-01' })] };
    const rejected = await client.post(UPLOAD, ahead, { token, headers: { Origin } });
    const invalid = '/api/v1/sales/daily?restaurant_id=x&date=2025-02-30';
    const long = '/api/v1/sales/missing?from=2025-01-01&to=2025-12-31';
    const get = (path: string) => client.get(path, { token });
    const answers = [rejected, await get(invalid), await get(long)];
    expect(answers.map(({ headers }) => headers.get('X-Error-Code'))).toEqual([
      'date_too_far_ahead',
      'invalid_request',
      'too_many_days',
    ]);
    const pointers = ['/records/0/date', '/restaurant_id, /date', '/from, /to'];
    expect(answers.map(pointersOf)).toEqual(pointers);
    const exposed = rejected.headers.get('Access-Control-Expose-Headers')!.split(',');
    expect(exposed).toContain('X-Error-Fields');
  });
});

describe('A number is kept as the decimal that was sent', () => {
  test.each<[fields: string[], values: string, kept: string]>([
    [AMOUNTS, '7 0.1 0.30000000000000004 1.005 123456789.12345678 99999999999.9999', 'it is'],
    [AMOUNTS, '0 0.00 -0 -0.0 0e10 1e-400', '0'],
    [AMOUNTS, '7.1 7.10', '7.1'],
    [AMOUNTS, '1500 1.5E+3 150000e-2', '1500'],
    [AMOUNTS, '1e-7', '0.0000001'],
    [AMOUNTS, '1e-20', `0.${'0'.repeat(19)}1`],
    [AMOUNTS, '0.00000123456789012345', 'it is'],
    [AMOUNTS, '0.100000000000000005551', '0.1'], // more digits than a JSON number carries
    [['hour'], '23 23.0 2.3E+1 2300e-2 23.00000000000000000000', '23'],
    [['hour'], '0 -0', '0'],
    [COUNTS, '2147483647 2147483647.0 2.147483647e9', String(MAX)],
    [COUNTS, '0 -0', '0'],
    [['restaurant_id'], `1 ${MAX}`, 'it is'],
    [['restaurant_id'], '1e3', '1000'],
  ])('%j keeps %s as %s', async (fields, values, kept) => {
    const columns = fields.map((field) => `${field}::text`).join();
    for (const json of values.split(' ')) {
      expect((await upload(json, fields)).status).toBe(200);
      const decimal = kept === 'it is' ? json : kept;
      const row = Object.fromEntries(fields.map((field) => [field, decimal]));
      const stored = `DELETE FROM hourly_sales RETURNING ${columns}`;
      expect(await service.database.query(stored)).toEqual([row]);
    }
  });
});

describe('The date of a record', () => {
  const EXIST = '0001-01-01 0004-02-29 0099-12-31 1582-10-10 2024-02-29 9999-12-31'.split(' ');
  const DO_NOT = [
    ...'0000-01-01 1900-02-29 2025-02-29 2025-04-31 2025-00-10 2025-13-01 2025-10-00'.split(' '),
    ...['', 'today', 'infinity', '15-10-2025', '2025/10/15', '20251015', '2025-W42-3', '2025-1-5'],
    ...['10000-01-01', '+002025-10-15', '-0001-01-01', '0001-01-01 BC', '2025-10-15T00:00:00Z'],
    ...['2025-10-15Z', ' 2025-10-15', '2025-10-15 ', '2025-10-15\n', '2025-10-15\0', '2025-10- 1'],
    ...['\ufeff2025-10-15', '２０２５-１０-１５', '٢٠٢٥-١٠-١٥', '2025–10–15', "2025-10-15'::date"],
    ...['\ud800025-10-15', null, 20251015, true, ['2025-10-15']],
  ];

  const uploadOn = (date: unknown, { client } = service) =>
    client.upload(token, [record({ date })]);
  const storedDates = async (): Promise<string[]> => {
    const sql = 'SELECT date::text FROM hourly_sales ORDER BY hourly_sales.date';
    return (await service.database.query<{ date: string }>(sql)).map(({ date }) => date);
  };

  test('is kept as it was sent if the day exists, and named in the answer', async () => {
    for (const date of EXIST) {
      const { status, body } = await uploadOn(date);
      const message = `1 hourly record saved for restaurant 101 (Restaurant 101) on ${date}`;
      expect([status, body.message]).toEqual([200, message]);
    }
    expect(await storedDates()).toEqual(EXIST);
  });

  test('is 400 in another form, or if the day does not exist', async () => {
    for (const date of DO_NOT) {
      const answer = await uploadOn(date);
      expectError(answer, 400);
      expect([date, answer.body.error]).toEqual([date, `records[0].date ${NO_DAY}`]);
    }
    expect(await storedDates()).toEqual([]);
  });

  test('exists for every day of some years, and for none between', () => {
    const exists = (date: string): boolean => {
      const time = Date.parse(`${date}T00:00:00Z`);
      return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
    };
    const twoDigits = (part: number): string => String(part).padStart(2, '0');
    for (const year of ['0001', '1900', '2000', '2024', '2025', '9999'])
      for (let month = 0; month < 14; month++)
        for (let day = 0; day < 33; day++) {
          const date = `${year}-${twoDigits(month)}-${twoDigits(day)}`;
          expect([date, isCalendarDate(date)]).toEqual([date, exists(date)]);
        }
  });

  test('is moved by no time zone of the service or the database', async () => {
    const far = await service.another({ TIME_ZONE: 'Pacific/Kiritimati' });
    const name = new URL(service.database.url).pathname.slice(1);
    await service.database.query(`ALTER DATABASE ${name} SET timezone = 'Pacific/Apia'`);
    const other = await service.another({ TIME_ZONE: 'Pacific/Apia' });
    const dates = ['2011-12-29', '2011-12-30']; // Apia skipped the 30th
    for (const [index, instance] of [far, other].entries())
      expect((await uploadOn(dates[index]!, instance)).body.message).toContain(dates[index]);
    expect(await storedDates()).toEqual(dates);
  });
});
