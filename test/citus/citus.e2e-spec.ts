import { createCitusDatabase } from './citus-database.js';
import type { Answer } from '../support/client.js';
import { CommandLine } from '../support/command-line.js';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { day, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const FIRST = 1000;
const RESTAURANTS = [1, 2, 3, 4].map((number) => FIRST + number);
const DATE = '2025-10-15';

let service: TestApp;
let username: string;
let token: string;
beforeAll(async () => {
  service = await createTestApp({}, await createCitusDatabase());
  ({ username, token } = await givenTill(service, {
    restaurants: RESTAURANTS,
    username: `till ${FIRST}`,
  }));
});
afterAll(() => service.close());

const upload = (restaurant_id: number, date = DATE): Promise<Answer> =>
  service.client.upload(token, day({ restaurant_id, date }));

async function admin(args: string[], input = ''): Promise<string> {
  const ran = await new CommandLine(service.app).run(args, input);
  expect(ran).toMatchObject({ stderr: '' });
  return ran.stdout;
}

const statusesOf = (answers: Answer[]): number[] => [
  ...new Set(answers.map(({ status }) => status)),
];

test('Uploads are saved, read back, reported, exported and proved', async () => {
  expect(statusesOf(await Promise.all(RESTAURANTS.map((id) => upload(id))))).toEqual([200]);
  const [first] = RESTAURANTS as [number];
  const changed = record({ restaurant_id: first, hour: 13, gto: 7.25 });
  const preview = await service.client.post(
    '/api/v1/sales/upload-daily?dry_run=true',
    { records: [changed] },
    { token },
  );
  expect(preview.body.changes).toMatchObject([
    { hour: 13, before: { gto: 113.25 }, after: { gto: 7.25 } },
  ]);
  expect((await service.client.upload(token, [changed])).status).toBe(200);

  const get = async (path: string): Promise<any> =>
    (await service.client.get(path, { token })).body;
  const stored = await get(`/api/v1/sales/daily?restaurant_id=${first}&date=${DATE}`);
  expect([stored.records.length, stored.records[13].gto]).toEqual([24, 7.25]);
  const { uploads } = await get(`/api/v1/sales/uploads?restaurant_id=${first}&date=${DATE}`);
  expect(uploads.map(({ changes }: any) => changes.length)).toEqual([1, 24]);
  expect(uploads[0].changes).toMatchObject([
    { hour: 13, before: { gto: 113.25 }, after: { gto: 7.25 } },
  ]);
  const range = `from=2025-10-14&to=${DATE}`;
  const { restaurants } = await get(`/api/v1/sales/calendar?${range}`);
  expect(restaurants.map(({ restaurant_id, days }: any) => [restaurant_id, days])).toEqual(
    RESTAURANTS.map((id) => [id, 'MC']),
  );
  expect((await get(`/api/v1/sales/totals?${range}`)).days.map(({ hours }: any) => hours)).toEqual([
    0, 96,
  ]);
  const missing = await get(`/api/v1/sales/missing?${range}`);
  expect(missing.missing.map(({ restaurant_id, date }: any) => [restaurant_id, date])).toEqual(
    RESTAURANTS.map((id) => [id, '2025-10-14']),
  );
  const csv = await admin([
    'sales',
    'export',
    '--from',
    DATE,
    '--to',
    DATE,
    '--restaurant',
    `${first}`,
  ]);
  expect(csv.trim().split('\n')).toHaveLength(25);
  expect(JSON.parse(await admin(['sales', 'verify', '--json']))).toMatchObject({ differences: 0 });
});

test('A token that was revoked, an account that was disabled or got a new password: 401 at once', async () => {
  const statusOf = async (): Promise<number> => (await upload(RESTAURANTS[0]!)).status;
  const renew = async (password: string): Promise<void> => {
    token = await service.client.token(username, password);
    expect(await statusOf()).toBe(200);
  };
  await service.client.post('/api/v1/auth/revoke', {}, { token });
  expectError(await upload(RESTAURANTS[0]!), 401, /revoked/);
  await renew('right password');
  expect(await admin(['user', 'disable', username])).toContain('1 token revoked');
  expect(await statusOf()).toBe(401);
  await admin(['user', 'enable', username]);
  expect(await statusOf()).toBe(401);
  await renew('right password');
  await admin(['user', 'set-password', username, '--password-stdin'], 'another password\n');
  expect(await statusOf()).toBe(401);
  await renew('another password');
  await admin(['token', 'revoke', username]);
  expect(await statusOf()).toBe(401);
  await renew('another password');
});
