import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import type * as Migrations from '../../migrations/index.js';
import { migrations } from '../../migrations/index.js';
import { dataSourceOptions } from '../../src/database/connections.js';
import { migrate } from '../../src/database/migrate.js';
import { changedVersionsOf, hasHistory, unpack } from '../support/history.js';
import { testConfig } from '../support/test-app.js';
import { createTestDatabase } from '../support/test-database.js';

/** A line for each table, column, constraint, index, trigger, function, view and domain. */
const SCHEMA = `
  SELECT concat_ws(' ', relkind::text, relname, reloptions::text) AS line FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v')
  UNION ALL
  SELECT concat_ws(' ', attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull, attstorage::text,
    pg_get_expr(adbin, adrelid), attidentity::text)
  FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v') AND attnum > 0 AND NOT attisdropped
  UNION ALL
  SELECT concat_ws(' ', conrelid::regclass, contypid::regtype, conname, pg_get_constraintdef(oid)) FROM pg_constraint
  WHERE connamespace = 'public'::regnamespace
  UNION ALL
  SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL
  SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL
  SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  UNION ALL
  SELECT concat_ws(' ', viewname, definition) FROM pg_views WHERE schemaname = 'public'
  UNION ALL
  SELECT concat_ws(' ', typname, typbasetype::regtype) FROM pg_type
  WHERE typnamespace = 'public'::regnamespace AND typtype = 'd'
  ORDER BY 1`;

/** An hour, in the columns that all versions have. */
const ROWS = `
  INSERT INTO restaurants (id, name) VALUES (1, 'One');
  INSERT INTO users (username, password_hash) VALUES ('till', 'x');
  INSERT INTO sales_days (restaurant_id, date, uploads, hours, last_uploaded_at) VALUES (1, '2025-10-15', 1, 512, now());
  INSERT INTO uploads (restaurant_id, date, number, user_id, client_address, uploaded_at, processed, changed_hours, records)
    VALUES (1, '2025-10-15', 1, 1, '127.0.0.1', now(), 1, 512, '{"hour": [9], "gto": [0.1]}');
  INSERT INTO hourly_sales VALUES (1, '2025-10-15', 9, 0, 0.1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)`;

const schemaOf = async (database: { query<Row>(sql: string): Promise<Row[]> }): Promise<string[]> =>
  (await database.query<{ line: string }>(SCHEMA)).map(({ line }) => line);

const versions = hasHistory ? changedVersionsOf('migrations') : [];

describe('A database that an earlier version created', () => {
  if (versions.length === 0) test.skip('no git history', () => undefined);

  test.each(versions.map((commit) => [commit]))('%s: becomes as a new one, with its rows', async (commit) => {
    const [fresh, old] = [await createTestDatabase('template_migrated'), await createTestDatabase('template0')];
    const folder = unpack(commit, 'migrations');
    try {
      const config = testConfig({ DATABASE_URL: old.ownerUrl });
      const earlier = jest.requireActual<typeof Migrations>(join(folder, 'migrations/index.ts'));
      const source = new DataSource({ ...dataSourceOptions(config), migrations: earlier.migrations });
      await (await source.initialize()).runMigrations();
      await source.destroy();
      await old.query(ROWS);
      await migrate(config);
      const remedy = 'a released migration was edited: restore it, and write the next one';
      expect({ [remedy]: await schemaOf(old) }).toEqual({ [remedy]: await schemaOf(fresh) });
      expect(await old.query('SELECT hour, upload_number, gto_before, gto_after FROM sales_history')).toEqual([
        { hour: 9, upload_number: 1, gto_before: null, gto_after: '0.1' },
      ]);
    } finally {
      await Promise.all([fresh.drop(), old.drop()]);
      rmSync(folder, { recursive: true });
    }
  });
});

test('CHANGELOG.md says how long each migration locks which tables', () => {
  const changelog = readFileSync(join(__dirname, '../../CHANGELOG.md'), 'utf8');
  const missing = migrations.map(({ name }) => name).filter((name) => !changelog.includes(`| \`${name}\` |`));
  const remedy = 'add these to the table of migrations in CHANGELOG.md';
  expect({ [remedy]: missing }).toEqual({ [remedy]: [] });
});
