import { DataSource, type EntityMetadata } from 'typeorm';
import { createTestApp, type TestApp } from '../support/test-app.js';

/** What a table says, or an entity: a line a column, the primary key, and a line a unique key. */
type Description = ReadonlyMap<string, string>;

const TABLES = `
  SELECT c.relname AS name,
    (SELECT json_object_agg(attname, concat(
        format_type(CASE typtype WHEN 'd' THEN typbasetype ELSE t.oid END, NULL), CASE WHEN attnotnull THEN '' ELSE ' or null' END))
      FROM pg_attribute JOIN pg_type AS t ON t.oid = atttypid
      WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped) AS columns,
    (SELECT json_agg(json_build_object('primary', contype = 'p', 'columns', (
        SELECT json_agg(attname ORDER BY place)
        FROM unnest(conkey) WITH ORDINALITY AS k (number, place)
        JOIN pg_attribute ON attrelid = conrelid AND attnum = number)))
      FROM pg_constraint WHERE conrelid = c.oid AND contype IN ('p', 'u')) AS keys
  FROM pg_class AS c
  WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace AND relname <> 'migrations'`;

interface TableRow {
  readonly name: string;
  readonly columns: Record<string, string>;
  readonly keys: { readonly primary: boolean; readonly columns: string[] }[] | null;
}

let service: TestApp;
beforeAll(async () => (service = await createTestApp()));
afterAll(() => service.close());

function keyLine(primary: boolean, columns: readonly string[]): [string, string] {
  return primary ? ['primary key', columns.join(', ')] : [`unique (${columns.join(', ')})`, 'yes'];
}

function describeTable({ columns, keys }: TableRow): Description {
  return new Map([...Object.entries(columns), ...(keys ?? []).map((key) => keyLine(key.primary, key.columns))]);
}

/** A domain is declared as the type below it: TypeORM takes no others. */
function describeEntity({ columns, primaryColumns, uniques }: EntityMetadata, { driver }: DataSource): Description {
  const names = (list: EntityMetadata['columns']): string[] => list.map(({ databaseName }) => databaseName);
  return new Map([
    ...columns.map((column): [string, string] => {
      const type = `${driver.normalizeType(column)}${column.isArray ? '[]' : ''}`;
      return [column.databaseName, `${type}${column.isNullable ? ' or null' : ''}`];
    }),
    keyLine(true, names(primaryColumns)),
    ...uniques.map((unique) => keyLine(false, names(unique.columns))),
  ]);
}

/** A line for each difference, with what to do about it. */
function differences(name: string, table: Description, entity: Description): string[] {
  return [...new Set([...table.keys(), ...entity.keys()])].flatMap((what) => {
    const [inTable, inEntity] = [table.get(what), entity.get(what)];
    if (inTable === inEntity) return [];
    if (inEntity === undefined) return [`${name}: the entity lacks ${what}: declare it (${inTable})`];
    if (inTable === undefined)
      return [`${name}: the table lacks ${what}: add a migration, or take it out of the entity`];
    return [`${name}: ${what} is "${inTable}" in the table and "${inEntity}" in the entity: mend the entity`];
  });
}

/** Keys of tables with rows for each restaurant and date that could not be distributed by restaurant. */
function keysInWrongOrder({ name, columns, keys }: TableRow): string[] {
  if (!('restaurant_id' in columns && 'date' in columns)) return [];
  return (keys ?? [])
    .filter((key) => key.columns[0] !== 'restaurant_id')
    .map((key) => `${name}: put restaurant_id first in the key (${key.columns.join(', ')})`);
}

test('Tables that grow with each day of a restaurant can be distributed by restaurant', async () => {
  const tables = await service.database.query<TableRow & Record<string, unknown>>(TABLES);
  expect(tables.flatMap(keysInWrongOrder)).toEqual([]);
  const columns = { restaurant_id: 'integer', date: 'date' };
  const keys = [{ primary: true, columns: ['date', 'restaurant_id'] }];
  expect(keysInWrongOrder({ name: 't', columns, keys })).toEqual([
    't: put restaurant_id first in the key (date, restaurant_id)',
  ]);
});

test('Entities and tables are the same: columns, types, nullability and keys', async () => {
  const dataSource = service.app.get(DataSource);
  const tables = new Map(
    (await service.database.query<TableRow & Record<string, unknown>>(TABLES)).map((row) => [row.name, row]),
  );
  const entities = new Map(dataSource.entityMetadatas.map((metadata) => [metadata.tableName, metadata]));
  const found = [...new Set([...tables.keys(), ...entities.keys()])].sort().flatMap((name) => {
    const [table, entity] = [tables.get(name), entities.get(name)];
    if (!entity) return [`${name} has no entity: write one and list it in TypeOrmModule.forFeature of its module`];
    if (!table) return [`${name} is not in the database: add a migration that creates it`];
    return differences(name, describeTable(table), describeEntity(entity, dataSource));
  });
  expect(found).toEqual([]);
});

test.each<[string, [string, string][], [string, string][], RegExp]>([
  ['a column without a property', [['a', 'text']], [], /the entity lacks a: declare it \(text\)/],
  ['a property without a column', [], [['a', 'text']], /the table lacks a: add a migration/],
  ['another type', [['a', 'integer']], [['a', 'text']], /a is "integer" in the table and "text" in the entity/],
  ['another nullability', [['a', 'text']], [['a', 'text or null']], /"text" in the table and "text or null"/],
  ['another key', [['primary key', 'a, b']], [['primary key', 'b, a']], /primary key is "a, b" in the table/],
])('A difference is found: %s', (_what, table, entity, line) => {
  expect(differences('t', new Map(table), new Map(entity))).toEqual([expect.stringMatching(line)]);
});
