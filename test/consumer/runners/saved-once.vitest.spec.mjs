import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer } from 'restaurant-hourly-sales-upload-service/testing';

const payments = { cash: 30, nets: 0, visa: 0, master: 0, amex: 0, voucher: 0, other: 0 };
const hour = {
  restaurant_id: 101,
  date: '2025-10-15',
  hour: 12,
  orders: 1,
  pax: 2,
  gto: 30,
  gst: 0,
  svc: 0,
  discount: 0,
};

let server;
beforeAll(async () => {
  server = await startTestServer({
    restaurants: [{ restaurant_id: 101, name: 'Harbour Grill' }],
    users: [{ username: 'till', restaurant_ids: [101] }],
  });
}, 60_000);
afterAll(() => server.stop());

test('an upload whose response is lost is saved, and sent again changes nothing', async () => {
  const headers = {
    'Content-Type': 'application/json',
    Authorization: `Bearer ${await server.token('till')}`,
  };
  const body = JSON.stringify({ records: [{ ...hour, ...payments }] });
  const upload = () =>
    fetch(`${server.url}/api/v1/sales/upload-daily`, { method: 'POST', headers, body });
  await server.setFaults([{ lost: true }]);
  await expect(upload()).rejects.toThrow();
  expect((await upload()).status).toBe(200);
  const day = await fetch(`${server.url}/api/v1/sales/daily?restaurant_id=101&date=2025-10-15`, {
    headers,
  });
  expect((await day.json()).totals.gto).toBe(30);
});
