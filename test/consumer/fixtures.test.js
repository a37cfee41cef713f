import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { startTestServer } from 'restaurant-hourly-sales-upload-service/testing';
import { Client, record } from './client.js';

const fixtures = JSON.parse(readFileSync(new URL('./fixtures.json', import.meta.url)));

let server;
let client;
before(async () => {
  server = await startTestServer(fixtures);
  client = new Client(server.url);
});
after(() => server.stop());

/** The status of an upload. */
const upload = async (token, changes) => (await client.upload(token, record(changes))).status;

test('the users can do what the fixtures say', async () => {
  const { body } = await client.login('till', 'a long passphrase');
  assert.equal(await upload(body.access_token), 200);
  assert.equal(await upload(body.access_token, { restaurant_id: 102 }), 403);
  assert.equal((await client.login('former till', 'another passphrase')).status, 403);
  const office = await server.token('office');
  assert.equal(await upload(office, { restaurant_id: 102, date: '2025-05-31' }), 200);
  assert.equal(await upload(office, { restaurant_id: 102, date: '2025-06-01' }), 400);
  await assert.rejects(server.token('former till'), /no enabled user/);
});

test('the uploads are in the ledger with their senders', async () => {
  const { body } = await client.read('uploads', await server.token('till'));
  const amounts = (changes) => changes.map(({ after }) => after.gto);
  const senders = body.uploads.map(({ username, changes }) => [username, amounts(changes)]);
  assert.deepEqual(senders.slice(-2), [
    ['former till', [1270.5]],
    ['till', [240.5, 1250.5]],
  ]);
});

test('loading them again revokes no token, and restores what a test has changed', async () => {
  const token = await server.token('till');
  const before = await client.read('daily', token);
  await server.load(fixtures);
  const same = await client.read('daily', token);
  assert.deepEqual([same.status, same.body.records], [200, before.body.records]);
  await client.upload(token, record({ hour: 12, gto: 1 }));
  await server.admin(['user', 'disable', 'till']);
  await server.admin(['user', 'set-password', 'till', '--password-stdin'], 'another passphrase\n');
  await server.admin(['restaurant', 'rename', '101', '--name', 'Other']);
  await server.load(fixtures);
  const { body } = await client.login('till', 'a long passphrase');
  const day = await client.read('daily', body.access_token);
  assert.equal(day.body.records.find(({ hour }) => hour === 12).gto, 1270.5);
  assert.match((await client.upload(body.access_token, record())).body.message, /Harbour Grill/);
});

test('what is wrong in fixtures is named', async () => {
  const [upload] = fixtures.uploads;
  const wrong = { ...upload, records: [{ ...upload.records[0], hour: 24, gto: '1' }] };
  const users = [{ username: 'till', restaurant_ids: [0] }];
  await assert.rejects(startTestServer({ users, uploads: [wrong] }), {
    message:
      'users[0].restaurant_ids must be a list of integers from 1 to 2147483647; ' +
      'uploads[0].records[0].hour must be an integer from 0 to 23; ' +
      'uploads[0].records[0].gto must be a number from 0 up to but not including 100000000000, without quotes',
  });
  await assert.rejects(startTestServer({ uploads: [upload] }), /there is no user "till"/);
});

test('settings are checked, and never those of production', async () => {
  for (const [settings, message] of [
    [{ BODY_LIMIT_BYTES: 1 }, /BODY_LIMIT_BYTES must be/],
    [{ NODE_ENV: 'production' }, /production never runs on the embedded database/],
    [{ TIMEZONE: 'UTC' }, /^the test server has no setting TIMEZONE: .env.example lists them$/],
  ])
    await assert.rejects(startTestServer({ settings }), { message });
});

test('a server leaves the options of its caller as they are: the next one starts with the same', async () => {
  const options = {
    ...fixtures,
    now: '2025-10-16T08:00:00Z',
    settings: { TIME_ZONE: 'Asia/Tokyo' },
  };
  const before = structuredClone(options);
  const one = await startTestServer(options);
  await one.load({ users: options.users });
  await one.stop();
  assert.deepEqual(options, before);
});

test('names that nobody would read are refused at any depth', async () => {
  const user = { username: 'till', restaurantIds: [101] };
  const closure = { first_day: '2025-10-15', lastday: '2025-10-16' };
  const restaurant = { restaurant_id: 101, name: 'Grill', closures: [closure] };
  const [upload] = structuredClone(fixtures.uploads);
  upload.records[0].delivery = 1;
  for (const [options, message] of [
    [{ users: [user] }, /^users\[0]\.restaurantIds is not known; there are .*restaurant_ids/],
    [{ restaurants: [restaurant] }, /^restaurants\[0]\.closures\[0]\.lastday is not known/],
    [{ uploads: [upload] }, /^uploads\[0]\.records\[0]\.delivery is not known; there are .*other/],
    [{ user: [user] }, /^user is not known; there are .*users/],
    [{ setings: {} }, /^setings is not known; there are .*now, settings/],
  ])
    await assert.rejects(startTestServer(options), { message });
  await assert.rejects(server.load({ now: '2025-10-16T08:00:00Z' }), /: now is not known/);
});

test('reset leaves the same server with an empty database', async () => {
  const own = await startTestServer(fixtures);
  const tills = new Client(own.url);
  await own.setFaults([{ status: 503 }]);
  await own.reset();
  await assert.rejects(own.token('till'), /no enabled user/);
  await own.load(fixtures);
  const { body } = await tills.read('uploads', await own.token('till'));
  assert.equal(body.uploads.length, 2);
  await own.stop();
});

test('a fault of one user is not met by another', async () => {
  const [till, office] = [await server.token('till'), await server.token('office')];
  await server.setFaults([{ status: 503, username: 'office' }]);
  assert.equal((await client.read('daily', till)).status, 200);
  assert.equal((await client.read('daily', office)).status, 503);
  assert.equal((await client.read('daily', office)).status, 200);
  await assert.rejects(server.setFaults([{ status: 503, username: 'nobody' }]), /no user "nobody"/);
});
