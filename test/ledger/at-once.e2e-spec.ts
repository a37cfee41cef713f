import fc from 'fast-check';
import { addDays } from '../../src/calendar/business-calendar.js';
import { LedgerService } from '../../src/sales/ledger/ledger.service.js';
import { givenTill } from '../support/given.js';
import { FIGURES, OPTIONAL, record, without } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

type Figures = Record<string, unknown>;

/** What a till sent, and who it is. */
interface Sent {
  readonly username: string;
  readonly records: readonly Figures[];
}

const byHour = (records: readonly Figures[]): Figures[] =>
  [...records].sort((a, b) => Number(a['hour']) - Number(b['hour']));

/** A plain model of one restaurant's day: its hours and what each upload changed. */
class LedgerModel {
  /** As `GET /api/v1/sales/uploads` lists them, without id and time, the oldest first. */
  readonly uploads: object[] = [];
  private readonly hours = new Map<unknown, Figures>();

  upload({ username, records }: Sent): void {
    const changes = byHour(records).flatMap((sent) => {
      const hour = sent['hour'];
      const after = { ...OPTIONAL, ...without(sent, 'restaurant_id', 'date', 'hour') };
      const before = this.hours.get(hour) ?? null;
      if (JSON.stringify(before) === JSON.stringify(after)) return [];
      this.hours.set(hour, after);
      return [{ hour, before, after }];
    });
    this.uploads.push({ username, source: null, processed: records.length, changes });
  }

  get records(): Figures[] {
    return byHour([...this.hours].map(([hour, figures]) => ({ hour, ...figures })));
  }
}

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

/** Expects the values and history of the model, whatever the order within a moment. */
async function expectAsModel(restaurant_id: number, date: string, moments: Sent[][]) {
  const day = `restaurant_id=${restaurant_id}&date=${date}`;
  const { uploads, next } = await get(`/api/v1/sales/uploads?${day}&limit=100`);
  const listed: any[] = uploads.reverse();
  const model = new LedgerModel();
  for (const { username } of listed) {
    if (moments[0]?.length === 0) moments.shift(); // all of a moment comes before the next
    const at = moments[0]?.findIndex((sent) => sent.username === username);
    expect(at).toBeGreaterThanOrEqual(0);
    model.upload(moments[0]!.splice(at!, 1)[0]!);
  }
  expect([moments, next]).toEqual([[[]], null]);
  expect(listed.map((each) => without(each, 'uploaded_at'))).toEqual(
    model.uploads.map((each, at) => ({ id: `${restaurant_id}-${date}-${at + 1}`, ...each })),
  );
  const times = listed.map(({ uploaded_at }) => uploaded_at);
  expect(times).toEqual([...times].sort());
  const { records } = await get(`/api/v1/sales/daily?${day}`);
  expect(records).toEqual(model.records.map((each) => ({ restaurant_id, date, ...each })));
}

test('Uploads of a day at the same moment are all saved, and no hour mixes two', async () => {
  const date = '2025-10-15';
  const sent: Record<number, Sent[]> = { 101: [], 102: [] };
  const work = tills.map(async ({ username }, till) => {
    for (let round = 0; round < 6; round++) {
      // Hours come in another order from each till, and every figure identifies the upload.
      const restaurant_id = (till + round) % 2 === 0 ? 101 : 102;
      const figures = Object.fromEntries(FIGURES.map((field) => [field, 1 + till * 6 + round]));
      const hours = Array.from({ length: 24 }, (_, hour) => (hour * 7 + till * 5) % 24);
      const records = hours
        .slice(0, 12 + ((till + round) % 13))
        .map((hour) => record({ restaurant_id, date, hour, ...figures }));
      sent[restaurant_id]!.push({ username, records });
      expect((await uploadAs(till, records)).status).toBe(200);
    }
  });
  await Promise.all(work);
  for (const id of [101, 102]) await expectAsModel(id, date, [sent[id]!]);
});

test('Good and bad uploads of many days at the same moment get each their own answer', async () => {
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

test('Uploads, retries and corrections leave the values and the history of a plain model', async () => {
  /** Few values, so that many uploads change nothing, and some with every digit that a number has. */
  const amount = fc.oneof(
    fc.constantFrom(0, 0.1, 12.5, 99999999999.9999, 1e-7),
    fc
      .double({ min: 0, max: 1e11, maxExcluded: true, noNaN: true })
      .filter((value) => value === 0 || value >= 1), // with at most 20 decimals
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

  let run = 0;
  const sameAsModel = fc.asyncProperty(moments, async (asked) => {
    const date = addDays('2025-01-01', ++run);
    const last: Figures[][] = tills.map(() => [record({ date })]);
    const sent: Sent[][] = [];
    for (const uploads of asked) {
      const now = uploads.map((figures, till) => {
        if (figures) last[till] = figures.map((given) => record({ date, ...given }));
        return { username: tills[till]!.username, records: last[till]! };
      });
      sent.push(now);
      const answers = await Promise.all(now.map(({ records }, till) => uploadAs(till, records)));
      const counts = now.map(({ records }) => records.length);
      expect(answers.map(({ body }) => body.processed)).toEqual(counts);
    }
    await expectAsModel(101, date, sent);
  });
  await fc.assert(sameAsModel, { numRuns: 20 });
});

test('After all of this the ledger verifies', async () => {
  const days = await service.database.query('SELECT FROM sales_days');
  const verified = await service.app.get(LedgerService).verify();
  expect(verified).toMatchObject({ days: days.length, differences: 0 });
});
