import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { givenTill } from '../support/given.js';
import { day, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { grantRights } from '../support/test-database.js';

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
  await database.query(`SELECT add_sales_partitions('2026-04-01', 1)`); // as cron does, later
  await expectAppendOnly();
});

test('Partitions of before the triggers get them when the script is run again; so do months that are added', async () => {
  const { database } = service;
  for (const name of await partitionsOfUploads()) await database.query(`DROP TRIGGER append_only ON ${name}`);
  await database.query(SCRIPT);
  await database.query(SCRIPT);
  await expectAppendOnly();
});

test('The rights of the service moved from the tables to the partitioned ones', async () => {
  const rights = `
    SELECT table_name, string_agg(DISTINCT privilege_type, ', ' ORDER BY privilege_type) AS rights
    FROM information_schema.column_privileges
    WHERE grantee = 'sales_service' AND table_name ~ '^(uploads|hourly_sales)'
    GROUP BY table_name ORDER BY table_name`;
  const expected = [
    { table_name: 'hourly_sales', rights: 'INSERT, SELECT, UPDATE' },
    { table_name: 'uploads', rights: 'INSERT, SELECT' },
  ];
  expect(await service.database.query(rights)).toEqual(expected);
  await grantRights(service.database.ownerUrl);
  expect(await service.database.query(rights)).toEqual(expected);
});

async function partitionsOfUploads(): Promise<string[]> {
  const rows = await service.database.query<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'uploads'::regclass`,
  );
  return rows.map(({ name }) => name);
}

/** The owner may change neither the table nor any of its partitions. */
async function expectAppendOnly(): Promise<void> {
  const names = await partitionsOfUploads();
  expect(names).toEqual(
    expect.arrayContaining(['uploads_before', 'uploads_default', 'uploads_2026_01', 'uploads_2026_04']),
  );
  for (const name of ['uploads', ...names]) {
    for (const sql of [`UPDATE ${name} SET processed = 1`, `DELETE FROM ${name}`, `TRUNCATE ${name}`])
      await expect(service.database.query(sql)).rejects.toThrow(`rows of ${name} are kept`);
  }
}
