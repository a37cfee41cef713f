import { SAVE_UPLOADS } from '../src/sales/save-upload.statement.js';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';

const GROWING = ['hourly_sales', 'sales_days', 'uploads'];

describe('The tables that grow could be distributed by restaurant_id', () => {
  let database: TestDatabase;
  beforeAll(async () => (database = await createTestDatabase()));
  afterAll(() => database.drop());

  test('which is the first column of each primary key', async () => {
    const rows = await database.query(`
      SELECT conrelid::regclass::text AS "table", attname AS first
      FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
      WHERE contype = 'p' AND conrelid::regclass::text = ANY ($1) ORDER BY 1`, [GROWING]); // prettier-ignore
    expect(rows).toEqual(GROWING.map((table) => ({ table, first: 'restaurant_id' })));
  });

  test('and part of each foreign key among them', async () => {
    const rows = await database.query<{ columns: string[] }>(`
      SELECT (SELECT array_agg(attname::text) FROM pg_attribute WHERE attrelid = conrelid AND attnum = ANY (conkey)) AS columns
      FROM pg_constraint
      WHERE contype = 'f' AND conrelid::regclass::text = ANY ($1) AND confrelid::regclass::text = ANY ($1)`, [GROWING]); // prettier-ignore
    expect(rows.length).toBeGreaterThan(0);
    for (const { columns } of rows) expect(columns).toContain('restaurant_id');
  });

  test('and carried by every write, conflict and join of the statement that saves', () => {
    const { text } = SAVE_UPLOADS;
    const parts = [
      ...text.matchAll(/INSERT INTO \w+(?: AS \w+)? \(([^)]*)\)/g),
      ...text.matchAll(/ON CONFLICT \(([^)]*)\)/g),
      ...text.matchAll(/USING \(([^)]*)\)/g),
      ...text.matchAll(/GROUP BY ([^)]*)\)/g),
    ];
    expect(parts.length).toBeGreaterThanOrEqual(8);
    for (const [part, columns] of parts)
      expect([part, columns!.split(', ')]).toEqual([part, expect.arrayContaining(['restaurant_id'])]);
  });
});
