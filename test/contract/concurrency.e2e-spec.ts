import { givenTill } from '../support/given.js';
import { record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const AMOUNTS = ['gto', 'gst', 'svc', 'discount', 'cash', 'nets', 'visa', 'master', 'amex', 'voucher', 'other'];
const FIELDS = ['orders', 'pax', ...AMOUNTS];

/** An hour in which every figure is the sender's number, so that a mixture shows. */
const by = (sender: number, hour: number, more: Record<string, unknown> = {}) =>
  record({ hour, ...Object.fromEntries(FIELDS.map((field) => [field, sender])), ...more });

/** The same hours in an order of the sender's own. */
const shuffled = <Item>(items: Item[], seed: number): Item[] =>
  items
    .map((item, index) => ({ item, place: Math.sin(seed * 99 + index * 7) }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);

describe('uploads at the same moment', () => {
  let service: TestApp;
  let second: TestApp;
  let token: string;
  beforeAll(async () => {
    service = await createTestApp();
    second = await service.another();
    token = (await givenTill(service, { restaurants: [101, 102, 103] })).token;
  });
  beforeEach(() => service.database.query('DELETE FROM hourly_sales'));
  afterAll(() => service.close());

  /** Sends all at once, in turn to two instances on one database. */
  const sendAll = (uploads: Record<string, unknown>[][]) =>
    Promise.all(uploads.map((records, index) => (index % 2 ? service : second).client.upload(token, records)));
  const oneSender = FIELDS.map((field) => `${field} = gto`).join(' AND ');
  const mixed = () => service.database.query(`SELECT hour FROM hourly_sales WHERE NOT (${oneSender})`);

  test('fifty of the same day: all 200, and no hour mixes two of them', async () => {
    const answers = await sendAll(
      Array.from({ length: 50 }, (_, sender) => shuffled(HOURS, sender).map((hour) => by(sender, hour))),
    );
    expect(answers.map(({ status, body }) => [status, body.processed])).toEqual(Array(50).fill([200, 24]));
    expect(await mixed()).toEqual([]);
    const senders = await service.database.query('SELECT DISTINCT gto FROM hourly_sales');
    expect(senders).toHaveLength(1); // an upload is saved whole: the last one has all hours
    expect(await service.database.query('SELECT hour FROM hourly_sales')).toHaveLength(24);
  });

  test('fifty with some hours each: every hour is of a sender who sent it', async () => {
    const sets = Array.from({ length: 50 }, (_, sender) => shuffled(HOURS, sender).slice(0, 1 + (sender % 23)));
    const answers = await sendAll(sets.map((hours, sender) => hours.map((hour) => by(sender, hour))));
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(answers.map(({ body }) => body.processed)).toEqual(sets.map((hours) => hours.length));
    expect(await mixed()).toEqual([]);
    const rows = await service.database.query<{ hour: number; sender: number }>(
      'SELECT hour, orders AS sender FROM hourly_sales ORDER BY hour',
    );
    expect(rows.map(({ hour }) => hour)).toEqual([...new Set(sets.flat())].sort((one, other) => one - other));
    for (const { hour, sender } of rows) expect(sets[sender]).toContain(hour);
  });

  test('two that overlap leave what some order of them would leave', async () => {
    for (let round = 0; round < 20; round++) {
      const date = `2025-09-${String(round + 1).padStart(2, '0')}`;
      await sendAll([
        HOURS.slice(0, 16).map((hour) => by(1, hour, { date })),
        HOURS.slice(8).map((hour) => by(2, hour, { date })),
      ]);
      const sql = 'SELECT array_agg(orders::int ORDER BY hour) AS senders FROM hourly_sales WHERE date = $1';
      const [row] = await service.database.query<{ senders: number[] }>(sql, [date]);
      const senders = row!.senders.join('');
      expect(['1'.repeat(16) + '2'.repeat(8), '1'.repeat(8) + '2'.repeat(16)]).toContain(senders);
    }
  });

  test('a hundred of different days and restaurants', async () => {
    const uploads = Array.from({ length: 100 }, (_, sender) => {
      const place = { restaurant_id: 101 + (sender % 3), date: `2025-0${1 + (sender % 9)}-${10 + (sender % 17)}` };
      return shuffled(HOURS, sender).map((hour) => by(sender, hour, place));
    });
    const answers = await sendAll(uploads);
    expect(answers.map(({ status }) => status)).toEqual(Array(100).fill(200));
    expect(answers.map(({ body }) => body.message)).toEqual(
      uploads.map(([first]) => expect.stringContaining(`${String(first!['restaurant_id'])} (Restaurant`)),
    );
    expect(await mixed()).toEqual([]);
    const days = await service.database.query(
      'SELECT FROM hourly_sales GROUP BY restaurant_id, date HAVING count(*) = 24',
    );
    expect(days).toHaveLength(
      new Set(uploads.map(([first]) => `${String(first!['restaurant_id'])} ${String(first!['date'])}`)).size,
    );
  });

  test('good and bad ones at once: each gets its own answer', async () => {
    const kinds = [
      [200, [by(1, 3)]],
      [400, [by(2, 3), by(2, 3)]],
      [403, [by(3, 3, { restaurant_id: 999 })]],
      [413, Array(25).fill(by(4, 3))],
    ] as const;
    const many = Array.from({ length: 80 }, (_, index) => kinds[index % 4]!);
    const answers = await sendAll(many.map(([, records]) => [...records] as Record<string, unknown>[]));
    expect(answers.map(({ status }) => status)).toEqual(many.map(([status]) => status));
    expect(await service.database.query('SELECT hour, orders FROM hourly_sales')).toEqual([{ hour: 3, orders: 1 }]);
  });
});
