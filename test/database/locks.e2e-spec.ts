import { setTimeout as delay } from 'node:timers/promises';
import { Database } from '../../src/database/database.js';
import type { Answer } from '../support/client.js';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { stretched, timed } from '../support/time-limits.js';

let near: TestApp;
let till: { token: string };
/** The same service with the time limits of production. */
let service: TestApp;
beforeAll(async () => {
  near = await createTestApp();
  till = await givenTill(near);
  service = await near.another({ RESPONSE_TIMEOUT_MS: 5000 });
});
afterAll(() => near.close());

const dateOf = (number: number): string =>
  new Date(Date.UTC(2020, 0, 1 + number)).toISOString().slice(0, 10);

const upload = (number: number): Promise<Answer> =>
  service.client.upload(till.token, [record({ date: dateOf(number) })]);

/** Holds locks by a session of another program while `work` runs. */
async function whileHeld(sql: string, work: () => Promise<void>): Promise<void> {
  await near.database.query(`BEGIN; ${sql}`);
  await work().finally(() => near.database.query('ROLLBACK'));
}

test('While a table is locked, 64 uploads at once are answered 503 in time, and are not tried one by one', async () => {
  const run = jest.spyOn(service.app.get(Database), 'run');
  await whileHeld('LOCK TABLE hourly_sales', async () => {
    const answers = await Promise.all(Array.from({ length: 64 }, (_, n) => timed(() => upload(n))));
    for (const { result } of answers) {
      expectError(result, 503);
      expect(result.headers.get('Retry-After')).toMatch(/^[1-5]$/);
    }
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(stretched(6000));
  });
  expect(run.mock.calls.length).toBeLessThan(16);
  run.mockRestore();
  expect((await upload(1)).status).toBe(200);
});

test('While the row of a day is held, four tills that repeat that day slow no other upload', async () => {
  const HELD = -1;
  await upload(HELD);
  const held = `UPDATE sales_days SET uploads = uploads WHERE date = '${dateOf(HELD)}'`;
  await whileHeld(held, async () => {
    let isOver = false;
    const repeat = async (): Promise<void> => {
      while (!isOver) expectError(await upload(HELD), 503);
    };
    const repeating = Promise.all([0, 1, 2, 3].map(repeat));
    await delay(500); // all four wait
    const begunAt = performance.now();
    let number = 100; // the first test has made suspects of those before
    const others: { result: Answer; ms: number }[] = [];
    const send = async (): Promise<void> => {
      while (performance.now() - begunAt < 4000) others.push(await timed(() => upload(number++)));
    };
    await Promise.all(Array.from({ length: 8 }, send));
    isOver = true;
    await repeating;
    expect(new Set(others.map(({ result }) => result.status))).toEqual(new Set([200]));
    expect(Math.max(...others.map(({ ms }) => ms))).toBeLessThan(stretched(1000));
  });
  expect((await upload(HELD)).status).toBe(200);
});
