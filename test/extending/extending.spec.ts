import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { AppConfig } from '../../src/config/app-config.js';
import type * as Migrate from '../../src/database/migrate.js';
import type * as Architecture from '../support/architecture.js';
import { textBreaches } from '../support/source-rules.js';
import { grantRights, urlOf } from '../support/test-database.js';
import { copyWith, shownFiles } from '../support/walkthrough.js';

const TEMPLATE = 'template_extended';
const root = join(__dirname, '../..');
const page = readFileSync(join(root, 'docs/extending.md'), 'utf8');
/** A module and a migration of somebody else, who followed the page before. */
const others = page
  .replaceAll('target', 'quota')
  .replaceAll('Target', 'Quota')
  .replaceAll('1800000000000', '1790000000000');
const copy = copyWith(root, [
  ...shownFiles(others).filter(({ path }) => !path.startsWith('test/quotas')),
  ...shownFiles(page),
]);
const inCopy = (path: string): unknown => jest.requireActual<object>(join(copy, path));

/** It is put into a copy of the project, beside another one, and compiled while its own tests, which the page shows too, call what it adds. */
describe('The module of docs/extending.md', () => {
  const compiling = compile();
  beforeAll(makeTemplate);
  afterAll(async () => {
    await asAdmin(`DROP DATABASE ${TEMPLATE}`);
    rmSync(copy, { recursive: true });
  });

  inCopy('test/targets.e2e-spec.ts');

  test('keeps the architecture', () => {
    const { importBreaches, readSources } = inCopy('test/support/architecture.ts') as typeof Architecture;
    const sources = readSources(copy, 'src');
    expect([...sources.keys()]).toEqual(
      expect.arrayContaining(['src/quotas/quotas.module.ts', 'src/targets/targets.module.ts']),
    );
    expect(importBreaches(sources)).toEqual([]);
    expect(textBreaches(sources)).toEqual([]);
  });

  test('compiles', async () => expect(await compiling).toEqual({ output: '', status: 0 }), 60_000);
});

async function compile(): Promise<{ output: string; status: number }> {
  const project = {
    extends: './tsconfig.json',
    compilerOptions: { noEmit: true, incremental: false },
    include: ['src', 'migrations', 'test/targets.e2e-spec.ts'],
  };
  writeFileSync(join(copy, 'tsconfig.extended.json'), JSON.stringify(project));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const compiler = spawn(process.execPath, [tsc, '-p', 'tsconfig.extended.json'], { cwd: copy });
  const [output, [status]] = await Promise.all([text(compiler.stdout), once(compiler, 'close')]);
  return { output, status };
}

/** The copy's tests clone their databases from a clone of the migrated one, with the page's migration run on it. */
async function makeTemplate(): Promise<void> {
  process.env['TEST_TEMPLATE'] = TEMPLATE;
  await asAdmin(`CREATE DATABASE ${TEMPLATE} TEMPLATE template_migrated OWNER sales_owner`);
  const url = urlOf(TEMPLATE, 'sales_owner');
  const { migrate } = inCopy('src/database/migrate.ts') as typeof Migrate;
  expect(await migrate(Object.assign(new AppConfig(), { DATABASE_URL: url }))).toHaveLength(2);
  await grantRights(url, copy);
}

async function asAdmin(sql: string): Promise<void> {
  const client = new Client(process.env['TEST_POSTGRES_URL']);
  await client.connect();
  await client.query(sql).finally(() => client.end());
}
