import { expectErrorForm } from '../support/expect-error.js';
import { givenRestaurant, givenTill } from '../support/given.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { Dice, fuzzBody } from './fuzz-bodies.js';
import { FIGURES_SQL, judge } from './upload-oracle.js';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 300);
const SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000_007);
const AT_ONCE = 16;

/** Every body has a day of its own: what is kept of it is nobody else's. */
const dayNumber = (index: number): string =>
  new Date(Date.UTC(3000, 0, 1 + index)).toISOString().slice(0, 10);

describe(`uploads that a seed breaks: FUZZ_SEED=${SEED}`, () => {
  let service: TestApp;
  let token: string;
  beforeAll(async () => {
    service = await createTestApp();
    await givenRestaurant(service, 102);
    token = (await givenTill(service)).token;
  });
  afterAll(() => service.close());

  test(`${RUNS} bodies are answered as the specification says, and saved whole or not at all`, async () => {
    const expected = new Map<string, Set<string>>();
    const seen = new Set<number>();
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };

    const one = async (index: number): Promise<void> => {
      const sent = fuzzBody(new Dice(SEED + index * 7919), dayNumber(index));
      const verdict = judge(sent, 101);
      const answer = await service.client.send('POST', '/api/v1/sales/upload-daily', sent, headers);
      const { status, text, body } = answer;
      if (status !== verdict.status) {
        const shown = sent.length > 3000 ? `${sent.length} bytes` : sent.toString();
        const found = `${status} ${text}, but the contract says ${verdict.status}`;
        throw new Error(`FUZZ_SEED=${SEED} body ${index}: ${found}: ${shown}`);
      }
      seen.add(status);
      if (status !== 200) {
        expectErrorForm(answer);
        return;
      }
      const message = expect.any(String);
      expect(body).toEqual({ success: true, processed: verdict.rows.size, message });
      for (const [key, figures] of verdict.rows)
        expected.set(key, (expected.get(key) ?? new Set()).add(figures));
    };

    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < RUNS) await one(next++);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));

    const rows = await service.database.query<{ key: string; figures: string }>(
      `SELECT concat_ws(' ', restaurant_id, date, hour) AS key, ${FIGURES_SQL} AS figures
       FROM hourly_sales`,
    );
    const wrong = rows.filter(({ key, figures }) => !expected.get(key)?.has(figures)).slice(0, 3);
    expect({ SEED, wrong, count: rows.length }).toEqual({ SEED, wrong: [], count: expected.size });
    expect([...seen].sort()).toEqual([200, 400, 403, 413]);
  }, 3_600_000);
});
