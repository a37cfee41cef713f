import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { profileFaults } from '../../src/sales/files/profile-faults.js';
import { PROFILE } from '../../src/sales/files/profile-schema.js';
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
