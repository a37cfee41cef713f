import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { minVersion, satisfies } from 'semver';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { migrations } from '../../migrations/index.js';
import {
  businessWords,
  cycles,
  loadedWith,
  misnamedFiles,
  readSources,
  repeatedStatements,
  type Sources,
  unlistedClasses,
} from './architecture.js';

const root = join(__dirname, '../..');
const sources = readSources(root, 'src');

/** What a migration runs up and down, comments left out, as a short text that an edit changes. */
async function digestOf(migration: MigrationInterface): Promise<string> {
  const hash = createHash('sha256');
  const query = (sql: string): Promise<unknown[]> => {
    hash.update(sql.replace(/--.*$/gm, '').replace(/\s+/g, ' '));
    return Promise.resolve([]);
  };
  await migration.up({ query } as QueryRunner);
  await migration.down({ query } as QueryRunner);
  return hash.digest('hex');
}

/** Rules that look at several files; those that an editor can show are in eslint.config.mjs. */
describe('The architecture', () => {
  const RULES = [cycles, misnamedFiles, businessWords, repeatedStatements, unlistedClasses];
  test.each(RULES)('is kept: %p finds nothing', (rule) => expect(rule(sources)).toEqual([]));

  const importing = (from: string): string => `import { A } from '${from}.js';`;
  const [X, Y, Z] = ['./x', './y', './z'].map(importing) as [string, string, string];
  const FILES = { 'a.ts': X, 'x.ts': Y, 'y.ts': Z, 'z.ts': X };
  const FOLDERS = { 'src/a/x.ts': importing('../b/x'), 'src/b/y.ts': importing('../a/y') };
  const STATEMENT = "const A = { name: 'find_a', text: 'SELECT 1' };";
  const TWICE = { 'a.ts': STATEMENT, 'b.ts': STATEMENT };
  test.each<[(sources: Sources) => string[], Record<string, string>, RegExp]>([
    [misnamedFiles, { 'src/sales/SalesThing.ts': '' }, /not in kebab-case/],
    [misnamedFiles, { 'src/sales/sales.helper.ts': '' }, /no rules know its ending/],
    [misnamedFiles, { 'src/sales/sales.service.ts': 'export class Sales {}' }, /no class of its/],
    [misnamedFiles, { 'src/sales/day.entity.ts': 'export class SalesHour {}' }, /no class of its/],
    [businessWords, { 'src/http/x.ts': 'const latestUploadDay = 1;' }, /: latestUploadDay; the/],
    [unlistedClasses, { 'src/x/x.module.ts': '' }, /to the imports of src\/app\.module\.ts$/],
    [unlistedClasses, { 'src/x/x.commands.ts': '' }, /to the module of its feature$/],
    [repeatedStatements, TWICE, /^b\.ts: the statement find_a is also in a\.ts; give it another/],
    [cycles, FILES, /^x\.ts, y\.ts, z\.ts: a cycle; move/],
    [cycles, FOLDERS, /^src\/a, src\/b: a cycle; move/],
  ])('a breach is found: %p in %j', (rule, files, found) => {
    expect(rule(new Map(Object.entries(files)))).toEqual([expect.stringMatching(found)]);
  });

  test('the words of business may stand in texts and comments of the platform', () => {
    const text = '/** Of an upload. */ const a = `upload ${b}`; const tokenizer = 1;';
    expect(businessWords(new Map([['src/http/x.ts', text]]))).toEqual([]);
  });

  test('production loads nothing of the test server', () => {
    for (const program of ['src/main.ts', 'src/cli.ts']) {
      const loaded = [...loadedWith(sources, program)];
      expect(loaded.length).toBeGreaterThan(100);
      expect(loaded.filter((file) => file.startsWith('src/testing/'))).toEqual([]);
    }
  });

  test('every migration is listed, oldest first', () => {
    const files = readdirSync(join(root, 'migrations')).filter((name) => /^\d/.test(name));
    const listed: string[] = migrations.map(({ name }) => /\d+$/.exec(name)![0]);
    const missing = files.filter((name) => !listed.includes(/^\d+/.exec(name)![0]));
    expectNone('add these to the list in migrations/index.ts', missing);
    expect(listed).toEqual([...listed].sort());
  });

  test('what a released migration runs stays as it is', async () => {
    const file = join(root, 'migrations/released.json');
    const now = new Map<string, string>();
    for (const Migration of migrations) now.set(Migration.name, await digestOf(new Migration()));
    if (process.env['UPDATE_RELEASED'] === '1')
      writeFileSync(file, `${JSON.stringify(Object.fromEntries(now), null, 2)}\n`);
    const released = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
    const changed = Object.keys(released).filter((name) => released[name] !== now.get(name));
    expectNone('undo the edit of these, which databases have run: write the next one', changed);
  });

  test('every folder of src has a line in eslint.config.mjs', () => {
    const rules = readFileSync(join(root, 'eslint.config.mjs'), 'utf8');
    const folders = readdirSync(join(root, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !['server', 'testing'].includes(entry.name))
      .map(({ name }) => name);
    const missing = folders.filter((name) => !new RegExp(`^  '?${name}'?[:,]`, 'm').test(rules));
    expectNone('add these to FEATURES of eslint.config.mjs', missing);
  });

  test('every package runs on the oldest Node that package.json admits', () => {
    type Lock = { packages: Record<string, { engines?: { node?: string } }> };
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
    const oldest = minVersion(packages['']!.engines!.node!)!;
    const unfit = Object.keys(packages).filter(
      (path) => !satisfies(oldest, packages[path]!.engines?.node ?? '*'),
    );
    expectNone('take another version of these, or override it: npm ci would warn', unfit);
  });

  function expectNone(remedy: string, found: string[]): void {
    expect({ [remedy]: found }).toEqual({ [remedy]: [] });
  }
});
