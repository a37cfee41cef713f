import { givenRestaurant, givenTill } from '../support/given.js';
import { without } from '../support/ledger-model.js';
import { day, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const FIGURES = without(record(), 'restaurant_id', 'date', 'hour');

describe('GET /api/v1/sales/uploads', () => {
  let service: TestApp;
  beforeAll(async () => (service = await createTestApp()));
  afterAll(() => service.close());

  /** Each test has a restaurant of its own, and its till. */
  let id = 100;
  let till: { username: string; token: string };
  beforeEach(async () => (till = await givenTill(service, { restaurants: [++id] })));

  const get = (query = ''): Promise<any> => {
    const path = `/api/v1/sales/uploads?restaurant_id=${id}&date=2025-10-15${query}`;
    return service.client.get(path, { token: till.token });
  };
  const upload = (changes: Record<string, unknown>, token = till.token): Promise<any> =>
    service.client.upload(token, [record({ restaurant_id: id, ...changes })]);

  test('200: every upload, newest first, and for each hour that changed the values before and after', async () => {
    const colleague = await givenTill(service, { restaurants: [id] });
    await service.client.upload(till.token, day({ restaurant_id: id }));
    await service.client.upload(colleague.token, [
      record({ restaurant_id: id, hour: 9, gto: 99.9 }),
      ...day({ restaurant_id: id }).slice(10, 12),
    ]);
    const answer = await get();
    expect(answer.status).toBe(200);
    const [correction, first, ...others] = answer.body.uploads;
    expect(others).toEqual([]);
    expect(answer.body).toMatchObject({ restaurant_id: id, date: '2025-10-15', next: null });
    expect(correction).toEqual({
      id: `${id}-2025-10-15-2`,
      uploaded_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      username: colleague.username,
      processed: 3,
      changes: [
        { hour: 9, before: { ...FIGURES, orders: 9, gto: 109.25 }, after: { ...FIGURES, gto: 99.9 } }, // 10, 11 are the same
      ],
    });
    expect(first).toMatchObject({ id: `${id}-2025-10-15-1`, username: till.username, processed: 24 });
    expect(first.changes).toHaveLength(24);
    expect(first.changes[5]).toEqual({ hour: 5, before: null, after: { ...FIGURES, orders: 5, gto: 105.25 } });
  });

  test('200: nothing uploaded is no uploads', async () => {
    expect((await get()).body).toEqual({ restaurant_id: id, date: '2025-10-15', uploads: [], next: null });
  });

  test('an identical upload is listed, without changes', async () => {
    await upload({});
    await upload({});
    const { uploads } = (await get()).body;
    expect(uploads.map(({ changes }: any) => changes.length)).toEqual([0, 1]);
  });

  test('what an hour was before is what the latest upload that changed it wrote, not the latest upload', async () => {
    await upload({ gto: 1 });
    await upload({ hour: 13 });
    await upload({ gto: 1 });
    await upload({ gto: 2 });
    await upload({ gto: 1 });
    const changes = (await get()).body.uploads.map((each: any) =>
      each.changes.map(({ hour, before, after }: any) => [hour, before?.gto, after.gto]),
    );
    expect(changes).toEqual([[[12, 2, 1]], [[12, 1, 2]], [], [[13, undefined, 1250.5]], [[12, undefined, 1]]]);
  });

  test('amounts come back digit for digit', async () => {
    await upload({ gto: 99999999999.9999 });
    await upload({ gto: 0.0000001 });
    const { text } = await get();
    expect([...text.matchAll(/"gto":([^,]*)/g)].map((match: string[]) => match[1])).toEqual([
      '99999999999.9999',
      '0.0000001',
      '99999999999.9999',
    ]);
  });

  test('pages: limit and after walk through all uploads, each once', async () => {
    for (let gto = 1; gto <= 5; gto++) await upload({ gto });
    const seen: string[] = [];
    const sizes: number[] = [];
    for (let after: number | null = 6; after !== null;) {
      const { uploads, next }: any = (await get(`&limit=2&after=${after}`)).body;
      sizes.push(uploads.length);
      seen.push(...uploads.map((each: any) => `${each.changes[0].before?.gto ?? ''}>${each.changes[0].after.gto}`));
      after = next;
    }
    expect(seen).toEqual(['4>5', '3>4', '2>3', '1>2', '>1']);
    expect(sizes).toEqual([2, 2, 1]);
    expect((await get('&limit=5')).body.next).toBeNull();
    expect((await get('&after=1')).body).toMatchObject({ uploads: [], next: null });
  });

  test('a day of very many uploads is listed page by page', async () => {
    for (let gto = 1; gto <= 51; gto++) await upload({ gto });
    const { uploads, next } = (await get()).body;
    expect([uploads.length, next]).toEqual([50, 2]);
  });

  test('401: without a token', async () => {
    expect((await service.client.get(`/api/v1/sales/uploads?restaurant_id=${id}&date=2025-10-15`)).status).toBe(401);
  });

  test('403: a restaurant that is not granted is the response that an upload gets', async () => {
    await givenRestaurant(service, 90);
    const path = '/api/v1/sales/uploads?restaurant_id=90&date=2025-10-15';
    const foreign = await service.client.get(path, { token: till.token });
    const rejected = await upload({ restaurant_id: 90 });
    expect([foreign.status, foreign.text]).toEqual([403, rejected.text]);
  });

  test.each([
    ['limit must be an integer from 1 to 100', '&limit=101'],
    ['limit must be an integer from 1 to 100', '&limit=0'],
    ['after must be an integer', '&after=x'],
    ['after must be an integer', '&after=2147483648'],
  ])('400: %s (%s)', async (text, query) => {
    const answer = await get(query);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: expect.stringContaining(text) });
  });
});
