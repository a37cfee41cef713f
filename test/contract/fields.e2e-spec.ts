import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { day, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const AMOUNTS = ['gto', 'gst', 'svc', 'discount', 'cash', 'nets', 'visa', 'master', 'amex', 'voucher', 'other'];
const COUNTS = ['orders', 'pax'];
const INTEGERS = ['restaurant_id', 'hour', ...COUNTS];
const FIELDS = ['date', ...INTEGERS, ...AMOUNTS];
const MAX = 2_147_483_647;

/** Values of the wrong type for a number, as they stand in JSON. */
const NO_NUMBERS = ['null', 'true', 'false', '""', '"0"', '"1"', '"1.5"', '" 1"', '"x"', '[]', '[1]', '{}', '{"a":1}'];

describe('the fields of a record', () => {
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
  const nothingSaved = async () => expect(await service.database.query('SELECT 1 FROM sales_days')).toEqual([]);

  test('there are sixteen', () => {
    expect(Object.keys(record()).sort()).toEqual([...FIELDS].sort());
  });

  describe.each(FIELDS)('%s', (field) => {
    afterEach(nothingSaved);

    test('400: missing, in one record of a day', async () => {
      const records = day().map((each, hour) => (hour === 13 ? { ...each, [field]: undefined } : each));
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
        expectError(await service.client.upload(token, [{ ...rest, [name]: value }]), 400, /is missing"/);
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
    const beyond = [least - 1, most + 1, -1, -MAX, MAX + 1, 2 ** 53, -(2 ** 53), 1e21, 1e300].map(String);
    const fractions = ['3.5', '0.1', '-0.5', '1e-1', '22.9999999999', '1.0000001', '1E400', '-1E400', '9'.repeat(40)];

    test.each([...beyond, ...fractions])('400: %s', async (json) => {
      const words = `must be an integer from ${least} to ${most}`;
      expectError(await upload(field, json), 400, new RegExp(`"records\\[0\\]\\.${field} ${words}"`));
      await nothingSaved();
    });
  });

  describe.each(AMOUNTS)('%s', (field) => {
    test.each(['-0.01', '-1', '-1e-7', '-5e-324', '-1e400'])('400: %s', async (json) => {
      expectError(await upload(field, json), 400, new RegExp(`"records\\[0\\]\\.${field} must not be negative"`));
      await nothingSaved();
    });

    test.each(['100000000000', '1e11', '100000000000.01', '1e12', '1e308', '1E400', '9'.repeat(40)])(
      '400: %s',
      async (json) => {
        expectError(
          await upload(field, json),
          400,
          new RegExp(`"records\\[0\\]\\.${field} must be less than 100000000000"`),
        );
        await nothingSaved();
      },
    );
  });

  describe('taken', () => {
    const stored = async (field: string) =>
      (await service.database.query(`SELECT ${field}::text AS value FROM hourly_sales`))[0]?.['value'];
    afterEach(() => service.database.query('DELETE FROM hourly_sales'));

    test.each<[string, string, string]>([
      ...['0', '23', '7.0', '1e1', '0.7E+1', '2300e-2', '-0', '-0.0', '0e5', '7.00000000000000000000'].map(
        (json): [string, string, string] => ['hour', json, String(Math.abs(JSON.parse(json)))],
      ),
      ...COUNTS.flatMap((field) =>
        ['0', '-0', '2147483647', '2147483647.0', '2.147483647e9', '1E3'].map((json): [string, string, string] => [
          field,
          json,
          String(Math.abs(JSON.parse(json))),
        ]),
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
    const answer = await service.client.upload(token, [record({ date: long, hour: long, [long]: long })]);
    expectError(answer, 400);
    expect(answer.text.length).toBeLessThan(1000);
  });
});
