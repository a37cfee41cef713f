import { LedgerService } from '../../src/sales/ledger/ledger.service.js';
import { givenTill } from '../support/given.js';
import { FIGURES, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const TILLS = 12;
const ROUNDS = 6;

describe('Uploads of the same days at the same moment, through two instances', () => {
  let service: TestApp;
  let statuses: number[];
  let uploads: any[];
  let records: any[];

  beforeAll(async () => {
    service = await createTestApp();
    const other = await service.another();
    const tills = await Promise.all(Array.from({ length: TILLS }, () => givenTill(service, { restaurants: [] })));
    await service.database.query(`INSERT INTO restaurants VALUES (101, 'One'), (102, 'Two')`);
    await service.database.query('INSERT INTO restaurant_grants SELECT users.id, r.id FROM users, restaurants AS r');
    const work = tills.map(async ({ token }, till) => {
      const { client } = till % 2 === 0 ? service : other;
      const answers: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        // Half of all are for one day; hours come in another order from each till, and every figure identifies the upload.
        const restaurant_id = (till + round) % 2 === 0 ? 101 : 102;
        const figure = 1 + till * ROUNDS + round;
        const figures = Object.fromEntries(FIGURES.map((field) => [field, figure]));
        const hours = HOURS.map((hour) => (hour * 7 + till * 5) % 24).slice(0, 12 + ((till + round) % 13));
        const sent = hours.map((hour) => record({ restaurant_id, hour, ...figures }));
        answers.push((await client.upload(token, sent)).status);
      }
      return answers;
    });
    statuses = (await Promise.all(work)).flat();
    const get = async (what: string) =>
      (await service.client.get(`/api/v1/sales/${what}?restaurant_id=101&date=2025-10-15`, tills[0])).body;
    uploads = (await get('uploads')).uploads.reverse();
    records = (await get('daily')).records;
  });
  afterAll(() => service.close());

  test('all are saved: none waits for another that waits for it', () => {
    expect(statuses).toEqual(Array.from({ length: TILLS * ROUNDS }, () => 200));
  });

  test('per hour exactly one wins: no hour mixes the figures of two uploads', () => {
    expect(records).toHaveLength(24);
    for (const each of records) expect(new Set(FIGURES.map((field) => each[field])).size).toBe(1);
  });

  test('the history is complete: uploads are numbered without a gap, in the order of their times', () => {
    const half = (TILLS * ROUNDS) / 2;
    expect(uploads.map(({ id }) => id)).toEqual(Array.from({ length: half }, (_, at) => `101-2025-10-15-${at + 1}`));
    const times = uploads.map(({ uploaded_at }) => uploaded_at);
    expect(times).toEqual([...times].sort());
  });

  test.each(HOURS)('the values of hour %i follow one from the other, from the first to those that stand', (hour) => {
    const changes = uploads.flatMap((each) => each.changes.filter((change: any) => change.hour === hour));
    expect(changes.length).toBeGreaterThan(1);
    expect(changes.map(({ before }) => before)).toEqual([null, ...changes.slice(0, -1).map(({ after }) => after)]);
    expect(records[hour]).toMatchObject(changes.at(-1).after);
  });

  test('the ledger verifies', async () => {
    expect(await service.app.get(LedgerService).verify()).toMatchObject({ days: 2, differences: 0 });
  });
});
