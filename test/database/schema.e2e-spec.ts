import { Client } from 'pg';
import { DataSource, type EntityMetadata } from 'typeorm';
import { dataSourceOptions } from '../../src/database/connections.js';
import { createTestApp, type TestApp, testConfig } from '../support/test-app.js';
import { createTestDatabase } from '../support/test-database.js';

let service: TestApp;
beforeAll(async () => (service = await createTestApp()));
afterAll(() => service.close());

test('Entities and tables are the same: columns, types, nullability and keys', async () => {
  const tables = await service.database.query<{ line: string }>(`
  WITH tables AS (
    SELECT oid, relname FROM pg_class
    WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace AND relname <> 'migrations')
  SELECT concat(relname, '.', attname, ': ', CASE WHEN NOT attnotnull THEN 'null or ' END,
    format_type(CASE typtype WHEN 'd' THEN typbasetype ELSE t.oid END, NULL)) AS line
  FROM tables JOIN pg_attribute ON attrelid = tables.oid JOIN pg_type AS t ON t.oid = atttypid
  WHERE attnum > 0 AND NOT attisdropped
  UNION ALL
  SELECT concat(relname, CASE contype WHEN 'p' THEN ' primary key: ' ELSE ' unique: ' END,
    string_agg(attname, ', ' ORDER BY place))
  FROM tables JOIN pg_constraint ON conrelid = tables.oid AND contype IN ('p', 'u')
  CROSS JOIN unnest(conkey) WITH ORDINALITY AS k (number, place)
  JOIN pg_attribute ON attrelid = conrelid AND attnum = number
  GROUP BY relname, contype, pg_constraint.oid`);
  const { driver, entityMetadatas } = service.app.get(DataSource);
  const names = (list: EntityMetadata['columns']): string =>
    list.map(({ databaseName }) => databaseName).join(', ');
  const entities = entityMetadatas
    .filter(({ tableType }) => tableType !== 'view')
    .flatMap(({ tableName, columns, primaryColumns, uniques }) => [
      ...columns.flatMap((column) => {
        if (column.isVirtualProperty) return [];
        // A domain is declared as the type below it: TypeORM takes no others.
        const type = `${driver.normalizeType(column)}${column.isArray ? '[]' : ''}`;
        return `${tableName}.${column.databaseName}: ${column.isNullable ? 'null or ' : ''}${type}`;
      }),
      `${tableName} primary key: ${names(primaryColumns)}`,
      ...uniques.map((unique) => `${tableName} unique: ${names(unique.columns)}`),
    ]);
  const remedy =
    'add a migration, or mend the entity, which TypeOrmModule.forFeature of its module lists';
  expect({ [remedy]: entities.sort() }).toEqual({
    [remedy]: tables.map(({ line }) => line).sort(),
  });
});

test('Every migration can be undone to nothing, and run again', async () => {
  const database = await createTestDatabase('template0');
  const options = dataSourceOptions(testConfig({ DATABASE_URL: database.ownerUrl }));
  const source = await new DataSource(options).initialize();
  const left = `SELECT name FROM (
      SELECT relname, relnamespace FROM pg_class WHERE relkind <> 'i'
      UNION ALL SELECT proname, pronamespace FROM pg_proc
      UNION ALL SELECT typname, typnamespace FROM pg_type) AS object (name, namespace)
    WHERE namespace = 'public'::regnamespace AND name !~ 'migrations'`;
  try {
    const ran = await source.runMigrations();
    expect(await database.query(left)).not.toEqual([]);
    for (let count = ran.length; count > 0; count--) await source.undoLastMigration();
    expect(await database.query(left)).toEqual([]);
    expect(await source.runMigrations()).toHaveLength(ran.length);
  } finally {
    await source.destroy();
    await database.drop();
  }
});

describe('The service’s role', () => {
  test('is the one that the application under test connects as; it owns nothing, has no right beyond those of a row, and reads every table', async () => {
    const query = (sql: string) => service.database.query(sql);
    const roles = `SELECT DISTINCT usename FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'sales-upload'`;
    expect(await query(roles)).toEqual([{ usename: 'sales_service' }]);
    const owned = `SELECT relname FROM pg_class WHERE relowner = 'sales_service'::regrole
      UNION ALL SELECT proname FROM pg_proc WHERE proowner = 'sales_service'::regrole`;
    expect(await query(owned)).toEqual([]);
    const rights = `SELECT DISTINCT privilege_type AS kind
      FROM information_schema.role_table_grants WHERE grantee = 'sales_service' ORDER BY 1`;
    const kinds = (await query(rights)).map(({ kind }) => kind);
    expect(kinds).toEqual(['DELETE', 'INSERT', 'SELECT', 'UPDATE']);
    const closed = `SELECT relname FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v') AND NOT relispartition
      AND NOT has_any_column_privilege('sales_service', oid, 'SELECT')`;
    const remedy = 'grant sales_service what it needs on these in docs/roles.sql';
    expect({ [remedy]: await query(closed) }).toEqual({ [remedy]: [] });
  });

  test('may not change what was recorded, nor the tables', async () => {
    const client = new Client(service.database.url);
    await client.connect();
    for (const sql of [
      'UPDATE uploads SET processed = 1',
      'DELETE FROM audit_log',
      `INSERT INTO audit_log (at, actor, action, outcome) VALUES ('2001-01-01', 'user:1', 'login', 'success')`,
      'DELETE FROM hourly_sales',
      'DELETE FROM restaurants',
      'ALTER TABLE uploads DISABLE TRIGGER append_only',
      'DROP TABLE tokens',
      'CREATE TABLE x ()',
    ]) {
      const error: unknown = await client.query(sql).catch((thrown: unknown) => thrown);
      expect({ sql, error }).toMatchObject({ sql, error: { code: '42501' } });
    }
    await client.end();
  });
});

test('Beyond one server, restaurant_id says where a row lies: keys of tables with rows for each restaurant and date begin with it', async () => {
  const keys = await service.database.query<{ name: string; columns: string[] }>(
    `WITH growing AS (
       SELECT attrelid AS id FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND attname IN ('restaurant_id', 'date')
       GROUP BY attrelid HAVING count(*) = 2)
     SELECT conrelid::regclass::text AS name,
       ARRAY(SELECT attname::text FROM unnest(conkey) WITH ORDINALITY AS k (number, place)
         JOIN pg_attribute ON attrelid = conrelid AND attnum = number ORDER BY place) AS columns
     FROM pg_constraint JOIN growing ON conrelid = growing.id
     WHERE contype IN ('p', 'u') OR (contype = 'f' AND confrelid IN (SELECT id FROM growing))`,
  );
  const growing = ['hourly_sales', 'sales_days', 'uploads'];
  expect(keys.map(({ name }) => name)).toEqual(expect.arrayContaining(growing));
  const remedy = 'put restaurant_id first in these keys';
  const inWrongOrder = keys.filter(({ columns }) => columns[0] !== 'restaurant_id');
  expect({ [remedy]: inWrongOrder }).toEqual({ [remedy]: [] });
});
