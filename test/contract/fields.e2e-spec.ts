import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { day, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

describe('the fields of a record', () => {
  const AMOUNTS = [
    'gto',
    'gst',
    'svc',
    'discount',
    'cash',
    'nets',
    'visa',
    'master',
    'amex',
    'voucher',
    'other',
  ];
  const COUNTS = ['orders', 'pax'];
  const INTEGERS = ['restaurant_id', 'hour', ...COUNTS];
  const FIELDS = ['date', ...INTEGERS, ...AMOUNTS];
  const MAX = 2_147_483_647;

  /** Values of the wrong type for a number, as they stand in JSON. */
  const NO_NUMBERS = [
    'null',
    'true',
    'false',
    '""',
    '"0"',
    '"1"',
    '"1.5"',
    '" 1"',
    '"x"',
    '[]',
    '[1]',
    '{}',
    '{"a":1}',
  ];

  let service: TestApp;
  let token: string;
  beforeAll(async () => {
    service = await createTestApp();
    token = (await givenTill(service, { restaurants: [1, 101, 1000, MAX] })).token;
  });
  afterAll(() => service.close());

  /** Uploads one record in which a field is written so in the JSON. */
  const upload = (field: string, json: string) => {
    const text = JSON.stringify({ records: [record({ [field]: '%' })] }).replace('"%"', json);
    return service.client.post('/api/v1/sales/upload-daily', text, { token });
  };
  const nothingSaved = async () =>
    expect(await service.database.query('SELECT 1 FROM sales_days')).toEqual([]);

  test('there are sixteen', () => {
    expect(Object.keys(record()).sort()).toEqual([...FIELDS].sort());
  });

  describe.each(FIELDS)('%s', (field) => {
    afterEach(nothingSaved);

    test('400: missing, in one record of a day', async () => {
      const records = day().map((each, hour) =>
        hour === 13 ? { ...each, [field]: undefined } : each,
      );
      expectError(
        await service.client.upload(token, records),
        400,
        new RegExp(`"records\\[13\\]\\.${field} is missing"`),
      );
    });

    test('400: missing, though one like it is there', async () => {
      for (const name of [field.toUpperCase(), ` ${field}`, `${field}\0`, field.replace('_', '')]) {
        if (name === field) continue;
        const { [field]: value, ...rest } = record();
        expectError(
          await service.client.upload(token, [{ ...rest, [name]: value }]),
          400,
          /is missing"/,
        );
      }
    });

    test('400: of another type', async () => {
      for (const json of field === 'date'
        ? ['null', 'true', '[]', '["2025-10-15"]', '{}', '20251015', '0']
        : NO_NUMBERS) {
        expectError(
          await upload(field, json),
          400,
          new RegExp(`"records\\[0\\]\\.${field} must be (a|an) [a-z0-9 ,-]+"`, 'i'),
        );
      }
    });
  });

  describe.each(INTEGERS)('%s', (field) => {
    const least = field === 'restaurant_id' ? 1 : 0;
    const most = field === 'hour' ? 23 : MAX;
    const beyond = [least - 1, most + 1, -1, -MAX, MAX + 1, 2 ** 53, -(2 ** 53), 1e21, 1e300].map(
      String,
    );
    const fractions = [
      '3.5',
      '0.1',
      '-0.5',
      '1e-1',
      '22.9999999999',
      '1.0000001',
      '1E400',
      '-1E400',
      '9'.repeat(40),
    ];

    test.each([...beyond, ...fractions])('400: %s', async (json) => {
      const words = `must be an integer from ${least} to ${most}`;
      expectError(
        await upload(field, json),
        400,
        new RegExp(`"records\\[0\\]\\.${field} ${words}"`),
      );
      await nothingSaved();
    });
  });

  describe.each(AMOUNTS)('%s', (field) => {
    test.each(['-0.01', '-1', '-1e-7', '-5e-324', '-1e400'])('400: %s', async (json) => {
      expectError(
        await upload(field, json),
        400,
        new RegExp(`"records\\[0\\]\\.${field} must not be negative"`),
      );
      await nothingSaved();
    });

    test.each([
      '100000000000',
      '1e11',
      '100000000000.01',
      '1e12',
      '1e308',
      '1E400',
      '9'.repeat(40),
    ])('400: %s', async (json) => {
      expectError(
        await upload(field, json),
        400,
        new RegExp(`"records\\[0\\]\\.${field} must be less than 100000000000"`),
      );
      await nothingSaved();
    });
  });

  describe('taken', () => {
    const stored = async (field: string) =>
      (await service.database.query(`SELECT ${field}::text AS value FROM hourly_sales`))[0]?.[
        'value'
      ];
    afterEach(() => service.database.query('DELETE FROM hourly_sales'));

    test.each<[string, string, string]>([
      ...[
        '0',
        '23',
        '7.0',
        '1e1',
        '0.7E+1',
        '2300e-2',
        '-0',
        '-0.0',
        '0e5',
        '7.00000000000000000000',
      ].map((json): [string, string, string] => ['hour', json, String(Math.abs(JSON.parse(json)))]),
      ...COUNTS.flatMap((field) =>
        ['0', '-0', '2147483647', '2147483647.0', '2.147483647e9', '1E3'].map(
          (json): [string, string, string] => [field, json, String(Math.abs(JSON.parse(json)))],
        ),
      ),
      ['restaurant_id', '1', '1'],
      ['restaurant_id', '1e3', '1000'],
      ['restaurant_id', '2147483647', '2147483647'],
    ])('%s: %s', async (field, json, value) => {
      expect((await upload(field, json)).status).toBe(200);
      expect(await stored(field)).toBe(value);
    });
  });

  test('every fault of a request is told, the first ten in words', async () => {
    const faults = await service.client.upload(token, [
      record({ hour: 24, gto: -1 }),
      record({ date: 'x', pax: undefined }),
    ]);
    expectError(faults, 400);
    expect(faults.body.error.split('; ')).toEqual([
      'records[0].hour must be an integer from 0 to 23',
      'records[0].gto must not be negative',
      expect.stringMatching(/^records\[1\]\.date must be a day that exists/),
      'records[1].pax is missing',
    ]);
    const hopeless = await service.client.upload(token, Array(24).fill({}));
    expectError(hopeless, 400, /records\[0\]\.restaurant_id is missing; .*; \.\.\. and 374 more"/);
    expect(hopeless.body.error.split('; ')).toHaveLength(11);
  });

  test('a long name or value in a fault does not make the answer long', async () => {
    const long = 'x'.repeat(20_000);
    const answer = await service.client.upload(token, [
      record({ date: long, hour: long, [long]: long }),
    ]);
    expectError(answer, 400);
    expect(answer.text.length).toBeLessThan(1000);
  });
});

describe('amounts are kept digit for digit', () => {
  const AMOUNTS = [
    'gto',
    'gst',
    'svc',
    'discount',
    'cash',
    'nets',
    'visa',
    'master',
    'amex',
    'voucher',
    'other',
  ];

  /** As written in the JSON, and the decimal that is to be kept. */
  const EXACT: [json: string, kept: string][] = [
    ['0', '0'],
    ['0.0', '0'],
    ['0.00', '0'],
    ['-0', '0'],
    ['-0.0', '0'],
    ['0e10', '0'],
    ['1e-400', '0'],
    ['7', '7'],
    ['7.10', '7.1'],
    ['1e1', '10'],
    ['1E+2', '100'],
    ['1.5e3', '1500'],
    ['125e-2', '1.25'],
    ['0.1', '0.1'],
    ['0.2', '0.2'],
    ['0.3', '0.3'],
    ['0.30000000000000004', '0.30000000000000004'],
    ['1.005', '1.005'],
    ['2.675', '2.675'],
    ['1.15', '1.15'],
    ['4.35', '4.35'],
    ['0.01', '0.01'],
    ['0.001', '0.001'],
    ['0.0001', '0.0001'],
    ['1e-7', '0.0000001'],
    ['0.00000001', '0.00000001'],
    ['1.23e-10', '0.000000000123'],
    ['5e-324', `0.${'0'.repeat(323)}5`],
    ['2.2250738585072014e-308', `0.${'0'.repeat(307)}22250738585072014`],
    ['1250.5', '1250.5'],
    ['12345678.9', '12345678.9'],
    ['123456789.12345678', '123456789.12345678'],
    ['9007199254.740992', '9007199254.740992'],
    ['99999999999', '99999999999'],
    ['99999999999.9', '99999999999.9'],
    ['99999999999.99', '99999999999.99'],
    ['99999999999.999', '99999999999.999'],
    ['99999999999.9999', '99999999999.9999'],
    ['9.99999999999999e10', '99999999999.9999'],
    ['0.100000000000000005551', '0.1'], // no more digits than a JSON number carries between machines
  ];

  let service: TestApp;
  let token: string;
  beforeAll(async () => {
    service = await createTestApp();
    token = (await givenTill(service)).token;
  });
  afterAll(() => service.close());

  /** Uploads one hour in which every amount is written so, and gives back what is kept of each. */
  const kept = async (json: string): Promise<unknown[]> => {
    const amounts = Object.fromEntries(AMOUNTS.map((field) => [field, '%']));
    const text = JSON.stringify({ records: [record(amounts)] }).replaceAll('"%"', json);
    const answer = await service.client.post('/api/v1/sales/upload-daily', text, { token });
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"success":true')]);
    const columns = AMOUNTS.map((field) => `${field}::text`).join();
    const [row] = await service.database.query(`SELECT ${columns} FROM hourly_sales`);
    return AMOUNTS.map((field) => row![field]);
  };

  test.each(EXACT)('%s is kept as %s', async (json, decimal) => {
    expect(await kept(json)).toEqual(AMOUNTS.map(() => decimal));
  });

  test('two thousand amounts, with every number of decimals', async () => {
    let seed = 20251015;
    const next = (): number => (seed = (seed * 48271) % 2147483647);
    for (let upload = 0; upload < 8; upload++) {
      const sent = Array.from({ length: 24 }, () =>
        AMOUNTS.map(() => {
          const whole = String(next() % 10 ** (1 + (next() % 9)));
          const decimals = next() % Math.min(9, 16 - whole.length); // 15 digits at most: RFC 8259 section 6
          const fraction = String(next() % 10 ** decimals).padStart(decimals, '0');
          return decimals === 0 ? whole : `${whole}.${fraction}`;
        }),
      );
      const records = sent.map((amounts, hour) => {
        const fields = AMOUNTS.map((field, index) => `"${field}":${amounts[index]}`).join();
        return `{"restaurant_id":101,"date":"2025-10-16","hour":${hour},"orders":1,"pax":1,${fields}}`;
      });
      const answer = await service.client.post(
        '/api/v1/sales/upload-daily',
        `{"records":[${records.join()}]}`,
        {
          token,
        },
      );
      expect(answer.status).toBe(200);
      const columns = AMOUNTS.map((field) => `${field}::text`).join();
      const sql = `SELECT ${columns} FROM hourly_sales WHERE date = '2025-10-16' ORDER BY hour`;
      const rows = await service.database.query(sql);
      expect(rows.map((row) => AMOUNTS.map((field) => row[field]))).toEqual(
        sent.map((amounts) =>
          amounts.map((amount) => amount.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '')),
        ),
      );
    }
  });

  test('a sum of amounts is exact', async () => {
    const records = [0.1, 0.2, 99_999_999_999.9999].map((gto, hour) =>
      record({ hour, gto, date: '2025-10-17' }),
    );
    expect((await service.client.upload(token, records)).status).toBe(200);
    const sql = `SELECT sum(gto)::text AS total FROM hourly_sales WHERE date = '2025-10-17'`;
    expect(await service.database.query(sql)).toEqual([{ total: '100000000000.2999' }]);
  });
});

// prettier-ignore

describe('the date of a record', () => {


const EXIST = [
  '0001-01-01', '0001-12-31', '0004-02-29', '0099-12-31', '0100-01-01', '0400-02-29', '1000-01-01', '1582-10-10', '1752-09-05', '1899-12-31', '1969-12-31',
  '1970-01-01', '2000-02-29', '2011-12-30', '2024-02-29', '2025-01-31', '2025-02-28', '2025-03-30', '2025-04-30', '2025-12-31',
  '2038-01-20', '2400-02-29', '9999-12-31',
]; // prettier-ignore

const DO_NOT = [
  '0000-01-01', '0000-02-29', '0000-00-00', '2025-00-10', '2025-13-01', '2025-99-01', '2025-01-00', '2025-01-32', '2025-02-29', '2025-02-30', '2025-02-31',
  '2025-04-31', '2025-06-31', '2025-09-31', '2025-11-31', '1900-02-29', '2100-02-29', '2023-02-29', '0001-02-29', '0100-02-29', '2025-10-99',
]; // prettier-ignore

const OTHER_FORMS = [
  '', ' ', 'today', 'now', 'yesterday', 'epoch', 'infinity', '-infinity', 'null', 'NaN', 'Invalid Date', '15-10-2025', '15/10/2025', '10/15/2025', '2025/10/15', '2025.10.15',
  '2025 10 15', '20251015', '2025-1015', '2025-10', '2025', '2025-288', '2025-W42-3', '2025-1-5', '2025-01-5', '2025-1-05', '25-10-15', '02025-10-15',
  '10000-01-01', '99999-01-01', '+002025-10-15', '-0001-01-01', '-2025-10-15', '2025-10-15 BC', '0001-01-01 BC', '2025-10-15T00:00:00', '2025-10-15T00:00:00Z',
  '2025-10-15 00:00', '2025-10-15Z', '2025-10-15+00', ' 2025-10-15', '2025-10-15 ', '2025-10-15\n', '\n2025-10-15', '2025-10-15\0', '\u00002025-10-15', '2025-10-1\u0000', '2025-10-15\u200b',
  '\ufeff2025-10-15', '２０２５-１０-１５', '٢٠٢٥-١٠-١٥', '2025–10–15', '2025−10−15', '2025‐10‐15', '2025-Oct-15', '2025-1O-15', '2025-10-l5', '2025-+1-05', '2025--1-05', '2025-1e-05', '2025-0x-05', '2025-10-1 ',
  '2025-10- 1', ' 025-10-15', '2025-10-15;', "2025-10-15'", "2025-10-15'::date", '2025-10-15" ', '\ud800025-10-15', 'J2460964', '2025-10-15-', '--10-15', '----------',
];


  let service: TestApp;
  let token: string;
  beforeAll(async () => {
    service = await createTestApp();
    token = (await givenTill(service)).token;
  });
  afterAll(() => service.close());

  test.each(EXIST)('200: %s, kept as it is and told in the answer', async (date) => {
    const answer = await service.client.upload(token, [record({ date })]);
    expect(answer).toMatchObject({
      status: 200,
      body: { message: `1 hourly record saved for restaurant 101 (Restaurant 101) on ${date}` },
    });
    const rows = await service.database.query(
      'SELECT date::text FROM hourly_sales WHERE date::text = $1',
      [date],
    );
    expect(rows).toEqual([{ date }]);
  });

  test.each([...DO_NOT, ...OTHER_FORMS])('400: %j', async (date) => {
    const before = await service.database.query('SELECT count(*) FROM sales_days');
    const answer = await service.client.upload(token, [record({ date })]);
    expectError(
      answer,
      400,
      /"records\[0\]\.date must be a day that exists, in the form YYYY-MM-DD"/,
    );
    expect(await service.database.query('SELECT count(*) FROM sales_days')).toEqual(before);
  });

  test('every day of 2023 to 2025 and none between', async () => {
    const answers = new Map<string, number>();
    const uploads: Promise<unknown>[] = [];
    for (const year of [2023, 2024, 2025]) {
      for (let month = 0; month <= 13; month++) {
        for (const day of [0, 1, 28, 29, 30, 31, 32]) {
          const date = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
          const upload = service.client.upload(token, [record({ date })]);
          uploads.push(upload.then(({ status }) => answers.set(date, status)));
        }
      }
    }
    await Promise.all(uploads);
    for (const [date, status] of answers) {
      const time = Date.parse(`${date}T00:00:00Z`);
      const exists = !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
      expect([date, status]).toEqual([date, exists ? 200 : 400]);
    }
  });

  test('the time zones of the service and of the database do not move it', async () => {
    const far = await service.another({ TIME_ZONE: 'Pacific/Kiritimati' });
    await service.database.query(
      `ALTER DATABASE ${new URL(service.database.url).pathname.slice(1)} SET timezone = 'Pacific/Apia'`,
    );
    const other = await service.another({ TIME_ZONE: 'Pacific/Apia' });
    for (const [index, { client }] of [far, other].entries()) {
      const date = `2011-12-${29 + index}`; // Apia skipped the 30th
      expect((await client.upload(token, [record({ date })])).body.message).toContain(date);
      const sql = 'SELECT date::text FROM hourly_sales WHERE date::text = $1';
      expect(await service.database.query(sql, [date])).toEqual([{ date }]);
    }
  });

});
