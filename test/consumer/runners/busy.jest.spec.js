const { SALES_SERVERS, JEST_WORKER_ID } = process.env;
const [SALES_URL, SALES_CONTROL] = JSON.parse(SALES_SERVERS)[JEST_WORKER_ID - 1];

async function control(instruction) {
  const response = await fetch(SALES_CONTROL, {
    method: 'POST',
    body: JSON.stringify(instruction),
  });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

test('the service is busy twice', async () => {
  const { token } = await control({ token: 'till' });
  await control({ setFaults: [{ status: 503, count: 2 }] });
  const headers = { Authorization: `Bearer ${token}` };
  const statuses = [];
  for (let call = 0; call < 3; call++)
    statuses.push((await fetch(`${SALES_URL}/api/v1/restaurants`, { headers })).status);
  expect(statuses).toEqual([503, 503, 200]);
});
