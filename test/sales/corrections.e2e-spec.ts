import { getRepositoryToken } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { REPORTS } from '../../src/database/reports-database.js';
import { LedgerUpload } from '../../src/sales/sales.entity.js';
import { expectError } from '../support/expect-error.js';
import { givenRestaurant, givenTill } from '../support/given.js';
import { day, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const DATE = '2025-10-15';
const RANGE = 'from=2025-10-01&to=2025-10-31';

let service: TestApp;
beforeAll(async () => (service = await createTestApp()));
afterAll(() => service.close());

/** Each test has two restaurants of its own, and their till. */
let id = 200;
let username: string;
let token: string;
beforeEach(async () => {
  id += 2;
  ({ username, token } = await givenTill(service, { restaurants: [id, id + 1] }));
});

const upload = async (
  records: Record<string, unknown>[],
  headers: Record<string, string> = {},
): Promise<void> => {
  const body = { records: records.map((each) => ({ restaurant_id: id, ...each })) };
  const sent = await service.client.post('/api/v1/sales/upload-daily', body, { token, headers });
  expect(sent.status).toBe(200);
};
const hour = (of: number, gto: number, more = {}): Record<string, unknown> =>
  record({ restaurant_id: id, hour: of, gto, ...more });
const changes = async (query = RANGE): Promise<any> => {
  const answer = await service.client.get(`/api/v1/sales/changes?${query}`, { token });
  expect(answer.status).toBe(200);
  return answer.body;
};

describe('GET /api/v1/sales/changes', () => {
  test('lists the uploads that replaced figures, newest first: who, from where, what', async () => {
    await upload([hour(9, 0.1), hour(10, 0.2), hour(11, 5)]);
    await upload([hour(9, 0.1)]); // the same again changes nothing
    await upload([hour(12, 7)]); // a new hour replaces nothing
    await upload([hour(9, 99999999999.9999), hour(10, 0.3), hour(13, 1)], {
      'X-Upload-Source': 'H1_%C3%A9.txt',
    });
    await upload([hour(9, 1), hour(11, 5, { pax: 1 })]);
    await upload(day({ restaurant_id: id, date: '2025-11-01' }));
    await upload(day({ restaurant_id: id, date: '2025-11-01', gto: 1 })); // out of the range
    const { text } = await service.client.get(`/api/v1/sales/changes?${RANGE}`, { token });
    const of = { restaurant_id: id, name: `Restaurant ${id}`, date: DATE, username };
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const listed = (number: number, more: object) => {
      return { ...of, id: `${id}-${DATE}-${number}`, uploaded_at: time, ...more };
    };
    expect(JSON.parse(text)).toEqual({
      ...{ from: '2025-10-01', to: '2025-10-31', made_from: null, made_to: null, next: null },
      changes: [
        listed(5, {
          ...{ source: null, hours: [9, 11], gto_before: 100000000004.9999, gto_after: 6 },
          fields: [
            { name: 'gto', before: 100000000004.9999, after: 6 },
            { name: 'pax', before: 192, after: 97 },
          ],
        }),
        listed(4, {
          ...{ source: 'H1_é.txt', hours: [9, 10], gto_before: 0.3, gto_after: 100000000000.2999 },
          fields: [{ name: 'gto', before: 0.3, after: 100000000000.2999 }],
        }),
      ],
    });
    expect(text).toContain('"gto_before":0.3,"gto_after":100000000000.2999,');
    const { uploads } = (
      await service.client.get(`/api/v1/sales/uploads?restaurant_id=${id}&date=${DATE}`, { token })
    ).body;
    expect(uploads.map(({ source }: any) => source)).toEqual([null, 'H1_é.txt', null, null, null]);
  });

  test('leads through all of them in pages, whichever day they are of', async () => {
    for (const date of ['2025-10-03', '2025-10-01', '2025-10-02'])
      for (const gto of [1, 2, 3]) await upload([hour(9, gto, { date })]);
    const { changes: whole, next } = await changes();
    expect(whole.map((each: any) => each.id)).toEqual(
      [2, 1, 3].flatMap((of) => [3, 2].map((number) => `${id}-2025-10-0${of}-${number}`)),
    );
    const pages = [];
    for (let after = ''; pages.length < 5;) {
      const page = await changes(`${RANGE}&limit=4${after}`);
      pages.push(page.changes);
      if (page.next === null) break;
      after = `&after=${page.next}`;
    }
    expect([next, pages.map(({ length }) => length), pages.flat()]).toEqual([null, [4, 2], whole]);
    const of = { from: '2025-10-01', to: '2025-10-31', made_from: null, made_to: null };
    const nothing = { ...of, changes: [], next: null };
    expect(await changes(`${RANGE}&after=${id}-2025-10-01-99`)).toEqual(nothing);
  });

  test('read no upload where none has replaced figures', async () => {
    await upload([hour(9, 1)]);
    const uploads = service.app.get<Repository<LedgerUpload>>(
      getRepositoryToken(LedgerUpload, REPORTS),
    );
    const find = jest.spyOn(uploads, 'find');
    expect(await changes()).toMatchObject({ changes: [], next: null });
    const found = await Promise.all(find.mock.results.map(({ value }) => value));
    expect(found.flat()).toEqual([]);
    find.mockRestore();
  });

  test('names a figure that moved from one hour to another, and none that stayed', async () => {
    await upload([hour(9, 3, { pax: 5 }), hour(10, 4, { pax: 6 })]);
    await upload([hour(9, 4, { pax: 5 }), hour(10, 3, { pax: 6 })]);
    const { changes: listed } = await changes();
    expect(listed).toMatchObject([{ gto_before: 7, gto_after: 7 }]);
    expect(listed[0].fields).toEqual([{ name: 'gto', before: 7, after: 7 }]);
  });

  test('finds those that were made on some days, in TIME_ZONE', async () => {
    const days = ['2025-10-03', '2024-02-01'];
    for (const date of days) for (const gto of [1, 2]) await upload([hour(9, gto, { date })]);
    await service.database.query('ALTER TABLE uploads DISABLE TRIGGER append_only');
    const move = `UPDATE uploads SET uploaded_at = $2::timestamp AT TIME ZONE $3
      WHERE restaurant_id = $1 AND date = $4`;
    const { TIME_ZONE } = service.config;
    await service.database.query(move, [id, '2025-10-03 23:59:59.9', TIME_ZONE, days[0]]);
    await service.database.query(move, [id, '2025-10-04 00:00:00', TIME_ZONE, days[1]]);
    await service.database.query('ALTER TABLE uploads ENABLE TRIGGER append_only');
    const dates = async (query: string) =>
      (await changes(query)).changes.map(({ date }: any) => date);
    expect(await dates('made_from=2025-10-03&made_to=2025-10-04')).toEqual(days.toReversed());
    expect(await dates('made_from=2025-10-03&made_to=2025-10-03')).toEqual([days[0]]);
    expect(await dates('made_from=2025-10-04&made_to=2025-10-04')).toEqual([days[1]]);
    const both = 'made_from=2025-10-03&made_to=2025-10-04';
    expect(await dates(`${both}&${RANGE}`)).toEqual([days[0]]);
    expect(await changes(`${both}&limit=1&after=${id}-${days[1]}-2`)).toMatchObject({
      ...{ from: null, to: null, made_from: '2025-10-03', made_to: '2025-10-04' },
      changes: [{ date: days[0] }],
    });
  });

  test('finds those of the granted restaurants, or some of them', async () => {
    for (const restaurant_id of [id, id + 1])
      for (const gto of [1, 2]) await upload([hour(9, gto, { restaurant_id })]);
    const restaurants = async (query: string) =>
      (await changes(query)).changes.map((each: any) => each.restaurant_id);
    expect(await restaurants(RANGE)).toEqual([id + 1, id]);
    expect(await restaurants(`${RANGE}&restaurant_id=${id}`)).toEqual([id]);
    await givenRestaurant(service, 90);
    const path = `/api/v1/sales/changes?${RANGE}&restaurant_id=${id},90`;
    expectError(await service.client.get(path, { token }), 403);
    const other = await givenTill(service, { restaurants: [] });
    const answer = await service.client.get(`/api/v1/sales/changes?${RANGE}`, other);
    expect(answer.body.changes).toEqual([]);
  });

  test('finds those of earlier releases too, whose ledger does not say what was replaced', async () => {
    await upload([hour(9, 1), hour(10, 1)]);
    await upload([hour(10, 2), hour(11, 2)]);
    await upload([hour(12, 3)]);
    const { changes: before } = await changes();
    await service.database.query('ALTER TABLE uploads DISABLE TRIGGER append_only');
    const forget = 'UPDATE uploads SET replaced_hours = NULL WHERE restaurant_id = $1';
    await service.database.query(forget, [id]);
    await service.database.query('ALTER TABLE uploads ENABLE TRIGGER append_only');
    expect(before).toMatchObject([{ hours: [10], gto_before: 1, gto_after: 2 }]);
    expect((await changes()).changes).toEqual(before);
  });

  test('reads a day of 2,000 uploads, as a till in a loop makes them, within the time limit', async () => {
    await upload(day({ restaurant_id: id, gto: 1 }));
    await upload(day({ restaurant_id: id, gto: 2 }));
    // As the second one was saved, over and over.
    await service.database.query(
      `INSERT INTO uploads SELECT (jsonb_populate_record(u, jsonb_build_object('number', n))).*
       FROM uploads AS u, generate_series(3, 2000) AS n WHERE restaurant_id = $1 AND number = 2`,
      [id],
    );
    const { changes: page } = await changes(`${RANGE}&limit=100`);
    expect(page).toHaveLength(100);
    expect(page[0]).toMatchObject({ id: `${id}-${DATE}-2000`, gto_before: 48, gto_after: 48 });
    expect(page[0].hours).toHaveLength(24);
  });

  test('do not say the turnover before where more than 5,000 uploads lie between', async () => {
    await upload([hour(9, 1), hour(10, 1)]);
    await upload([hour(9, 2)]);
    await upload([hour(9, 3), hour(10, 3)]);
    // 5,000 like the second one, and one like the third.
    await service.database.query(
      `INSERT INTO uploads SELECT (jsonb_populate_record(u, jsonb_build_object('number', n))).*
       FROM uploads AS u, generate_series(4, 5004) AS n
       WHERE restaurant_id = $1 AND number = CASE WHEN n < 5004 THEN 2 ELSE 3 END`,
      [id],
    );
    const { changes: page, next } = await changes(`${RANGE}&limit=2&restaurant_id=${id}`);
    expect(page).toMatchObject([
      {
        ...{ id: `${id}-${DATE}-5004`, hours: [9, 10], gto_before: null, gto_after: 6 },
        fields: [{ name: 'gto', before: null, after: 6 }],
      },
      { id: `${id}-${DATE}-3`, hours: [9, 10], gto_before: 3, gto_after: 6 },
    ]);
    expect(next).toBe(`${id}-${DATE}-3`);
  });

  test.each([
    ['from=2025-10-15', 400, /^to is missing: from is given$/],
    [`${RANGE}&after=101-2025-02-30-1`, 400, /^after must be the `next` of the previous page/],
    [`${RANGE}&after=101-2025-10-15-2147483648`, 400, /^after must be/],
    ['from=2025-01-01&to=2026-02-05', 400, /^from and to must span at most 400 days/],
    ['from=2025-10-16&to=2025-10-15', 400, /^to \(2025-10-15\) must not be before from/],
    ['limit=5', 400, /^from and to, or made_from and made_to, are missing$/],
    ['made_to=2025-10-15', 400, /^made_from is missing: made_to is given$/],
    ['made_from=2025-01-01&made_to=2026-02-05', 400, /at most 400 days/],
    [`${RANGE}&made_from=2025-01-01&made_to=2026-02-05`, 400, /at most 400 days/],
  ])('rejects %s', async (query, status, text) => {
    const answer = await service.client.get(`/api/v1/sales/changes?${query}`, { token });
    expectError(answer, status);
    expect(answer.body.error).toMatch(text);
  });
});
