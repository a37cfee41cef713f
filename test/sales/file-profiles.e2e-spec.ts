import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadFixtures } from '../../src/testing/load-fixtures.js';
import { CommandLine } from '../support/command-line.js';
import { expectError } from '../support/expect-error.js';
import { givenRestaurant, givenTill } from '../support/given.js';
import { OPTIONAL, without } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const FORMATS = join(__dirname, 'formats');
const PROFILES = JSON.parse(readFileSync(join(FORMATS, 'profiles.json'), 'utf8')) as Record<
  string,
  any
>;
const EXPECTED = JSON.parse(readFileSync(join(FORMATS, 'expected.json'), 'utf8')) as Record<
  string,
  string[]
>;
const ROUTE = '/api/v1/sales/file-profiles';

let service: TestApp;
let admin: CommandLine;
let folder: string;
let office: string;
let till: { username: string; token: string };
beforeAll(async () => {
  service = await createTestApp();
  admin = new CommandLine(service.app);
  folder = await mkdtemp(join(tmpdir(), 'profiles-'));
  for (const id of [101, 111]) await givenRestaurant(service, id);
  till = await givenTill(service, { restaurants: [101] });
  const user = { username: 'office', password: 'right password' };
  await loadFixtures(service.app, { users: [{ ...user, all_restaurants: true }] });
  office = await service.client.token(user.username, user.password);
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const put = (name: string, profile: unknown, token = office) =>
  service.client.put(`${ROUTE}/${name}`, { profile }, { token });
const list = async (token = office): Promise<any[]> =>
  (await service.client.get(ROUTE, { token })).body.file_profiles;

test('a user of all restaurants saves profiles, every user reads them, and changes are audited', async () => {
  const profile = PROFILES['16-tabin-sales-by-hour'];
  expect(await put('tabin', profile)).toMatchObject({
    status: 200,
    body: { name: 'tabin', profile },
  });
  expect(await list(till.token)).toEqual([{ name: 'tabin', profile }]);
  const changed = { ...profile, decimal: '.' };
  await put('tabin', changed);
  const read = await service.client.get(`${ROUTE}/tabin`, { token: till.token });
  expect(read.body).toEqual({ name: 'tabin', profile: changed });
  expect((await service.client.delete(`${ROUTE}/tabin`, { token: office })).status).toBe(204);
  expect(await list()).toEqual([]);
  const events = await service.database.query(
    `SELECT action, subject, outcome, client_address, details->'before' AS before
     FROM audit_log WHERE action LIKE 'file profile%' ORDER BY id`,
  );
  const event = (action: string, before: unknown) => ({
    action: `file profile ${action}`,
    subject: 'profile:tabin',
    outcome: 'success',
    client_address: expect.stringMatching(/127\.0\.0\.1|::1/),
    before,
  });
  expect(events).toEqual([event('put', null), event('put', profile), event('delete', changed)]);
});

test('a profile shows the codes of restaurants that the caller may see, and the list shows none', async () => {
  const profile = PROFILES['13-pizza-hourly-workbook'];
  await put('pizza', profile);
  const { codes, ...restaurant } = profile.restaurant;
  expect(await list()).toEqual([{ name: 'pizza', profile: { ...profile, restaurant } }]);
  const read = async (token: string) =>
    (await service.client.get(`${ROUTE}/pizza`, { token })).body.profile.restaurant.codes;
  expect(await read(office)).toEqual(codes);
  expect(await read(till.token)).toEqual({ 'Outlet 101 (1)': 101 });
  await service.client.delete(`${ROUTE}/pizza`, { token: office });
});

test('24 saves at once make no more than 200, and a stored profile loses its mark', async () => {
  await service.database.query(
    `INSERT INTO file_profiles SELECT 'filler-' || n, $1 FROM generate_series(1, 194) AS n`,
    [JSON.stringify({ ...PROFILES['26-sales'], unchecked: true })],
  );
  const saves = Array.from({ length: 24 }, (_, n) => put(`more-${n}`, PROFILES['26-sales']));
  const statuses = (await Promise.all(saves)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(6);
  expect(await list()).toHaveLength(200);
  const proof = { file: 'a.csv', date: '2026-11-18', turnover: '4260.72' };
  await put('filler-1', { ...PROFILES['26-sales'], unchecked: true, proof });
  const kept = (await list()).find(({ name }) => name === 'filler-1')!.profile;
  expect(kept).toEqual({ ...PROFILES['26-sales'], proof: { ...proof, by: 'office' } });
  await service.database.query('DELETE FROM file_profiles');
});

test('a change by another user is 403, an unknown profile 404, and nothing is changed', async () => {
  expectError(await put('mine', PROFILES['26-sales'], till.token), 403, /all restaurants/);
  expectError(await service.client.delete(`${ROUTE}/none`, { token: till.token }), 403);
  expectError(await service.client.delete(`${ROUTE}/none`, { token: office }), 404, /none/);
  expectError(await service.client.get(`${ROUTE}/none`, { token: office }), 404);
  expect(await list()).toEqual([]);
});

describe('400', () => {
  const good = PROFILES['26-sales'];
  const twelve = without(good.fields, 'other');
  test.each<[what: string, profile: unknown, text: RegExp]>([
    ['none', undefined, /profile is missing/],
    ['a list', [], /profile must be an object/],
    ['no column of the hour', { ...good, hour: {} }, /profile\.hour\.column is missing/],
    ['an unknown option', { ...good, hours: 1 }, /profile\.hours is not an option/],
    ['a forgotten field', { ...good, fields: twelve }, /profile\.fields\.other is missing/],
    [
      'no turnover',
      { ...good, fields: { ...good.fields, gto: null } },
      /profile\.fields\.gto must not be null/,
    ],
    [
      'two places of the date',
      { ...good, date: { column: 'Date', from: 'told' } },
      /profile\.date must have either/,
    ],
    [
      'an unknown order',
      { ...good, date: { column: 'Date', order: 'ydm' } },
      /profile\.date\.order must be .{1,2}dmy/,
    ],
    [
      'numbers beside headings',
      { ...good, hour: { column: 3 } },
      /profile\.hour\.column must be a heading if other columns are/,
    ],
    [
      'a code of no restaurant',
      { ...good, restaurant: { column: 'A', codes: { x: 0 } } },
      /codes\.x must be the number/,
    ],
    [
      'an unknown encoding',
      { ...good, encoding: 'klingon' },
      /profile\.encoding must be an encoding/,
    ],
    [
      'orders counted twice',
      { ...good, rows: { column: 'A', order: ['B'] }, fields: { ...good.fields, orders: 'C' } },
      /fields\.orders must be null/,
    ],
    ['a NUL in a text', { ...good, ignore: ['a\0'] }, /profile\.ignore\[0\] must be a text/],
    ['half of a pair', { ...good, file_name: '\ud800' }, /profile\.file_name must be a text/],
    [
      'a NUL in a code',
      { ...good, restaurant: { column: 'A', codes: { 'x\0': 1 } } },
      /codes\.x.* must be a text/,
    ],
    [
      'a payment without end',
      { ...good, split: { column: 'A', by: 'B', into: { ['x'.repeat(201)]: 'visa' } } },
      /into\.x+ must be a text/,
    ],
    ['a total of no field', { ...good, control: { tag: '08' } }, /control\.is is missing/],
  ])('%s', async (...[, profile, text]) => {
    expectError(await put('bad', profile), 400, text);
    expect(await list()).toEqual([]);
  });

  test.each(['csv', 'mall', 'Caps', 'a%20b'])('the name %s', async (name) => {
    expectError(await put(name, good), 400, /name/);
  });
});

test('a profile of more than 16 kB is rejected, also on the command line', async () => {
  const [name, profile] = ['large', PROFILES['26-sales']];
  const withBytes = (bytes: number) => {
    const ignore = Array.from({ length: 155 }, () => 'x'.repeat(100));
    const rest = bytes - JSON.stringify({ ...profile, ignore: [...ignore, '', ''] }).length;
    return { ...profile, ignore: [...ignore, ...[0, 1].map((at) => 'x'.repeat((rest + at) / 2))] };
  };
  const text = /the profile has 16385 bytes of JSON, and at most 16384 are taken/;
  expectError(await put(name, withBytes(16_385)), 400, text);
  const path = join(folder, 'large.json');
  await writeFile(path, JSON.stringify(withBytes(16_385), null, 2));
  const ran = await admin.run(['profile', 'put', name, path]);
  expect(ran).toMatchObject({ status: 1, stderr: expect.stringMatching('16385 bytes of JSON') });
  expect(await list()).toEqual([]);
  expect(await put(name, withBytes(16_384))).toMatchObject({ status: 200 });
  expect(await service.client.delete(`${ROUTE}/${name}`, { token: office })).toMatchObject({
    status: 204,
  });
});

test('commands put, list, show and delete profiles, and import every format by its profile', async () => {
  const run = (...args: string[]) => admin.run(args);
  for (const [name, profile] of Object.entries(PROFILES)) {
    const path = join(folder, `${name}.json`);
    await writeFile(path, JSON.stringify(profile));
    expect(await run('profile', 'put', name, path)).toMatchObject({ status: 0 });
  }
  expect((await run('profile', 'list')).stdout).toMatch(/mall +of the service[^]*26-sales +saved/);
  expect(JSON.parse((await run('profile', 'show', '26-sales')).stdout)).toEqual(
    PROFILES['26-sales'],
  );
  const imports: [names: string, ...options: string[]][] = [
    ['05-pro-hourly-till1.CSV 05-pro-hourly-till2.CSV'],
    ['06-ayala-hourly-till1.TXT 06-ayala-hourly-till2.TXT'],
    ['12-roundrock-hourly.csv', '--restaurant', '101'],
    ['13-pizza-hourly-workbook.xlsx'],
    ['15-labour-and-sales.xlsx'],
    ['16-tabin-sales-by-hour-2026-11-17.csv', '--restaurant', '101'],
    ['20-revel-hourly-sales-15min-2026-11-20.csv', '--restaurant', '111'],
    ['22-lightspeed-k-hourly-2026-11-22.csv', '--restaurant', '101'],
    [
      '24-toast-time-of-day-2026-11-24.csv',
      '--restaurant',
      '111',
      '--date',
      '2026-11-24',
      '--turnover',
      '5770.01',
    ],
    [
      '25-oracle-standard-export-20261110.txt',
      '--restaurant',
      '101',
      '--profile',
      '25-oracle-standard-export',
    ],
    ['26-sales_2026_11_18.csv', '--restaurant', '111'],
    ['30-square-transactions.csv'],
  ];
  for (const [names, ...options] of imports) {
    const paths = names.split(' ').map((name) => join(FORMATS, name));
    const ran = await run(
      'sales',
      'import',
      ...paths,
      ...options,
      '--user',
      'office',
      '--allow-future',
    );
    expect(ran).toMatchObject({ status: 0, stderr: '' });
    const expected = EXPECTED[names.split(' ')[0]!]!;
    const days = new Set(expected.map((line) => line.split(' ').slice(0, 2).join('&date=')));
    const stored: string[] = [];
    for (const day of days) {
      const path = `/api/v1/sales/daily?restaurant_id=${day}`;
      const { records } = (await service.client.get(path, { token: office })).body;
      const named = records.map((record: any) => without(record, ...Object.keys(OPTIONAL)));
      stored.push(...named.map((record: object) => Object.values(record).join(' ')));
    }
    expect(stored).toEqual(expect.arrayContaining(expected));
  }
  expect(await run('profile', 'delete', '26-sales')).toMatchObject({ status: 0 });
  expect(await run('profile', 'show', '26-sales')).toMatchObject({ status: 1 });
});
