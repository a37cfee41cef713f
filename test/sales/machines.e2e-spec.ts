import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const PATH = '/api/v1/sales/machines';

describe('GET and PUT /api/v1/sales/machines', () => {
  let service: TestApp;
  beforeAll(async () => (service = await createTestApp()));
  afterAll(() => service.close());

  let token: string;
  beforeEach(async () => ({ token } = await givenTill(service)));

  const put = (body: unknown, sender = token) =>
    service.client.send('PUT', PATH, JSON.stringify(body), {
      Authorization: `Bearer ${sender}`,
      'Content-Type': 'application/json',
    });
  const get = async (sender = token) => (await service.client.get(PATH, { token: sender })).body;

  test('200: nothing chosen is an empty list', async () => {
    expect(await get()).toEqual({ machines: [] });
  });

  test('200: what was chosen is kept in its order, and replaced as a whole', async () => {
    const first = { machines: [{ machine: 'X-1', restaurant_id: 101 }, { machine: '4012345', restaurant_id: 999 }] }; // prettier-ignore
    const answer = await put({ machines: first.machines.map((each) => ({ ...each, unknown: 1 })) });
    expect([answer.status, answer.body]).toEqual([200, first]);
    expect(await get()).toEqual(first);
    const second = { machines: [{ machine: 'ü \ud83d\ude00', restaurant_id: 2147483647 }] };
    await put(second);
    expect(await get()).toEqual(second);
    await put({ machines: [] });
    expect(await get()).toEqual({ machines: [] });
  });

  test('each user has a list of their own', async () => {
    const other = await givenTill(service);
    await put({ machines: [{ machine: '1', restaurant_id: 101 }] });
    expect(await get(other.token)).toEqual({ machines: [] });
  });

  test('lists that are sent at once are kept whole: one of them is there afterwards', async () => {
    const lists = Array.from({ length: 8 }, (_, list) => ({
      machines: Array.from({ length: 200 }, (_unused, index) => ({ machine: `${list}-${index}`, restaurant_id: 1 })),
    }));
    const answers = await Promise.all(lists.map((list) => put(list)));
    expect(answers.map(({ status }) => status)).toEqual(lists.map(() => 200));
    expect(lists).toContainEqual(await get());
  });

  test.each([
    [/machines is missing/, {}],
    [
      /machines .*\b201\b.*\b200\b/,
      { machines: Array.from({ length: 201 }, (_, index) => ({ machine: `${index}`, restaurant_id: 1 })) },
    ],
    [
      /machines\[0\]\.machine must be a non-empty string of at most 40/,
      { machines: [{ machine: 'x'.repeat(41), restaurant_id: 1 }] },
    ],
    [/machines\[0\]\.restaurant_id must be an integer/, { machines: [{ machine: 'x', restaurant_id: 0 }] }],
    [
      /machines\[1\]\.machine repeats machines\[0\]\.machine/,
      {
        machines: [
          { machine: 'x', restaurant_id: 1 },
          { machine: 'x', restaurant_id: 2 },
        ],
      },
    ],
  ])('400: %s', async (text, body) => {
    expectError(await put(body), 400, text);
    expect(await get()).toEqual({ machines: [] });
  });

  test.each(['\u0000', 'till\u0007', 'a\nb', '\u009b31m', '\ud83d', ' till'])('400: a machine %j', async (machine) => {
    const answer = await put({ machines: [{ machine, restaurant_id: 1 }] });
    expectError(answer, 400, /machines\[0\]\.machine must .*control/);
    expect(answer.headers.get('X-Error-Fields')).toBe('/machines/0/machine');
  });

  test('401: without a token', async () => {
    expectError(await service.client.get(PATH), 401);
    expectError(await service.client.send('PUT', PATH, '{}'), 401);
  });
});
