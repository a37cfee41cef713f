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

const fieldsOf = ({ headers }: { headers: Headers }) => headers.get('X-Error-Fields');

describe('A field of a record that is wrong: 400 in words and in X-Error-Fields, nothing saved', () => {
  /** Not more than ten at once, so that each fault is told in words. */
  const [SOME_AMOUNTS, OTHER_AMOUNTS] = [AMOUNTS.slice(0, 6), AMOUNTS.slice(6)];
  afterEach(async () =>
    expect(await service.database.query('SELECT 1 FROM hourly_sales')).toEqual([]),
  );

  async function expectFaults(json: string, fields: string[], fault: (field: string) => string) {
    const answer = await upload(json, fields);
    expectError(answer, 400);
    const faults = fields.map((field) => `records[0].${field} ${fault(field)}`);
    expect([json, answer.body.error.split('; ')]).toEqual([json, faults]);
    expect(fieldsOf(answer)).toBe(fields.map((field) => `/records/0/${field}`).join(', '));
  }

  const notAnInteger = (field: string): string =>
    `must be an integer from ${field === 'restaurant_id' ? 1 : 0} to ${field === 'hour' ? 23 : MAX}`;

  test('there are sixteen', () => expect(REQUIRED).toHaveLength(16));

  test.each<[how: string, rename: (field: string) => string | undefined]>([
    ['missing', () => undefined],
    ['in capitals', (field) => field.toUpperCase()],
  ])('each of them %s, in one record of a day', async (_how, rename) => {
    for (const missing of [REQUIRED.slice(0, 8), REQUIRED.slice(8)]) {
      const records: object[] = day();
      const entries = Object.entries(record({ hour: 13 })).flatMap(([field, value]) => {
        const name = missing.includes(field) ? rename(field) : field;
        return name === undefined ? [] : [[name, value]];
      });
      records[13] = Object.fromEntries(entries);
      const answer = await service.client.upload(token, records);
      expectError(answer, 400);
      expect(answer.body.error.split('; ').sort()).toEqual(
        missing.map((field) => `records[13].${field} is missing`).sort(),
      );
    }
  });

  test.each('null true false "" "0" "1" "1.5" " 1" "x" [] [1] {} {"a":1}'.split(/ (?!1")/))(
    'not a number: %s',
    async (json) => {
      const notAnAmount = () => 'must be a number from 0 up to but not including 100000000000';
      await expectFaults(json, INTEGERS, notAnInteger);
      await expectFaults(json, SOME_AMOUNTS, notAnAmount);
      await expectFaults(json, OTHER_AMOUNTS, notAnAmount);
    },
  );

  test.each([
    ...`-1 -${MAX} ${MAX + 1} ${2 ** 53} -${2 ** 53} 1e21 1e300 ${'9'.repeat(40)} 1E400 -1E400`.split(
      ' ',
    ),
    ...'3.5 0.1 -0.5 1e-1 22.9999999999 1.0000001'.split(' '),
  ])('not an integer that is stored: %s', (json) => expectFaults(json, INTEGERS, notAnInteger));

  test.each([
    ['0', 'restaurant_id'],
    ['24', 'hour'],
  ])('one beyond the bounds: %s as %s', (json, field) => expectFaults(json, [field], notAnInteger));

  test.each<[fault: string, values: string]>([
    ['must not be negative', '-0.01 -1 -1e-7 -5e-324 -1e400'],
    [
      'must be less than 100000000000',
      `100000000000 1e11 100000000000.01 1e12 1e308 1E400 ${'9'.repeat(40)}`,
    ],
  ])('an amount %s', async (fault, values) => {
    for (const json of values.split(' ')) {
      await expectFaults(json, SOME_AMOUNTS, () => fault);
      await expectFaults(json, OTHER_AMOUNTS, () => fault);
    }
  });

  test.each('null true [] ["2025-10-15"] {} 20251015 0'.split(' '))('not a date: %s', (json) =>
    expectFaults(json, ['date'], () => NO_DAY),
  );

  test('every fault of a request is told, the first ten in words and twenty by their fields', async () => {
    const faults = await service.client.upload(token, [
      record({ hour: 24, gto: -1 }),
      record({ date: 'x', pax: undefined }),
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
    const negative = fieldsOf(await service.client.upload(token, day({ gto: -1 })));
    expect(negative?.split(', ')).toEqual(
      Array.from({ length: 20 }, (_, index) => `/records/${index}/gto`),
    );
  });

  test('a long name or value in a fault does not make the answer long', async () => {
    const long = 'x'.repeat(20_000);
    const answer = await service.client.upload(token, [
      record({ date: long, hour: long, [long]: long }),
    ]);
    expectError(answer, 400);
    expect(answer.text.length).toBeLessThan(1000);
  });

  test.each<[string, number, unknown, string | null]>([
    ['an entry that is no object', 400, { records: [record(), 7] }, '/records/1'],
    ['an array among the entries', 400, { records: [record(), [7]] }, '/records/1'],
    ['no list', 400, { records: 7 }, '/records'],
    ['an empty list', 400, { records: [] }, '/records'],
    ['no records', 400, {}, '/records'],
    ['malformed JSON', 400, '{', null],
    ['a body that is no object', 400, '[]', null],
    ['too many records', 413, { records: [...day(), ...day()] }, null],
  ])('X-Error-Fields of %s', async (_what, status, body, fields) => {
    const answer = await service.client.post(UPLOAD, body, { token });
    expect([answer.status, fieldsOf(answer)]).toEqual([status, fields]);
  });

  test('X-Error-Fields of a query, of what the service itself rejects, and for browsers', async () => {
    const { client } = await service.another({
      UPLOAD_MAX_FUTURE_DAYS: '1',
      CORS_ORIGINS: 'https://office.example',
    });
    const headers = { Origin: 'https://office.example' };
    const ahead = await client.post(
      UPLOAD,
      { records: [record({ date: '9999-01-01' })] },
      { token, headers },
    );
    const query = '/api/v1/sales/daily?restaurant_id=x&date=2025-02-30';
    const long = '/api/v1/sales/missing?from=2025-01-01&to=2025-12-31';
    const answers = [ahead, await client.get(query, { token }), await client.get(long, { token })];
    expect(answers.map(({ headers }) => headers.get('X-Error-Code'))).toEqual([
      'date_too_far_ahead',
      'invalid_request',
      'too_many_days',
    ]);
    expect(answers.map(fieldsOf)).toEqual([
      '/records/0/date',
      '/restaurant_id, /date',
      '/from, /to',
    ]);
    expect(ahead.headers.get('Access-Control-Expose-Headers')!.split(',')).toContain(
      'X-Error-Fields',
    );
  });
});

describe('A number is kept as the decimal that was sent', () => {
  /** Written in the JSON as the database has them. */
  const SAME =
    '0 7 0.1 0.2 0.3 0.30000000000000004 1.005 2.675 1.15 4.35 0.01 0.0001 0.00000001 1250.5 ' +
    '12345678.9 123456789.12345678 9007199254.740992 99999999999 99999999999.9 99999999999.9999';
  /** Written in the JSON, and the decimal that is to be kept. */
  const EXACT: [json: string, kept: string][] = [
    ...SAME.split(' ').map((json): [string, string] => [json, json]),
    ...'0.00 -0 -0.0 0e10 1e-400'.split(' ').map((json): [string, string] => [json, '0']),
    ['7.10', '7.1'],
    ['1E+2', '100'],
    ['1.5e3', '1500'],
    ['125e-2', '1.25'],
    ['1e-7', '0.0000001'],
    ['1.23e-10', '0.000000000123'],
    ['5e-324', `0.${'0'.repeat(323)}5`],
    ['2.2250738585072014e-308', `0.${'0'.repeat(307)}22250738585072014`],
    ['9.99999999999999e10', '99999999999.9999'],
    ['0.100000000000000005551', '0.1'], // no more digits than a JSON number carries between machines
  ];

  test.each(EXACT)('amounts: %s is kept as %s', async (json, decimal) => {
    expect((await upload(json, AMOUNTS)).status).toBe(200);
    const columns = AMOUNTS.map((field) => `${field}::text`).join();
    const [row] = await service.database.query(`SELECT ${columns} FROM hourly_sales`);
    expect(row).toEqual(Object.fromEntries(AMOUNTS.map((field) => [field, decimal])));
  });

  test.each([
    ['hour', '0 23 7.0 1e1 0.7E+1 2300e-2 -0 -0.0 0e5 7.00000000000000000000'],
    ...COUNTS.map((field) => [field, '0 -0 2147483647 2147483647.0 2.147483647e9 1E3']),
    ['restaurant_id', '1 1e3 2147483647'],
  ])('%s: %s', async (field, values) => {
    for (const json of values.split(' ')) {
      expect((await upload(json, [field])).status).toBe(200);
      const sql = `DELETE FROM hourly_sales RETURNING ${field}::text AS value`;
      expect(await service.database.query(sql)).toEqual([
        { value: String(Math.abs(Number(json))) },
      ]);
    }
  });
});

describe('The date of a record', () => {
  // prettier-ignore
  const EXIST = [
    '0001-01-01', '0001-12-31', '0004-02-29', '0099-12-31', '0100-01-01', '0400-02-29', '1000-01-01', '1582-10-10', '1752-09-05', '1899-12-31', '1969-12-31',
    '1970-01-01', '2000-02-29', '2011-12-30', '2024-02-29', '2025-01-31', '2025-02-28', '2025-03-30', '2025-04-30', '2025-12-31',
    '2038-01-20', '2400-02-29', '9999-12-31',
  ];

  // prettier-ignore
  const DO_NOT = [
    '0000-01-01', '0000-02-29', '0000-00-00', '2025-00-10', '2025-13-01', '2025-99-01', '2025-01-00', '2025-01-32', '2025-02-29', '2025-02-30', '2025-02-31',
    '2025-04-31', '2025-06-31', '2025-09-31', '2025-11-31', '1900-02-29', '2100-02-29', '2023-02-29', '0001-02-29', '0100-02-29', '2025-10-99',
  ];

  // prettier-ignore
  const OTHER_FORMS = [
    '', ' ', 'today', 'now', 'yesterday', 'epoch', 'infinity', '-infinity', 'null', 'NaN', 'Invalid Date', '15-10-2025', '15/10/2025', '10/15/2025', '2025/10/15', '2025.10.15',
    '2025 10 15', '20251015', '2025-1015', '2025-10', '2025', '2025-288', '2025-W42-3', '2025-1-5', '2025-01-5', '2025-1-05', '25-10-15', '02025-10-15',
    '10000-01-01', '99999-01-01', '+002025-10-15', '-0001-01-01', '-2025-10-15', '2025-10-15 BC', '0001-01-01 BC', '2025-10-15T00:00:00', '2025-10-15T00:00:00Z',
    '2025-10-15 00:00', '2025-10-15Z', '2025-10-15+00', ' 2025-10-15', '2025-10-15 ', '2025-10-15\n', '\n2025-10-15', '2025-10-15\0', '\u00002025-10-15', '2025-10-1\u0000', '2025-10-15\u200b',
    '\ufeff2025-10-15', '２０２５-１０-１５', '٢٠٢٥-١٠-١٥', '2025–10–15', '2025−10−15', '2025‐10‐15', '2025-Oct-15', '2025-1O-15', '2025-10-l5', '2025-+1-05', '2025--1-05', '2025-1e-05', '2025-0x-05', '2025-10-1 ',
    '2025-10- 1', ' 025-10-15', '2025-10-15;', "2025-10-15'", "2025-10-15'::date", '2025-10-15" ', '\ud800025-10-15', 'J2460964', '2025-10-15-', '--10-15', '----------',
];

  const uploadOn = (date: string, { client } = service) => client.upload(token, [record({ date })]);
  const storedDates = async (): Promise<string[]> => {
    const sql = 'SELECT date::text FROM hourly_sales ORDER BY hourly_sales.date';
    return (await service.database.query<{ date: string }>(sql)).map(({ date }) => date);
  };

  test('a day that exists is kept as it is and told in the answer', async () => {
    for (const date of EXIST) {
      const { status, body } = await uploadOn(date);
      const message = `1 hourly record saved for restaurant 101 (Restaurant 101) on ${date}`;
      expect([status, body.message]).toEqual([200, message]);
    }
    expect(await storedDates()).toEqual(EXIST);
  });

  test.each([
    ['a day that does not exist', DO_NOT],
    ['another form', OTHER_FORMS],
  ])('400: %s', async (_what, dates) => {
    for (const date of dates) {
      const answer = await uploadOn(date);
      expectError(answer, 400);
      expect([date, answer.body.error]).toEqual([date, `records[0].date ${NO_DAY}`]);
    }
    expect(await storedDates()).toEqual([]);
  });

  test('every day of some years exists and none between', () => {
    const exists = (date: string): boolean => {
      const time = Date.parse(`${date}T00:00:00Z`);
      return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
    };
    for (const year of ['0001', '0004', '1900', '2000', '2024', '2025', '9999'])
      for (let month = 0; month < 14; month++)
        for (let day = 0; day < 33; day++) {
          const date = [year, ...[month, day].map((part) => String(part).padStart(2, '0'))].join(
            '-',
          );
          expect([date, isCalendarDate(date)]).toEqual([date, exists(date)]);
        }
  });

  test('the time zones of the service and of the database do not move it', async () => {
    const far = await service.another({ TIME_ZONE: 'Pacific/Kiritimati' });
    await service.database.query(
      `ALTER DATABASE ${new URL(service.database.url).pathname.slice(1)} SET timezone = 'Pacific/Apia'`,
    );
    const other = await service.another({ TIME_ZONE: 'Pacific/Apia' });
    const dates = ['2011-12-29', '2011-12-30']; // Apia skipped the 30th
    for (const [index, instance] of [far, other].entries())
      expect((await uploadOn(dates[index]!, instance)).body.message).toContain(dates[index]);
    expect(await storedDates()).toEqual(dates);
  });
});
