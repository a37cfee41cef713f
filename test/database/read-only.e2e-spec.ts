import { TestClock } from '../../src/testing/test-server.js';
import type { Answer } from '../support/client.js';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { record } from '../support/records.js';
import { eventually } from '../support/service-process.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let till: { token: string };
let name: string;
const clock = new TestClock();
beforeAll(async () => {
  service = await createTestApp({}, undefined, { clock });
  till = await givenTill(service);
  name = new URL(service.database.url).pathname.slice(1);
});
afterAll(() => service.close());

const SESSIONS = 8;

const uploadAtOnce = (count: number): Promise<Answer[]> =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      service.client.upload(till.token, [record({ date: `2025-10-${10 + index}` })]),
    ),
  );

function ready(status: number): Promise<Answer> {
  return eventually(async () => {
    const answer = await service.client.get('/health/ready');
    return answer.status === status && answer;
  }, `/health/ready to be ${status}`);
}

/** Gives the sessions of the service that begin from now on a setting, and ends those before. */
async function setForSessions(setting: string): Promise<void> {
  await service.database.query(`ALTER DATABASE ${name} SET ${setting}`);
  await service.database.query(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'sales-upload'`,
  );
}

test.each([
  ['default_transaction_read_only', 'on', /not ready: the database is read-only/],
  ['search_path', 'nowhere', /not ready/],
])(
  'Sessions that began under %s = %s are replaced once it is over: no upload fails any more',
  async (setting, value, telling) => {
    await setForSessions(`${setting} = ${value}`);
    await eventually(async () => {
      const answers = await uploadAtOnce(SESSIONS);
      return answers.every(({ status }) => status === 500);
    }, 'uploads to fail');
    expectError(await ready(503), 503, telling);
    await service.database.query(`ALTER DATABASE ${name} RESET ${setting}`);
    await ready(200);
    await uploadAtOnce(SESSIONS); // each session that is left fails at most once
    for (let round = 0; round < 10; round++)
      for (const { status } of await uploadAtOnce(SESSIONS)) expect(status).toBe(200);
    await ready(200);
  },
);

test('Sessions that PostgreSQL ends while they are idle fail no upload', async () => {
  await setForSessions(`idle_session_timeout = '500ms'`);
  await eventually(async () => {
    const answers = await uploadAtOnce(SESSIONS);
    return answers.every(({ status }) => status === 200);
  }, 'uploads on new sessions');
  const sessions = `SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'sales-upload'`;
  for (let round = 0; round < 3; round++) {
    const areEnded = async () => (await service.database.query(sessions)).length === 0;
    await eventually(areEnded, 'the sessions to be ended');
    for (const { status } of await uploadAtOnce(SESSIONS)) expect(status).toBe(200);
  }
  await service.database.query(`ALTER DATABASE ${name} RESET idle_session_timeout`);
});

test('503 of /health/ready while the clock is hours away from that of the database', async () => {
  await ready(200);
  clock.ahead = 7_300_000;
  expectError(await service.client.upload(till.token, [record()]), 401);
  expectError(await ready(503), 503, /clock/);
  clock.ahead = -7_300_000;
  expectError(await ready(503), 503, /clock/);
  clock.ahead = 0;
  await ready(200);
});
