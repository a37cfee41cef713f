import fc from 'fast-check';
import { addDays } from '../../src/config/business-calendar.js';
import { LedgerService } from '../../src/sales/ledger/ledger.service.js';
import { givenTill } from '../support/given.js';
import { LedgerModel, without } from '../support/ledger-model.js';
import { record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

type Records = Record<string, unknown>[];

/** Few values, so that many uploads change nothing, and some with every digit that a number has. */
const amount = fc.oneof(
  fc.constantFrom(0, 0.1, 12.5, 99999999999.9999, 1e-7),
  fc.double({ min: 0, max: 1e11, maxExcluded: true, noNaN: true }),
);
const hours = fc.uniqueArray(fc.integer({ min: 0, max: 23 }), { minLength: 1, maxLength: 24 });
const anyHours = fc.oneof(fc.constantFrom([7], [7, 8], [8, 7, 9]), hours);
const upload = anyHours.chain((asked) => {
  const figures = fc.record({ gto: amount, cash: amount, orders: fc.constantFrom(0, 1, 2147483647) });
  return fc.tuple(...asked.map((hour) => figures.map((given): Record<string, unknown> => ({ hour, ...given }))));
});
/** What the tills send at one moment, a till each; `null` is what that till sent last, once more. */
const moment = fc.array(fc.option(upload, { freq: 4 }), { minLength: 1, maxLength: 3 });

describe('Any sequence of uploads, retries and corrections, also at the same moment', () => {
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
  async function send(moments: (Record<string, unknown>[] | null)[][], date: string): Promise<Map<string, Records>[]> {
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
      const now = new Map(tills.slice(0, asked.length).map(({ username }) => [username, last.get(username)!]));
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
    const sequences = fc.asyncProperty(fc.array(moment, { minLength: 1, maxLength: 6 }), async (moments) => {
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
      expect(listed).toEqual(model.uploads.map((each, at) => ({ id: `101-${date}-${at + 1}`, ...each })));
      expect(next).toBeNull();
      const { records } = await get(`/api/v1/sales/daily?${day}`);
      expect(records).toEqual(model.records.map((each) => ({ restaurant_id: 101, date, ...each })));
    });
    await fc.assert(sequences, { numRuns: 40 });
  });

  test('and the ledger verifies', async () => {
    const { days, differences } = await service.app.get(LedgerService).verify();
    expect({ days, differences }).toEqual({ days: run, differences: 0 });
  });
});
