import fc from 'fast-check';
import { addDays } from '../../src/config/business-calendar.js';
import { LedgerService } from '../../src/sales/ledger/ledger.service.js';
import { givenTill } from '../support/given.js';
import { FIGURES, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { LedgerModel, without } from './ledger-model.js';

let service: TestApp;
let other: TestApp;
const tills: { username: string; token: string }[] = [];
beforeAll(async () => {
  service = await createTestApp();
  other = await service.another();
  for (let till = 0; till < 12; till++)
    tills.push(await givenTill(service, { restaurants: [101, 102] }));
});
afterAll(() => service.close());

/** Uploads as that till; every other till is a client of the second instance. */
const uploadAs = (till: number, records: unknown) =>
  (till % 2 === 0 ? service : other).client.upload(tills[till]!.token, records);
const get = async (path: string): Promise<any> => (await other.client.get(path, tills[0])).body;

describe('Uploads of the same days at the same moment, through two instances', () => {
  const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
  const ROUNDS = 6;

  let statuses: number[];
  let uploads: any[];
  let records: any[];

  beforeAll(async () => {
    const work = tills.map(async (_, till) => {
      const answers: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        // Half of all are for one day; hours come in another order from each till, and every figure identifies the upload.
        const restaurant_id = (till + round) % 2 === 0 ? 101 : 102;
        const figure = 1 + till * ROUNDS + round;
        const figures = Object.fromEntries(FIGURES.map((field) => [field, figure]));
        const shuffled = HOURS.map((hour) => (hour * 7 + till * 5) % 24);
        const hours = shuffled.slice(0, 12 + ((till + round) % 13));
        const sent = hours.map((hour) => record({ restaurant_id, hour, ...figures }));
        answers.push((await uploadAs(till, sent)).status);
      }
      return answers;
    });
    statuses = (await Promise.all(work)).flat();
    const day = 'restaurant_id=101&date=2025-10-15';
    uploads = (await get(`/api/v1/sales/uploads?${day}`)).uploads.reverse();
    ({ records } = await get(`/api/v1/sales/daily?${day}`));
  });

  test('all are saved: none waits for another that waits for it', () => {
    expect(statuses).toEqual(Array(tills.length * ROUNDS).fill(200));
  });

  test('per hour exactly one wins: no hour mixes the figures of two uploads', () => {
    expect(records).toHaveLength(24);
    for (const each of records) expect(new Set(FIGURES.map((field) => each[field])).size).toBe(1);
  });

  test('the history is complete: uploads are numbered without a gap, in the order of their times', () => {
    const ids = Array.from({ length: statuses.length / 2 }, (_, at) => `101-2025-10-15-${at + 1}`);
    expect(uploads.map(({ id }) => id)).toEqual(ids);
    const times = uploads.map(({ uploaded_at }) => uploaded_at);
    expect(times).toEqual([...times].sort());
  });

  test('the values of every hour follow one from the other, from the first to those that stand', () => {
    for (const hour of HOURS) {
      const changes = uploads.flatMap((each) =>
        each.changes.filter((change: any) => change.hour === hour),
      );
      expect(changes.length).toBeGreaterThan(1);
      const before = [null, ...changes.slice(0, -1).map(({ after }) => after)];
      expect(changes.map((change) => change.before)).toEqual(before);
      expect(records[hour]).toMatchObject(changes.at(-1).after);
    }
  });
});

test('Good and bad uploads of many days at the same moment: each gets its own answer', async () => {
  const sent = Array.from({ length: 80 }, (_, index) => {
    const date = addDays('2026-03-01', index);
    const one = record({ restaurant_id: 101 + (index % 2), date, orders: index });
    return [
      { status: 200, records: [one], text: `restaurant ${101 + (index % 2)} (Restaurant` },
      { status: 400, records: [one, one], text: 'records[1].hour repeats' },
      { status: 403, records: [{ ...one, restaurant_id: 900 + index }], text: `${900 + index}` },
      { status: 413, records: Array(25 + index).fill(one), text: `${25 + index} entries` },
    ][(index >> 1) % 4]!;
  });
  const answers = await Promise.all(sent.map(({ records }, at) => uploadAs(at % 12, records)));
  expect(answers.map(({ status, text }) => ({ status, text }))).toEqual(
    sent.map(({ status, text }) => ({ status, text: expect.stringContaining(text) })),
  );
  const good = sent.flatMap(({ status, records }) => (status === 200 ? records : []));
  const stored = await service.database.query<{ orders: number }>(
    `SELECT orders FROM hourly_sales WHERE date >= '2026-03-01' ORDER BY orders`,
  );
  expect(stored.map(({ orders }) => orders)).toEqual(good.map((each) => each['orders']));
});

describe('Any sequence of uploads, retries and corrections, also at the same moment', () => {
  type Records = Record<string, unknown>[];

  /** Few values, so that many uploads change nothing, and some with every digit that a number has. */
  const amount = fc.oneof(
    fc.constantFrom(0, 0.1, 12.5, 99999999999.9999, 1e-7),
    fc.double({ min: 0, max: 1e11, maxExcluded: true, noNaN: true }),
  );
  const orders = fc.constantFrom(0, 1, 2147483647);
  const anyHours = fc.oneof(
    fc.constantFrom([7], [7, 8], [8, 7, 9]),
    fc.uniqueArray(fc.integer({ min: 0, max: 23 }), { minLength: 1, maxLength: 24 }),
  );
  const upload = anyHours.chain((hours) =>
    fc.tuple(
      ...hours.map((hour) =>
        fc.record({ hour: fc.constant(hour), gto: amount, cash: amount, orders }),
      ),
    ),
  );
  /** What the tills send at one moment, a till each; `null` is what that till sent last, once more. */
  const moment = fc.array(fc.option(upload, { freq: 4 }), { minLength: 1, maxLength: 3 });
  const moments = fc.array(moment, { minLength: 1, maxLength: 6 });

  /** Sends them, the second till's to another instance, and returns who sent what at each moment. */
  async function send(asked: (Records | null)[][], date: string): Promise<Map<string, Records>[]> {
    const last: Records[] = tills.map(() => [record({ date })]);
    const sent: Map<string, Records>[] = [];
    for (const uploads of asked) {
      uploads.forEach((figures, till) => {
        if (figures) last[till] = figures.map((given) => record({ date, ...given }));
      });
      const now = last.slice(0, uploads.length);
      const answers = await Promise.all(now.map((records, till) => uploadAs(till, records)));
      expect(answers.map(({ body }) => body.processed)).toEqual(now.map(({ length }) => length));
      sent.push(new Map(now.map((records, till) => [tills[till]!.username, records])));
    }
    return sent;
  }

  let run = 0;

  test('is the same values and the same history in a plain model as in the database', async () => {
    const sameAsModel = fc.asyncProperty(moments, async (asked) => {
      const date = addDays('2025-01-01', ++run);
      const day = `restaurant_id=101&date=${date}`;
      const sent = await send(asked, date);
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
      expect(records).toEqual(model.records.map((each) => ({ restaurant_id: 101, date, ...each })));
    });
    await fc.assert(sameAsModel, { numRuns: 20 });
  });
});

test('After all of this the ledger verifies', async () => {
  const days = await service.database.query('SELECT FROM sales_days');
  const verified = await service.app.get(LedgerService).verify();
  expect(verified).toMatchObject({ days: days.length, differences: 0 });
});
