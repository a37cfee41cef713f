import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

describe('X-Upload-Source of upload-daily', () => {
  let service: TestApp;
  beforeAll(async () => (service = await createTestApp()));
  afterAll(() => service.close());

  /** Each test has a restaurant of its own, and its till. */
  let id = 100;
  let token: string;
  beforeEach(async () => ({ token } = await givenTill(service, { restaurants: [++id] })));

  const send = (source?: string, query = '') =>
    service.client.post(
      `/api/v1/sales/upload-daily${query}`,
      { records: [record({ restaurant_id: id })] },
      { token, ...(source !== undefined && { headers: { 'X-Upload-Source': source } }) },
    );
  const sources = async (): Promise<unknown[]> => {
    const rows = await service.database.query(
      `SELECT source FROM uploads WHERE restaurant_id = ${id} ORDER BY number`,
    );
    return rows.map(({ source }) => source);
  };

  test('is kept in the ledger with each upload', async () => {
    const texts = [
      'H39100001_20251003.txt',
      'Café – Kasse 2, 营业额.csv',
      '€'.repeat(200),
      '%+&"',
      'می\u200cخواهم',
    ];
    for (const text of texts) expect((await send(encodeURIComponent(text))).status).toBe(200);
    expect((await send()).status).toBe(200);
    expect((await send(' ')).status).toBe(200);
    expect(await sources()).toEqual([...texts, null, null]);
  });

  test.each([
    ['a percent sign alone', '100%'],
    ['bytes that are not UTF-8', '%ff'],
    ['characters that are not encoded', 'Caf\u00e9'],
    ['a control character', 'a%00b'],
    ['an invisible character', 'a%E2%80%8Bb'],
    ['a character that turns the direction', '%E2%80%AEvsc.1H'],
    ['201 characters', 'x'.repeat(201)],
    ['half of a pair', '%ed%a0%80'],
  ])('is 400 if it is %s, and nothing is saved', async (_what, source) => {
    for (const query of ['', '?dry_run=true'])
      expectError(await send(source, query), 400, /X-Upload-Source/);
    expect(await sources()).toEqual([]);
  });
});

describe('X-Import-Source of upload-daily', () => {
  let service: TestApp;
  let token: string;
  beforeAll(async () => {
    service = await createTestApp();
    ({ token } = await givenTill(service, { restaurants: [101] }));
  });
  afterAll(() => service.close());

  const send = (source: string, query = '') =>
    service.client.post(
      `/api/v1/sales/upload-daily${query}`,
      { records: [record({ restaurant_id: 101 })] },
      { token, headers: { 'X-Import-Source': encodeURIComponent(source) } },
    );

  test('is kept as data, and a dry run names it for each stored hour', async () => {
    const source = { profile: 'harbour-till', tills: ['1', '营业额 2'] };
    expect((await send(JSON.stringify(source))).status).toBe(200);
    const { body } = await send('', '?dry_run=true');
    const uploaded_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
    expect(body.stored).toEqual([{ hour: 12, source: null, import: source, uploaded_at }]);
  });

  test.each([
    'no JSON',
    '[]',
    'null',
    '{"profile":"a"}',
    '{"profile":1,"tills":[]}',
    '{"profile":"a","tills":[1]}',
    '{"profile":"a\\u0000","tills":[]}',
    '{"profile":"\\ud800","tills":[]}',
    `{"profile":"a","tills":["${'x'.repeat(4000)}"]}`,
  ])('400: %.40s', async (source) => {
    expectError(await send(source), 400, /X-Import-Source/);
  });
});
