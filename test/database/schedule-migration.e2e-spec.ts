import { DataSource } from 'typeorm';
import { migrations } from '../../migrations/index.js';
import { dataSourceOptions } from '../../src/database/connections.js';
import { SAVE_UPLOADS } from '../../src/sales/uploads/uploads.statements.js';
import { createTestApp, type TestApp, testConfig } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const NAME = 'AddScheduleToRestaurants1764200000000';

describe('The migration to first days, weekly hours and closures', () => {
  let database: TestDatabase;
  let before: DataSource;
  let after: DataSource;
  beforeAll(async () => {
    database = await createTestDatabase('template0');
    const options = dataSourceOptions(testConfig({ DATABASE_URL: database.ownerUrl }));
    const at = migrations.findIndex(({ name }) => name === NAME);
    const open = (list: typeof migrations) => new DataSource({ ...options, migrations: list }).initialize(); // prettier-ignore
    before = await open(migrations.slice(0, at));
    after = await open(migrations.slice(0, at + 1));
  });
  afterAll(async () => {
    await before.destroy();
    await after.destroy();
    await database.drop();
  });

  const query = (sql: string) => database.query(sql);
  const closures = async () =>
    (
      await query(
        `SELECT concat_ws(' ', restaurant_id, first_day, coalesce(last_day::text, '...'), reason) AS line
         FROM restaurant_closures ORDER BY restaurant_id, first_day`,
      )
    ).map(({ line }) => line);

  test('keeps what is there: first sent or made, all hours, closed ranges as closures', async () => {
    await before.runMigrations();
    await query(`
      INSERT INTO restaurants (id, name, closed, created_at) VALUES
        (1, 'sent before it was made', '{}', '2025-05-01 20:00Z'),
        (2, 'made before it sent', '{[2025-10-01,2025-10-08),[2025-11-01,)}', '2025-05-02 00:30Z'),
        (3, 'never sent', '{(,2020-01-01),[9999-12-30,9999-12-31]}', '2025-05-03 23:59Z');
      INSERT INTO sales_days (restaurant_id, date, uploads, hours, last_uploaded_at)
      SELECT id, date, 1, 1, now() FROM (VALUES (1, DATE '2024-02-29'), (1, '2025-06-01'),
        (2, '2025-05-03'), (9, '2001-01-01')) AS sent (id, date)`);
    await after.runMigrations();
    expect(
      await query('SELECT id, first_day::text, weekly_hours FROM restaurants ORDER BY id'),
    ).toEqual(
      ['2024-02-29', '2025-05-02', '2025-05-03'].map((first_day, at) => {
        return { id: at + 1, first_day, weekly_hours: Array(7).fill(16_777_215) };
      }),
    );
    expect(await closures()).toEqual([
      '2 2025-10-01 2025-10-07',
      '2 2025-11-01 ...',
      '3 0001-01-01 2019-12-31',
      '3 9999-12-30 ...',
    ]);
  });

  test('leaves the version before what it reads and writes', async () => {
    const closed = "SELECT DATE '2025-10-07' <@ closed AS closed FROM restaurants WHERE id = 2";
    expect(await query(closed)).toEqual([{ closed: true }]);
    await query("INSERT INTO restaurants (id, name) VALUES (4, 'added by it')");
    expect(
      await query('SELECT first_day = CURRENT_DATE AS today FROM restaurants WHERE id = 4'),
    ).toEqual([{ today: true }]);
  });

  test('refuses closures that overlap, end before they begin, and hours that are no week', async () => {
    for (const [sql, code] of [
      ["INSERT INTO restaurant_closures VALUES (2, '2025-10-07', '2025-10-07')", '23P01'],
      ["INSERT INTO restaurant_closures VALUES (2, '2025-12-24', NULL, 'x')", '23P01'],
      ["INSERT INTO restaurant_closures VALUES (4, '2025-12-24', '2025-12-23')", '23514'],
      ["INSERT INTO restaurant_closures VALUES (5, '2025-12-24')", '23503'],
      ["UPDATE restaurants SET weekly_hours = '{1,2,3,4,5,6}'", '23514'],
      ["UPDATE restaurants SET weekly_hours = '{}'", '23514'],
      ["UPDATE restaurants SET weekly_hours = '{1,2,3,4,5,6,NULL}'", '23514'],
      ["UPDATE restaurants SET weekly_hours = '{1,2,3,4,5,6,16777216}'", '23514'],
      ["UPDATE restaurants SET weekly_hours = '{1,2,3,4,5,6,-1}'", '23514'],
    ] as const) {
      const error: unknown = await query(sql).catch((thrown: unknown) => thrown);
      expect({ sql, error }).toMatchObject({ sql, error: { code } });
    }
    await query("INSERT INTO restaurants (id, name) VALUES (2147483647, 'the last id')");
    await query("INSERT INTO restaurant_closures VALUES (2147483647, '9999-12-31', '9999-12-31')");
  });

  test('is undone with the closures that were made since', async () => {
    await query(
      "INSERT INTO restaurant_closures VALUES (1, '2025-12-24', '2025-12-26', 'Christmas')",
    );
    await after.undoLastMigration();
    const rows = await query('SELECT id, closed::text FROM restaurants ORDER BY id');
    expect(rows).toEqual([
      { id: 1, closed: '{[2025-12-24,2025-12-27)}' },
      { id: 2, closed: '{[2025-10-01,2025-10-08),[2025-11-01,)}' },
      { id: 3, closed: '{[0001-01-01,2020-01-01),[9999-12-30,)}' },
      { id: 4, closed: '{}' },
      { id: 2147483647, closed: '{[9999-12-31,10000-01-01)}' },
    ]);
  });
});

describe('The statement of an upload', () => {
  let service: TestApp;
  beforeAll(async () => (service = await createTestApp()));
  afterAll(() => service.close());

  test('reads few rows of very many closures, also where they were none when it was planned', async () => {
    await service.database.query(
      `INSERT INTO restaurants (id, name, first_day)
       SELECT id, 'Restaurant ' || id, '0001-01-01' FROM generate_series(1, 300) AS id`,
    );
    await service.database.query('ANALYZE restaurants, restaurant_closures');
    await service.database.query(
      `INSERT INTO restaurant_closures (restaurant_id, first_day, last_day)
       SELECT id, DATE '2000-01-01' + 10 * n, DATE '2000-01-01' + 10 * n
       FROM restaurants, generate_series(1, 20) AS n`,
    );
    const sent = [1, 150, 300].map((restaurant_id, at) => ({
      ...{
        position: at + 1,
        restaurant_id,
        date: '2025-10-15',
        user_id: 1,
        processed: 1,
        hours: 1,
      },
    }));
    /** Rows read so far, those of earlier statements that are not reported yet included. */
    const countReads = async () => {
      const [read] = await service.database.query(
        `SELECT seq_tup_read + idx_tup_fetch AS rows FROM pg_stat_xact_user_tables
         WHERE relname = 'restaurant_closures'`,
      );
      return Number(read?.['rows'] ?? 0);
    };
    await service.database.query(`BEGIN; PREPARE save (json, json[]) AS ${SAVE_UPLOADS.text}`);
    const before = await countReads();
    await service.database.query(`EXECUTE save ('${JSON.stringify(sent)}', '{}')`);
    const after = await countReads();
    await service.database.query('ROLLBACK');
    expect(after - before).toBeLessThan(100);
  });
});
