import { givenTill } from '../support/given.js';
import { record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const AMOUNTS = ['gto', 'gst', 'svc', 'discount', 'cash', 'nets', 'visa', 'master', 'amex', 'voucher', 'other'];

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

describe('amounts are kept digit for digit', () => {
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
      const answer = await service.client.post('/api/v1/sales/upload-daily', `{"records":[${records.join()}]}`, {
        token,
      });
      expect(answer.status).toBe(200);
      const columns = AMOUNTS.map((field) => `${field}::text`).join();
      const sql = `SELECT ${columns} FROM hourly_sales WHERE date = '2025-10-16' ORDER BY hour`;
      const rows = await service.database.query(sql);
      expect(rows.map((row) => AMOUNTS.map((field) => row[field]))).toEqual(
        sent.map((amounts) => amounts.map((amount) => amount.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, ''))),
      );
    }
  });

  test('a sum of amounts is exact', async () => {
    const records = [0.1, 0.2, 99_999_999_999.9999].map((gto, hour) => record({ hour, gto, date: '2025-10-17' }));
    expect((await service.client.upload(token, records)).status).toBe(200);
    const sql = `SELECT sum(gto)::text AS total FROM hourly_sales WHERE date = '2025-10-17'`;
    expect(await service.database.query(sql)).toEqual([{ total: '100000000000.2999' }]);
  });
});
