import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { SALES_FIELDS } from '../../src/sales/fields/sales-fields.js';
import { profileFaults } from '../../src/sales/files/profile-faults.js';
import { PROFILE } from '../../src/sales/files/profile-schema.js';
import { execute } from '../../src/testing/test-database.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { blocksOf } from './documentation.js';

const root = join(__dirname, '../..');
const PAGES = ['.', 'docs'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);
const read = (page: string): string => readFileSync(join(root, page), 'utf8');

let database: TestDatabase;
beforeAll(async () => (database = await createTestDatabase('template0')));
afterAll(() => database.drop());

const parsedBy =
  (program: string, ...args: string[]) =>
  (input: string) => {
    const { status, stderr } = spawnSync(program, args, { input, encoding: 'utf8' });
    expect({ input, status, stderr }).toEqual({ input, status: 0, stderr: '' });
  };

/** How the blocks of each language are checked; those that are not have no program here. */
const FORMATS: Record<string, (text: string) => unknown> = {
  ...{ '': parsedBy('bash', '-n'), bash: parsedBy('bash', '-n') },
  python: parsedBy('python3', '-c', 'import ast, sys; ast.parse(sys.stdin.read())'),
  json: (text) => JSON.parse(text),
  js: (text) =>
    expect(ts.transpileModule(text, { reportDiagnostics: true }).diagnostics).toEqual([]),
  // The body of a function is parsed when it is made, and its names are looked up when it runs.
  sql: (text) =>
    database.query(
      `CREATE FUNCTION pg_temp.page() RETURNS void LANGUAGE plpgsql AS $page$
       BEGIN ${text.replace(/^\\.*$/gm, '')} END $page$; DROP FUNCTION pg_temp.page()`,
    ),
  ...{ duckdb: () => undefined, mermaid: () => undefined, text: () => undefined },
};

describe.each(PAGES)('%s', (page) => {
  test('has blocks that the program for each can read', async () => {
    for (const { language, text } of blocksOf(join(root, page))) {
      expect(Object.keys(FORMATS)).toContain(language);
      await FORMATS[language]!(text);
    }
  });

  test('links to files and headings, and names specs, that are there', () => {
    const text = read(page).replace(/```[\s\S]*?```/g, '');
    const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
    const dead = links.filter(([, path, heading]) => {
      const target = path === '' ? page : join(dirname(page), path!);
      if (!existsSync(join(root, target))) return true;
      return heading !== undefined && !headingsOf(target).includes(heading);
    });
    expect(dead.map(([link]) => link)).toEqual([]);
    const specs = [...text.matchAll(/([\w-]+\.(?:e2e-)?spec)(?:\.ts)?`/g)].map(([, name]) => name);
    const files = readdirSync(join(root, 'test'), { recursive: true }).join('\n');
    expect(specs.filter((name) => !files.includes(`/${name}.ts`))).toEqual([]);
  });
});

/** The headings of a page as GitHub writes them into addresses. */
const headingsOf = (page: string): string[] =>
  [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

test('docs/files.md has a profile that can be saved, and a row for each option', () => {
  const [profile] = blocksOf(join(root, 'docs/files.md')).filter(
    (each) => each.language === 'json',
  );
  expect(profileFaults(JSON.parse(profile!.text))).toEqual([]);
  const rows = [...read('docs/files.md').matchAll(/^\| (`[^|]+?) \|/gm)];
  const named = rows.flatMap(([, cell]) => [...cell!.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(named.sort()).toEqual(Object.keys(PROFILE.entries).filter((name) => name !== 'unchecked').sort()); // prettier-ignore
});

/** The expected hours of all restaurants on a Monday to Wednesday, with the orders that were sent. */
const EXPECTED_HOURS = `
  SELECT day::date::text, slot AS hour, orders
  FROM restaurants AS restaurant
  CROSS JOIN generate_series(first_day, '2025-10-15', interval '1 day') AS day
  CROSS JOIN generate_series(0, 23) AS slot
  LEFT JOIN hourly_sales AS sent ON (sent.restaurant_id, sent.date, sent.hour) = (id, day, slot)
  WHERE weekly_hours[extract(isodow FROM day)] >> slot & 1 = 1
    AND NOT EXISTS (SELECT FROM restaurant_closures AS closure WHERE restaurant_id = restaurant.id
      AND day BETWEEN closure.first_day AND coalesce(last_day, 'infinity'))
  ORDER BY day, slot`;

test('the role of docs/analysing.md tells missing hours from zeros and from closed days', async () => {
  const migrated = await createTestDatabase();
  const server = new URL(process.env['TEST_NODE_URLS']!.split(' ')[0]!);
  const { pathname } = new URL(migrated.url);
  const superuser = Object.assign(server, { pathname }).href;
  const [role] = blocksOf(join(root, 'docs/analysing.md')).filter(({ language }) => language === 'sql'); // prettier-ignore
  const dropRole = 'DROP OWNED BY sales_reader; DROP ROLE sales_reader';
  const names = SALES_FIELDS.map(({ name }) => name);
  await execute(superuser, `${role!.text}; GRANT sales_reader TO sales_owner`);
  await migrated.query(`
    INSERT INTO restaurants (id, name, first_day, weekly_hours)
    VALUES (101, 'Closed on Tuesday', '2025-10-13', ARRAY[(1 << 9) | (1 << 10), 1 << 9, 0, 0, 0, 0, 0]);
    INSERT INTO restaurant_closures (restaurant_id, first_day) VALUES (101, '2025-10-14');
    INSERT INTO hourly_sales (restaurant_id, date, hour, upload_number, ${names.join()})
    VALUES (101, '2025-10-13', 9, 1, ${names.map(() => 0).join()});
    SET ROLE sales_reader`);
  const rows = await migrated.query(EXPECTED_HOURS).finally(async () => {
    await migrated.query('RESET ROLE');
    await execute(superuser, dropRole);
    await migrated.drop();
  });
  expect(rows).toEqual([
    { day: '2025-10-13', hour: 9, orders: 0 },
    { day: '2025-10-13', hour: 10, orders: null },
  ]);
});
