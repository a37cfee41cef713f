import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

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
]; // prettier-ignore

describe('the date of a record', () => {
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
    const rows = await service.database.query('SELECT date::text FROM hourly_sales WHERE date::text = $1', [date]);
    expect(rows).toEqual([{ date }]);
  });

  test.each([...DO_NOT, ...OTHER_FORMS])('400: %j', async (date) => {
    const before = await service.database.query('SELECT count(*) FROM sales_days');
    const answer = await service.client.upload(token, [record({ date })]);
    expectError(answer, 400, /"records\[0\]\.date must be a day that exists, in the form YYYY-MM-DD"/);
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
