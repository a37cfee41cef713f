import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from 'restaurant-hourly-sales-upload-service/testing';
import { Client, record } from './client.js';

const PASSWORD = 'a long passphrase';
let server;
let client;
before(async () => {
  server = await startTestServer({
    now: '2025-10-15T23:50:00Z',
    settings: { UPLOAD_MAX_FUTURE_DAYS: 0 },
    restaurants: [{ restaurant_id: 101, name: 'Harbour Grill' }],
    users: [{ username: 'till', password: PASSWORD, restaurant_ids: [101] }],
  });
  client = new Client(server.url);
});
after(() => server.stop());

test('the next day comes, for uploads, their times and commands', async () => {
  const token = await server.token('till');
  const upload = async () => (await client.upload(token, record({ date: '2025-10-16' }))).status;
  assert.equal(await upload(), 400);
  await server.setClock('2025-10-16T00:00:01Z');
  assert.equal(await upload(), 200);
  const { body } = await client.read('uploads', token, '2025-10-16');
  assert.match(body.uploads[0].uploaded_at, /^2025-10-16T00:/);
  const { status, stdout } = await server.admin(['sales', 'missing', '--json']);
  assert.deepEqual([status, JSON.parse(stdout).date], [3, '2025-10-15']);
});

test('a lock ends after 15 minutes; the clock goes back, too', async () => {
  await server.setClock('2025-10-15T15:00:00Z');
  for (let failure = 0; failure < 5; failure++)
    assert.equal((await client.login('till', 'wrong')).status, 401);
  const locked = await client.login('till', PASSWORD);
  assert.equal(locked.status, 429);
  assert.ok(Number(locked.headers.get('Retry-After')) > 800);
  await server.setClock('2025-10-15T15:30:00Z');
  assert.equal((await client.login('till', PASSWORD)).status, 200);
});

test('each server has a clock and data of its own', async () => {
  const other = await startTestServer({ users: [{ username: 'till' }] });
  const token = await other.token('till');
  await other.stop();
  const { iat } = JSON.parse(Buffer.from(token.split('.')[1], 'base64url'));
  assert.ok(Math.abs(iat - Date.now() / 1000) < 60);
  await server.setClock(Date.now());
  assert.equal((await client.upload(token, record())).status, 401);
});
