import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { openApp } from '../../src/server/open-app.js';
import { loadFixtures } from '../../src/testing/load-fixtures.js';
import { readJson } from '../../src/testing/read-json.js';
import { createTestApp, testConfig } from '../support/test-app.js';

const root = join(__dirname, '../..');
const PROGRAM = join(root, 'dist/src/testing/run-load-fixtures.js');
const FILE = join(root, 'test/consumer/fixtures.json');

const read = (): unknown => JSON.parse(readFileSync(FILE, 'utf8'));

test('fixtures are never loaded in production', async () => {
  const service = await createTestApp({ NODE_ENV: 'production' });
  await expect(loadFixtures(service.app, read())).rejects.toThrow(
    'fixtures are never loaded in production',
  );
  expect(await service.database.query('SELECT FROM users')).toEqual([]);
  await service.close();
});

test('what is no JSON is named', async () => {
  const page = readJson(join(root, 'README.md'));
  await expect(page).rejects.toThrow(/README\.md cannot be read: Unexp/);
});

test('the program loads them into the embedded database of a folder; again, nothing changes', async () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'sales-upload-fixtures-'));
  const env = { PATH: process.env['PATH'], DATA_DIR, BCRYPT_COST: '10' };
  const ran = spawnSync(process.execPath, [PROGRAM, FILE, '--embedded'], { env, encoding: 'utf8' });
  expect(ran).toMatchObject({ status: 0, stdout: '', stderr: '' });
  const { app, close } = await openApp({}, testConfig({ DATABASE_URL: '', DATA_DIR }), false);
  const counts = async () =>
    (
      await app.get(DataSource).query(
        `SELECT (SELECT count(*)::int FROM users) AS users, (SELECT count(*)::int FROM restaurants) AS restaurants,
           (SELECT count(*)::int FROM uploads) AS uploads`,
      )
    )[0];
  expect(await counts()).toEqual({ users: 3, restaurants: 2, uploads: 2 });
  await loadFixtures(app, read());
  expect(await counts()).toEqual({ users: 3, restaurants: 2, uploads: 2 });
  await close();
  rmSync(DATA_DIR, { recursive: true });
});
