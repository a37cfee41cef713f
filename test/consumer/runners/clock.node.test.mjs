import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from 'restaurant-hourly-sales-upload-service/testing';

let server;
before(async () => {
  server = await startTestServer({
    now: '2025-10-15T21:00:00Z',
    restaurants: [{ restaurant_id: 101, name: 'Harbour Grill' }],
    users: [{ username: 'till', restaurant_ids: [101] }],
    settings: { TIME_ZONE: 'Asia/Singapore', CURRENCY: 'SGD' },
  });
});
after(() => server.stop());

test('a token ends after two hours', async () => {
  const headers = { Authorization: `Bearer ${await server.token('till')}` };
  const restaurants = () => fetch(`${server.url}/api/v1/restaurants`, { headers });
  assert.equal((await restaurants()).status, 200);
  await server.setClock('2025-10-15T23:05:00Z');
  assert.equal((await restaurants()).status, 401);
});
