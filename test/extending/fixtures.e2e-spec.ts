import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadFixtures } from '../../src/testing/load-fixtures.js';
import { readJson } from '../../src/testing/read-json.js';
import { createTestApp } from '../support/test-app.js';

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

test('the program loads them into the database of DATABASE_URL; again, nothing changes', async () => {
  const service = await createTestApp();
  const env = { PATH: process.env['PATH'], DATABASE_URL: service.database.url };
  const ran = spawnSync(process.execPath, [PROGRAM, FILE], { env, encoding: 'utf8' });
  expect(ran).toMatchObject({ status: 0, stdout: '', stderr: '' });
  const counts = `SELECT (SELECT count(*)::int FROM users) AS users,
    (SELECT count(*)::int FROM restaurants) AS restaurants, (SELECT count(*)::int FROM uploads) AS uploads`;
  const expected = [{ users: 3, restaurants: 2, uploads: 2 }];
  expect(await service.database.query(counts)).toEqual(expected);
  await loadFixtures(service.app, read());
  expect(await service.database.query(counts)).toEqual(expected);
  await service.close();
});
