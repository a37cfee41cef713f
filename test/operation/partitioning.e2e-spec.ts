import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { givenTill } from '../support/given.js';
import { day, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const SCRIPT = readFileSync(join(__dirname, '../../docs/partition-by-month.sql'), 'utf8');

let service: TestApp;
let token: string;
beforeAll(async () => {
  service = await createTestApp();
  ({ token } = await givenTill(service, { restaurants: [101, 102, 103] }));
});
afterAll(() => service.close());

async function rowsByTable(table: string): Promise<Record<string, number>> {
  const rows = await service.database.query<{ name: string; count: number }>(
    `SELECT tableoid::regclass::text AS name, count(*)::int AS count FROM ${table} GROUP BY 1 ORDER BY 1`,
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

test('Partitioning by month takes place under load, and everything is as before', async () => {
  const { client, database } = service;
  await client.upload(token, day());
  const statuses = new Set<number>();
  let uploads = 0;
  let over = false;
  const load = [101, 102, 103].map(async (restaurant_id) => {
    while (!over) {
      const date = `2025-11-${String((uploads++ % 28) + 1).padStart(2, '0')}`;
      statuses.add((await client.upload(token, day({ restaurant_id, date }))).status);
    }
  });
  await database.query(SCRIPT);
  await database.query(`CALL prepare_sales_partitions('2026-01-01')`);
  await database.query(`CALL swap_in_sales_partitions('2026-01-01', 3)`);
  const atSwap = uploads;
  while (uploads < atSwap + 20) await new Promise((resolve) => setTimeout(resolve, 5));
  over = true;
  await Promise.all(load);
  expect([...statuses]).toEqual([200]);

  for (const date of ['2026-01-31', '2026-03-01', '2031-01-01']) await client.upload(token, day({ date }));
  await client.upload(token, [record({ gto: 7.25 })]); // overwrites an hour from before
  const [{ days } = { days: 0 }] = await database.query<{ days: number }>(
    `SELECT count(*)::int AS days FROM sales_days`,
  );
  const months = { hourly_sales_2026_01: 24, hourly_sales_2026_03: 24, hourly_sales_default: 24 };
  expect(await rowsByTable('hourly_sales')).toEqual({ hourly_sales_before: (days - 3) * 24, ...months });
  expect(await rowsByTable('uploads')).toMatchObject({ uploads_2026_01: 1, uploads_2026_03: 1, uploads_default: 1 });

  const answer = await client.get('/api/v1/sales/daily?restaurant_id=101&date=2025-10-15', { token });
  expect(answer.body.records[12].gto).toBe(7.25);
  const history = await client.get('/api/v1/sales/uploads?restaurant_id=101&date=2025-10-15', { token });
  expect(history.body.uploads).toHaveLength(2);
  const [change] = await database.query(
    `SELECT gto_before::float8, gto_after::float8 FROM sales_history WHERE date = '2025-10-15' AND upload_number = 2`,
  );
  expect(change).toEqual({ gto_before: 112.25, gto_after: 7.25 });
  await expect(database.query('DELETE FROM uploads')).rejects.toThrow('rows of uploads are kept');
});
