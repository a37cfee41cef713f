import { expect, test } from '@playwright/test';

const { SALES_SERVERS, TEST_PARALLEL_INDEX = 0 } = process.env; // not set while the tests are listed
const [SALES_URL, SALES_CONTROL] = JSON.parse(SALES_SERVERS)[TEST_PARALLEL_INDEX];

test('a till that waits for a second gives up', async ({ request }) => {
  const control = async (data) =>
    (await request.post(SALES_CONTROL, { data, failOnStatusCode: true })).json();
  const { token } = await control({ token: 'till' });
  const headers = { Authorization: `Bearer ${token}` };
  await control({ setFaults: [{ delay_ms: 3000 }] });
  await expect(
    request.get(`${SALES_URL}/api/v1/restaurants`, { headers, timeout: 1000 }),
  ).rejects.toThrow('Timeout');
  await expect(await request.get(`${SALES_URL}/api/v1/restaurants`, { headers })).toBeOK();
});
