import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadFixtures } from '../../src/testing/load-fixtures.js';
import { readJson } from '../../src/testing/read-json.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const root = join(__dirname, '../..');
const PROGRAM = join(root, 'dist/src/testing/run-load-fixtures.js');
const FILE = join(root, 'test/consumer/fixtures.json');

let service: TestApp;
beforeAll(async () => (service = await createTestApp()));
afterAll(() => service.close());

const rows = async (table: string) => (await service.database.query(`SELECT FROM ${table}`)).length;
const counts = async () => [await rows('users'), await rows('restaurants'), await rows('uploads')];

test('fixtures are never loaded in production', async () => {
  const production = await service.another({ NODE_ENV: 'production' });
  const fixtures: unknown = JSON.parse(readFileSync(FILE, 'utf8'));
  await expect(loadFixtures(production.app, fixtures)).rejects.toThrow(
    'fixtures are never loaded in production',
  );
  expect(await counts()).toEqual([0, 0, 0]);
});

test('the program loads them as the role of the service; again, nothing changes', async () => {
  const { PATH } = process.env;
  const env = { PATH, DATABASE_URL: service.database.url, BCRYPT_COST: '10' };
  const ran = spawnSync(process.execPath, [PROGRAM, FILE], { env, encoding: 'utf8' });
  expect(ran).toMatchObject({ status: 0, stdout: '', stderr: '' });
  expect(await counts()).toEqual([3, 2, 2]);
  await loadFixtures(service.app, JSON.parse(readFileSync(FILE, 'utf8')));
  expect(await counts()).toEqual([3, 2, 2]);
  expect((await service.client.login('till', 'a long passphrase')).status).toBe(200);
  const page = readJson(join(root, 'README.md'));
  await expect(page).rejects.toThrow(/README\.md cannot be read: Unexp/);
});

test('the program loads them into the embedded database of a folder, which holds no secret', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sales-upload-fixtures-'));
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir };
  const run = (...options: string[]) =>
    spawnSync(process.execPath, [PROGRAM, FILE, ...options], { env, encoding: 'utf8' });
  expect(run()).toMatchObject({ status: 1, stderr: expect.stringContaining('give --embedded') });
  expect(run('--embedded')).toMatchObject({ status: 0, stdout: '', stderr: '' });
  rmSync(dataDir, { recursive: true });
});
