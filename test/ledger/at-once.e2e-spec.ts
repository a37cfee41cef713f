import fc from 'fast-check';
import { addDays } from '../../src/config/business-calendar.js';
import { LedgerService } from '../../src/sales/ledger/ledger.service.js';
import { givenTill } from '../support/given.js';
import { LedgerModel, without } from './ledger-model.js';
import { FIGURES, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

describe('Uploads of the same days at the same moment, through two instances', () => {
  const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
  const TILLS = 12;
  const ROUNDS = 6;

  let service: TestApp;
  let statuses: number[];
  let uploads: any[];
  let records: any[];

  beforeAll(async () => {
    service = await createTestApp();
    const other = await service.another();
    const tills = await Promise.all(
      Array.from({ length: TILLS }, () => givenTill(service, { restaurants: [] })),
    );
    await service.database.query(`INSERT INTO restaurants VALUES (101, 'One'), (102, 'Two')`);
    await service.database.query(
      'INSERT INTO restaurant_grants SELECT users.id, r.id FROM users, restaurants AS r',
    );
    const work = tills.map(async ({ token }, till) => {
      const { client } = till % 2 === 0 ? service : other;
      const answers: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        // Half of all are for one day; hours come in another order from each till, and every figure identifies the upload.
        const restaurant_id = (till + round) % 2 === 0 ? 101 : 102;
        const figure = 1 + till * ROUNDS + round;
        const figures = Object.fromEntries(FIGURES.map((field) => [field, figure]));
        const hours = HOURS.map((hour) => (hour * 7 + till * 5) % 24).slice(
          0,
          12 + ((till + round) % 13),
        );
        const sent = hours.map((hour) => record({ restaurant_id, hour, ...figures }));
        answers.push((await client.upload(token, sent)).status);
      }
      return answers;
    });
    statuses = (await Promise.all(work)).flat();
    const get = async (what: string) =>
      (
        await service.client.get(
          `/api/v1/sales/${what}?restaurant_id=101&date=2025-10-15`,
          tills[0],
        )
      ).body;
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
    expect(uploads.map(({ id }) => id)).toEqual(
      Array.from({ length: half }, (_, at) => `101-2025-10-15-${at + 1}`),
    );
    const times = uploads.map(({ uploaded_at }) => uploaded_at);
    expect(times).toEqual([...times].sort());
  });

  test.each(HOURS)(
    'the values of hour %i follow one from the other, from the first to those that stand',
    (hour) => {
      const changes = uploads.flatMap((each) =>
        each.changes.filter((change: any) => change.hour === hour),
      );
      expect(changes.length).toBeGreaterThan(1);
      expect(changes.map(({ before }) => before)).toEqual([
        null,
        ...changes.slice(0, -1).map(({ after }) => after),
      ]);
      expect(records[hour]).toMatchObject(changes.at(-1).after);
    },
  );

  test('the ledger verifies', async () => {
    expect(await service.app.get(LedgerService).verify()).toMatchObject({
      days: 2,
      differences: 0,
    });
  });
});

describe('Any sequence of uploads, retries and corrections, also at the same moment', () => {
  type Records = Record<string, unknown>[];

  /** Few values, so that many uploads change nothing, and some with every digit that a number has. */
  const amount = fc.oneof(
    fc.constantFrom(0, 0.1, 12.5, 99999999999.9999, 1e-7),
    fc.double({ min: 0, max: 1e11, maxExcluded: true, noNaN: true }),
  );
  const hours = fc.uniqueArray(fc.integer({ min: 0, max: 23 }), { minLength: 1, maxLength: 24 });
  const anyHours = fc.oneof(fc.constantFrom([7], [7, 8], [8, 7, 9]), hours);
  const upload = anyHours.chain((asked) => {
    const figures = fc.record({
      gto: amount,
      cash: amount,
      orders: fc.constantFrom(0, 1, 2147483647),
    });
    return fc.tuple(
      ...asked.map((hour) => figures.map((given): Record<string, unknown> => ({ hour, ...given }))),
    );
  });
  /** What the tills send at one moment, a till each; `null` is what that till sent last, once more. */
  const moment = fc.array(fc.option(upload, { freq: 4 }), { minLength: 1, maxLength: 3 });

  let service: TestApp;
  let other: TestApp;
  let tills: { username: string; token: string }[];
  let run = 0;
  beforeAll(async () => {
    service = await createTestApp();
    other = await service.another();
    tills = [await givenTill(service), await givenTill(service), await givenTill(service)];
  });
  afterAll(() => service.close());

  const get = async (path: string): Promise<any> => (await other.client.get(path, tills[0])).body;

  /** Sends them, the second till's to another instance, and returns who sent what at each moment. */
  async function send(
    moments: (Record<string, unknown>[] | null)[][],
    date: string,
  ): Promise<Map<string, Records>[]> {
    const last = new Map<string, Records>();
    const sent: Map<string, Records>[] = [];
    for (const asked of moments) {
      asked.forEach((uploaded, till) => {
        const { username } = tills[till]!;
        if (uploaded)
          last.set(
            username,
            uploaded.map((given) => record({ date, ...given })),
          );
        else if (!last.has(username)) last.set(username, [record({ date })]);
      });
      const now = new Map(
        tills.slice(0, asked.length).map(({ username }) => [username, last.get(username)!]),
      );
      const answers = await Promise.all(
        tills.slice(0, asked.length).map(async ({ username, token }, till) => {
          const { client } = till === 1 ? other : service;
          return (await client.upload(token, now.get(username))).body.processed;
        }),
      );
      expect(answers).toEqual([...now.values()].map((records) => records.length));
      sent.push(now);
    }
    return sent;
  }

  test('is the same values and the same history in a plain model as in the database', async () => {
    const deadline = Date.now() + 10_000;
    const sequences = fc.asyncProperty(
      fc.array(moment, { minLength: 1, maxLength: 6 }),
      async (moments) => {
        if (Date.now() > deadline) return; // a slow machine tries fewer
        const date = addDays('2025-01-01', ++run);
        const day = `restaurant_id=101&date=${date}`;
        const sent = await send(moments, date);
        const { uploads, next } = await get(`/api/v1/sales/uploads?${day}&limit=100`);
        const listed: any[] = uploads.reverse().map((each: any) => without(each, 'uploaded_at'));
        const model = new LedgerModel();
        for (const { username } of listed) {
          if (sent[0]?.size === 0) sent.shift(); // all that was sent at a moment comes before anything of the next
          const records = sent[0]?.get(username);
          expect(records).toBeDefined();
          sent[0]!.delete(username);
          model.upload(username, records!);
        }
        expect(sent.map(({ size }) => size)).toEqual([0]);
        expect(listed).toEqual(
          model.uploads.map((each, at) => ({ id: `101-${date}-${at + 1}`, ...each })),
        );
        expect(next).toBeNull();
        const { records } = await get(`/api/v1/sales/daily?${day}`);
        expect(records).toEqual(
          model.records.map((each) => ({ restaurant_id: 101, date, ...each })),
        );
      },
    );
    await fc.assert(sequences, { numRuns: 40 });
  });

  test('and the ledger verifies', async () => {
    const { days, differences } = await service.app.get(LedgerService).verify();
    expect({ days, differences }).toEqual({ days: run, differences: 0 });
  });
});
