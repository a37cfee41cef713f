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
    token = (await givenTill(service, { restaurants: [101, 102, 103] })).token;
  });
  afterEach(() => service.database.query('DELETE FROM hourly_sales'));
  afterAll(() => service.close());

  const upload = (records: unknown) => service.client.upload(token, records);
  const stored = (sql = `to_jsonb(h) - 'upload_number'`) =>
    service.database
      .query<{ row: Record<string, unknown> }>(
        `SELECT ${sql} AS row FROM hourly_sales AS h ORDER BY restaurant_id, date, hour`,
      )
      .then((rows) => rows.map(({ row }) => row));

  describe('200', () => {
    test.each([1, 2, 23, 24])(
      '%i records are saved as they were sent, in whatever order',
      async (count) => {
        const records = day({ gst: 0.07 }).map((each, hour) =>
          record({ ...each, amex: hour / 8, pax: hour * 3 }),
        );
        const shuffled = records
          .slice(0, count)
          .sort(
            (one, other) => ((Number(one['hour']) * 7) % 24) - ((Number(other['hour']) * 7) % 24),
          );
        const answer = await upload(shuffled);
        const noun = count === 1 ? 'record' : 'records';
        expect(answer.body).toEqual({
          success: true,
          processed: count,
          message: `${count} hourly ${noun} saved for restaurant 101 (Restaurant 101) on 2025-10-15`,
        });
        expect(answer.status).toBe(200);
        expect(answer.headers.get('Content-Type')).toMatch(/^application\/json/);
        expect(answer.headers.get('X-Request-Id')).toMatch(/\S/);
        for (const name of ['X-Powered-By', 'ETag', 'X-Error-Code', 'Set-Cookie'])
          expect(answer.headers.get(name)).toBeNull();
        expect(await stored()).toEqual(records.slice(0, count));
      },
    );

    test('every field goes into its own column', async () => {
      const values = Object.fromEntries(FIGURES.map((field, index) => [field, index + 1]));
      expect((await upload([record(values)])).status).toBe(200);
      expect(await stored()).toEqual([
        { restaurant_id: 101, date: '2025-10-15', hour: 12, ...values },
      ]);
    });

    test('the message names the restaurant, also one with an odd name', async () => {
      const answer = await upload([record({ restaurant_id: 103, date: '2024-02-29' })]);
      expect(answer.body.message).toBe(
        '1 hourly record saved for restaurant 103 (Zum "Goldenen" Löwen 🦁 \\) on 2024-02-29',
      );
      expect(answer.headers.get('Content-Length')).toBe(String(Buffer.byteLength(answer.text)));
    });

    test('a closed day is sent as zeros', async () => {
      const zeros = Object.fromEntries(FIGURES.map((field) => [field, 0]));
      expect((await upload(day(zeros))).body.processed).toBe(24);
      expect(await stored('to_json(gto + cash)')).toEqual(Array(24).fill(0));
    });
  });

  describe('sending hours again', () => {
    test('a retry is harmless', async () => {
      await upload(day());
      const once = await stored();
      const retries = await Promise.all([upload(day()), upload(day()), upload(day().reverse())]);
      expect(retries.map(({ status, body }) => [status, body.processed])).toEqual(
        Array(3).fill([200, 24]),
      );
      expect(await stored()).toEqual(once);
    });

    test('a correction of one hour leaves the others alone', async () => {
      await upload(day());
      const before = await stored();
      expect((await upload([record({ hour: 7, gto: 0.01, orders: 0 })])).body.processed).toBe(1);
      const expected = before.map((each) =>
        each['hour'] === 7 ? record({ hour: 7, gto: 0.01, orders: 0 }) : each,
      );
      expect(await stored()).toEqual(expected);
    });

    test('every field is overwritten, with zeros too', async () => {
      await upload([record({ hour: 5 })]);
      const zeros = Object.fromEntries(FIGURES.map((field) => [field, 0]));
      await upload([record({ hour: 5, ...zeros })]);
      expect(await stored()).toEqual([record({ hour: 5, ...zeros })]);
    });

    test('hours, days and restaurants are kept apart', async () => {
      const places = [101, 102].flatMap((restaurant_id) =>
        ['2025-10-15', '2025-10-16'].map((date) => ({ restaurant_id, date })),
      );
      for (const [index, place] of places.entries())
        await upload([record({ ...place, hour: 1, gto: index })]);
      await upload([record({ ...places[2], hour: 2, gto: 9 })]);
      expect(await stored('to_json(gto)')).toEqual([0, 1, 2, 9, 3]);
    });

    test('another user of the restaurant overwrites too', async () => {
      await upload([record({ gto: 1 })]);
      const other = await givenTill(service, { restaurants: [101] });
      expect((await service.client.upload(other.token, [record({ gto: 2 })])).status).toBe(200);
      expect(await stored('to_json(gto)')).toEqual([2]);
    });
  });

  describe('what does not belong together: 400, nothing saved, and the text names the records', () => {
    const other = (changes: Record<string, unknown>) => [
      record({ hour: 0 }),
      record({ hour: 1 }),
      record({ hour: 2, ...changes }),
    ];

    test.each<[string, unknown, string]>([
      [
        'a restaurant',
        other({ restaurant_id: 102 }),
        'records[2].restaurant_id must be the same as in records[0] (101): one upload is one restaurant and one day',
      ],
      [
        'a date',
        other({ date: '2025-10-16' }),
        'records[2].date must be the same as in records[0] (2025-10-15): one upload is one restaurant and one day',
      ],
      ['an hour twice', other({ hour: 1 }), 'records[2].hour repeats records[1].hour (1)'],
      [
        'an hour thrice',
        [record(), record(), record()],
        'records[1].hour repeats records[0].hour (12); records[2].hour repeats records[0].hour (12)',
      ],
      [
        'everything',
        other({ restaurant_id: 102, date: '2024-01-01', hour: 0 }),
        'records[2].hour repeats records[0].hour (0)',
      ],
    ])('%s', async (_name, records, text) => {
      const answer = await upload(records);
      expectError(answer, 400);
      expect(answer.body.error).toContain(text);
      expect(await stored()).toEqual([]);
    });

    test('-0 and 0 are one hour', async () => {
      const text = JSON.stringify({
        records: [record({ hour: 0 }), record({ hour: '%' })],
      }).replace('"%"', '-0');
      expectError(
        await service.client.post('/api/v1/sales/upload-daily', text, { token }),
        400,
        /repeats/,
      );
    });
  });

  describe('nothing is saved, and nothing that was saved is touched, by a refusal', () => {
    test.each<[string, number, () => unknown]>([
      [
        'one bad record of 24',
        400,
        () => day({ gto: 5 }).map((each, hour) => (hour === 23 ? { ...each, gto: -1 } : each)),
      ],
      ['25 records', 413, () => [...day({ gto: 5 }), record()]],
      ['an unknown restaurant', 403, () => day({ restaurant_id: 999 })],
      ['a restaurant that is not granted', 403, () => day({ restaurant_id: 104 })],
    ])('%s', async (_name, status, records) => {
      await givenRestaurant(service, 104);
      await upload(day());
      const before = await service.database.query('SELECT * FROM hourly_sales ORDER BY hour');
      expectError(await upload(records()), status);
      expect(await service.database.query('SELECT * FROM hourly_sales ORDER BY hour')).toEqual(
        before,
      );
    });

    test('403: unknown and not granted are one answer', async () => {
      await givenRestaurant(service, 104);
      const foreign = await upload([record({ restaurant_id: 104 })]);
      const unknown = await upload([record({ restaurant_id: 999 })]);
      expectError(foreign, 403);
      expect(unknown.text.replace('999', '104')).toBe(foreign.text);
      expect(unknown.headers.get('X-Error-Code')).toBe(foreign.headers.get('X-Error-Code'));
    });
  });
});
