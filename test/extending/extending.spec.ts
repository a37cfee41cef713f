import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { AppConfig } from '../../src/config/app-config.js';
import type * as Migrate from '../../src/database/migrate.js';
import type * as Architecture from '../support/architecture.js';
import type * as EnvExample from '../support/env-example.js';
import { textBreaches } from '../support/source-rules.js';
import { grantRights, urlOf } from '../support/test-database.js';
import { compileCopy, copyWith, sectionOf, shownFiles } from '../support/walkthrough.js';

const TEMPLATE = 'template_extended';
const TESTS = ['test/targets.e2e-spec.ts', 'test/notices.e2e-spec.ts'];
const root = join(__dirname, '../..');
const guide = readFileSync(join(root, 'docs/extending.md'), 'utf8');
const page = sectionOf(guide, 'A module, step by step');
const secondPage = sectionOf(guide, 'A second module: pages, changes, events');
/** A module and a migration of somebody else, who followed the page before. */
const others = page
  .replaceAll('target', 'quota')
  .replaceAll('Target', 'Quota')
  .replaceAll('1800000000000', '1790000000000');
const copy = copyWith(root, [
  ...shownFiles(others).filter(({ path }) => !path.startsWith('test/quotas')),
  ...shownFiles(page),
  ...shownFiles(secondPage),
]);
const inCopy = (path: string): unknown => jest.requireActual<object>(join(copy, path));

/** They are put into a copy of the project, beside another one, and compiled while their own tests, which the page shows too, call what they add. */
describe('The modules of docs/extending.md', () => {
  const compiling = compileCopy(root, copy, TESTS);
  beforeAll(makeTemplate);
  afterAll(async () => {
    await asAdmin(`DROP DATABASE ${TEMPLATE}`);
    rmSync(copy, { recursive: true });
  });

  for (const test of TESTS) inCopy(test);

  test('keeps the architecture', () => {
    const { importBreaches, readSources } = inCopy('test/support/architecture.ts') as typeof Architecture;
    const sources = readSources(copy, 'src');
    expect([...sources.keys()]).toEqual(
      expect.arrayContaining([
        'src/quotas/quotas.module.ts',
        'src/targets/targets.module.ts',
        'src/notices/notices.module.ts',
      ]),
    );
    expect(importBreaches(sources)).toEqual([]);
    expect(textBreaches(sources)).toEqual([]);
  });

  test('has its settings in .env.example', () => {
    const { envExampleOf } = inCopy('test/support/env-example.ts') as typeof EnvExample;
    const expected = envExampleOf(copy);
    expect(expected).toContain('NOTICE_SEEN_WITHIN_DAYS=3');
    expect(readFileSync(join(copy, '.env.example'), 'utf8')).toBe(expected);
  });

  test('is formatted', () => {
    const prettier = join(root, 'node_modules/prettier/bin/prettier.cjs');
    const files = shownFiles(page + secondPage)
      .filter(({ language }) => language === 'ts')
      .map(({ path }) => path);
    const { stderr, status } = spawnSync(process.execPath, [prettier, '--check', ...files], { cwd: copy });
    expect([stderr.toString(), status]).toEqual(['', 0]);
  });

  test('compiles', async () => expect(await compiling).toBe(''));
});

/** The copy's tests clone their databases from a clone of the migrated one, with the page's migration run on it. */
async function makeTemplate(): Promise<void> {
  process.env['TEST_TEMPLATE'] = TEMPLATE;
  await asAdmin(`CREATE DATABASE ${TEMPLATE} TEMPLATE template_migrated OWNER sales_owner`);
  const url = urlOf(TEMPLATE, 'sales_owner');
  const { migrate } = inCopy('src/database/migrate.ts') as typeof Migrate;
  await migrate(Object.assign(new AppConfig(), { DATABASE_URL: url, RESPONSE_TIMEOUT_MS: 120_000 }));
  await grantRights(url, copy);
}

async function asAdmin(sql: string): Promise<void> {
  const client = new Client(process.env['TEST_POSTGRES_URL']);
  await client.connect();
  await client.query(sql).finally(() => client.end());
}
