import { join } from 'node:path';
import { CommandLine } from '../support/command-line.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const root = join(__dirname, '../..');
const FILE = join(root, 'test/consumer/fixtures.json');

let service: TestApp;
let production: TestApp;
beforeAll(async () => {
  service = await createTestApp();
  production = await service.another({ NODE_ENV: 'production' });
});
afterAll(() => service.close());

const load = (file: string, { app } = service) => new CommandLine(app).run(['fixtures', 'load', file]);
const rows = async (table: string) => (await service.database.query(`SELECT FROM ${table}`)).length;

test('fixtures are never loaded in production', async () => {
  expect(await load(FILE, production)).toEqual({
    status: 1,
    stdout: '',
    stderr: 'fixtures are never loaded in production\n',
  });
  expect([await rows('users'), await rows('restaurants'), await rows('uploads')]).toEqual([0, 0, 0]);
});

test('the role of the service loads them, once', async () => {
  for (let times = 0; times < 2; times++) {
    const stdout = 'loaded: 2 restaurants, 3 users, 2 uploads\n';
    expect(await load(FILE)).toEqual({ status: 0, stdout, stderr: '' });
    expect([await rows('users'), await rows('restaurants'), await rows('uploads')]).toEqual([3, 2, 2]);
  }
  expect((await service.client.login('till', 'a long passphrase')).status).toBe(200);
});

test.each([
  ['that does not exist', 'none.json', /none\.json cannot be read: ENOENT/],
  ['that is not JSON', 'README.md', /README\.md cannot be read: Unexpected token/],
])('a file %s is named', async (_what, name, stderr) => {
  expect(await load(join(root, name))).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(stderr) });
});
