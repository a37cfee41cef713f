import { expectError } from '../support/expect-error.js';
import { givenRestaurant, givenTill } from '../support/given.js';
import { day, FIGURES, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

describe('POST /api/v1/sales/upload-daily', () => {
  let service: TestApp;
  let token: string;
  beforeAll(async () => {
    service = await createTestApp();
    await givenRestaurant(service, 103, 'Zum "Goldenen" Löwen 🦁 \\');
    await givenRestaurant(service, 104);
    token = (await givenTill(service, { restaurants: [101, 102, 103] })).token;
  });
  afterEach(() => service.database.query('DELETE FROM hourly_sales'));
  afterAll(() => service.close());

  const upload = (records: unknown) => service.client.upload(token, records);

  test.each([
    [1, 'record'],
    [24, 'records'],
  ])('saves %i %s, each field in its column, in whatever order', async (count, noun) => {
    const figures = (hour: number) => FIGURES.map((field, index) => [field, 100 * hour + index]);
    const records = day().map((each, hour) => ({ ...each, ...Object.fromEntries(figures(hour)) }));
    const places = Array.from({ length: 24 }, (_, hour) => (hour * 7) % 24);
    const shuffled = places.flatMap((hour) => (hour < count ? [records[hour]] : []));
    const answer = await upload(shuffled);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: true,
      processed: count,
      message: `${count} hourly ${noun} saved for restaurant 101 (Restaurant 101) on 2025-10-15`,
    });
    const rows = await service.database.query<{ row: unknown }>(
      `SELECT to_jsonb(h) - 'upload_number' AS row FROM hourly_sales AS h ORDER BY hour`,
    );
    expect(rows.map(({ row }) => row)).toEqual(records.slice(0, count));
  });

  test('names the restaurant in its message, also one with an odd name', async () => {
    const answer = await upload([record({ restaurant_id: 103, date: '2024-02-29' })]);
    expect(answer.body.message).toBe(
      '1 hourly record saved for restaurant 103 (Zum "Goldenen" Löwen 🦁 \\) on 2024-02-29',
    );
    expect(answer.headers.get('Content-Length')).toBe(String(Buffer.byteLength(answer.text)));
  });

  describe('saves nothing and changes nothing if it rejects', () => {
    const other = (field: string, first: unknown): string =>
      `records[2].${field} must be the same as in records[0] (${String(first)}): ` +
      'one upload is one restaurant and one day';
    const MIXED = `${other('restaurant_id', 101)}; ${other('date', '2025-10-15')}`;
    const TOO_MANY = 'records holds 25 entries, at most 24 are allowed';
    const notGranted = (id: number): string =>
      `restaurant ${id} does not exist, or this account may not upload for it`;
    const CODES: Record<number, string> = {
      400: 'invalid_request',
      403: 'restaurant_not_granted',
      413: 'too_many_entries',
    };
    const with2 = (changes: Record<string, unknown>) => [
      ...day({ gto: 5 }).slice(0, 2),
      record({ hour: 2, ...changes }),
    ];

    test.each<[string, number, unknown[], string]>([
      ['an hour twice', 400, with2({ hour: 1 }), 'records[2].hour repeats records[1].hour (1)'],
      [
        'everything',
        400,
        with2({ restaurant_id: 102, date: '2025-10-16', hour: 0 }),
        `records[2].hour repeats records[0].hour (0); ${MIXED}`,
      ],
      ['25 records', 413, [...day({ gto: 5 }), record()], TOO_MANY],
      ['an unknown restaurant', 403, day({ restaurant_id: 999 }), notGranted(999)],
      ['one that is not granted', 403, day({ restaurant_id: 104 }), notGranted(104)],
    ])('%s', async (_name, status, records, error) => {
      await upload(day());
      const rows = () => service.database.query('SELECT * FROM hourly_sales ORDER BY hour');
      const before = await rows();
      const answer = await upload(records);
      expectError(answer, status);
      expect(answer.body).toEqual({ error });
      expect(answer.headers.get('X-Error-Code')).toBe(CODES[status]);
      expect(await rows()).toEqual(before);
    });

    test('the hour -0 beside the hour 0', async () => {
      const text = JSON.stringify({ records: [record({ hour: 0 }), record({ hour: '%' })] });
      const body = text.replace('"%"', '-0');
      const answer = await service.client.post('/api/v1/sales/upload-daily', body, { token });
      expectError(answer, 400, /"records\[1\].hour repeats records\[0\].hour \(0\)"/);
    });
  });
});
