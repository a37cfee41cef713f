import { Agent, request } from 'node:http';
import { expectErrorForm } from '../support/expect-error.js';
import { Dice, fuzzBody } from './fuzz-bodies.js';
import { givenRestaurant, givenTill } from '../support/given.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { FIGURES_SQL, judge } from './upload-oracle.js';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 300);
const SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000_007);
const AT_ONCE = 16;

/** Every body has a day of its own: what is kept of it is nobody else's. */
const dayNumber = (index: number): string =>
  new Date(Date.UTC(3000, 0, 1 + index)).toISOString().slice(0, 10);

describe(`uploads that a seed breaks: FUZZ_SEED=${SEED}`, () => {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  let service: TestApp;
  let token: string;
  beforeAll(async () => {
    service = await createTestApp();
    await givenRestaurant(service, 102);
    token = (await givenTill(service)).token;
  });
  afterAll(async () => {
    agent.destroy();
    await service.close();
  });

  const send = (body: Buffer): Promise<{ status: number; text: string; headers: Headers }> =>
    new Promise((resolve, reject) => {
      const headers = {
        'Content-Type': 'application/json',
        'Content-Length': body.length,
        Authorization: `Bearer ${token}`,
      };
      const upload = request(
        `${service.url}/api/v1/sales/upload-daily`,
        { method: 'POST', agent, headers },
        (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          answer.on('end', () =>
            resolve({
              status: answer.statusCode ?? 0,
              text,
              headers: new Headers(answer.headers as Record<string, string>),
            }),
          );
        },
      );
      upload.on('error', reject).end(body);
    });

  test(`${RUNS} bodies are judged as the specification says, and kept whole or not at all`, async () => {
    const expected = new Map<string, Set<string>>();
    const seen = new Map<number, number>();
    const facts = { limit: service.config.BODY_LIMIT_BYTES, granted: 101 };

    const one = async (index: number): Promise<void> => {
      const body = fuzzBody(new Dice(SEED + index * 7919), dayNumber(index));
      const verdict = judge(body, facts);
      const { status, text, headers } = await send(body);
      if (status !== verdict.status) {
        const shown = body.length > 3000 ? `${body.length} bytes` : body.toString();
        throw new Error(
          `FUZZ_SEED=${SEED} body ${index}: ${status} ${text}, but the contract says ${verdict.status}: ${shown}`,
        );
      }
      seen.set(status, (seen.get(status) ?? 0) + 1);
      if (status !== 200) {
        expectErrorForm({ status, text, headers, body: JSON.parse(text) });
        return;
      }
      expect(JSON.parse(text)).toEqual({
        success: true,
        processed: verdict.rows.size,
        message: expect.any(String),
      });
      for (const [key, figures] of verdict.rows)
        expected.set(key, (expected.get(key) ?? new Set()).add(figures));
    };

    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < RUNS) await one(next++);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));

    const rows = await service.database.query<{ key: string; figures: string }>(
      `SELECT concat_ws(' ', restaurant_id, date, hour) AS key, ${FIGURES_SQL} AS figures FROM hourly_sales`,
    );
    const wrong = rows.filter(({ key, figures }) => !expected.get(key)?.has(figures));
    expect({ SEED, wrong: wrong.slice(0, 3), count: rows.length }).toEqual({
      SEED,
      wrong: [],
      count: expected.size,
    });
    expect([...seen.keys()].sort()).toEqual([200, 400, 403, 413]);
  }, 3_600_000);
});
