import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { Shutdown } from '../../src/server/shutdown.js';
import { expectError } from '../support/expect-error.js';
import { RawConnection, rawRequest, rawUpload } from '../support/raw-http.js';
import { record } from '../support/records.js';
import { seed } from '../support/seed.js';
import { endLeftovers, eventually, freePort, ServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase, untilBlocked } from '../support/test-database.js';
import { stretched } from '../support/time-limits.js';

const CLIENTS = 4;
const HELD = 100; // the restaurant whose upload is in flight when the first instance is stopped
const LIVE = rawRequest('GET /health/live');
const TRY_NEXT = new Set(['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET']);

let database: TestDatabase;
let token: string;
beforeAll(async () => {
  database = await createTestDatabase();
  await seed(database, { restaurants: [HELD, 101, 102, 103, 104] });
});
afterAll(() => database.drop());
afterAll(endLeftovers);

/**
 * Uploads as the proxies that we ship pass it on: on connections that are kept, and to the next
 * instance where a connection is refused, or closed before the response.
 */
async function uploadToOne(urls: string[], restaurant_id: number): Promise<string> {
  const sent = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ records: [record({ restaurant_id })] }),
  };
  for (const url of urls) {
    try {
      const response = await fetch(`${url}/api/v1/sales/upload-daily`, sent);
      return `${response.status} ${await response.text()}`;
    } catch (error) {
      const { code } = (error as { cause?: { code?: string } }).cause ?? {};
      if (!TRY_NEXT.has(code ?? '')) throw error;
    }
  }
  return 'no instance takes connections';
}

test('A rolling restart of two instances under load loses no request', async () => {
  const ports = [await freePort(), await freePort()];
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const named = new URL(database.url);
  named.searchParams.set('application_name', 'first of two');
  const SHUTDOWN_DELAY_MS = String(Math.ceil(stretched(1500)));
  const start = (index: number, settings = {}): Promise<ServiceProcess> =>
    ServiceProcess.start({ DATABASE_URL: database.url, PORT: String(ports[index]), ...settings });
  const [first, second] = await Promise.all([
    start(0, { DATABASE_URL: named.href }),
    start(1, { SHUTDOWN_DELAY_MS, REQUEST_TIMEOUT_MS: '300000' }),
  ]);
  token = await first.client.token('till', 'right password');
  const answers: string[] = [];
  let isOver = false;
  const load = Array.from({ length: CLIENTS }, async (_, index) => {
    while (!isOver) {
      urls.reverse(); // each in its turn
      answers.push(await uploadToOne([...urls], 101 + index));
      await delay(50); // leaves the processor to the instances that start
    }
  });
  try {
    await expectQuickEnd(first);
    await start(0);
    await expectGradualEnd(second);
    const before = answers.length;
    await eventually(() => answers.length > before + 100, 'the load');
  } finally {
    isOver = true;
    await Promise.all(load);
  }
  expect(answers.filter((answer) => !answer.startsWith('200 '))).toEqual([]);
});

/** Those that wait to be accepted and what is in flight are answered; new connections are refused. */
async function expectQuickEnd(service: ServiceProcess): Promise<void> {
  const connections = `SELECT FROM pg_stat_activity
    WHERE application_name = 'first of two' AND datname = current_database()`;
  const open = async () => (await database.query(connections)).length;
  const demo = await service.client.login('demo', 'demo-password');
  expect(demo.status).toBe(401); // the demo user is in the embedded database alone
  await service.client.upload(token, [record({ restaurant_id: HELD })]);
  await database.query(
    `BEGIN; UPDATE sales_days SET uploads = uploads WHERE restaurant_id = ${HELD}`,
  );
  const connection = await RawConnection.open(service.url);
  await connection.send(rawUpload(token, { restaurant_id: HELD }));
  await untilBlocked(database, 1);
  expect(await open()).toBeGreaterThan(0);
  service.signal('SIGSTOP'); // the kernel sets connections up meanwhile
  const opening = Array.from({ length: 40 }, () => RawConnection.open(service.url));
  const waiting = await Promise.all(opening);
  service.signal('SIGTERM');
  service.signal('SIGCONT');
  for (const each of waiting) await each.send(LIVE);
  const answers = await Promise.all(waiting.map((each) => each.answer()));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const refusal = () =>
    RawConnection.open(service.url)
      .then((each) => each.abort())
      .catch((error: unknown) => error);
  expect(await eventually(refusal, 'a refusal')).toMatchObject({ code: 'ECONNREFUSED' });
  await database.query('COMMIT');
  const answer = await connection.answer();
  expect([answer.status, answer.headers.get('Connection')]).toEqual([200, 'close']);
  expect(await service.exited).toEqual({ code: 0, signal: null });
  expect(service.stderr).toBe('');
  const lines = service.log.filter(({ restaurant }) => restaurant === HELD);
  const statuses = lines.map(({ status }) => status as number);
  expect(statuses).toEqual([200, 200]); // the last line is not lost
  await eventually(async () => (await open()) === 0, 'its connections to be closed');
}

/** Unready for SHUTDOWN_DELAY_MS, while all else goes on; then each connection has a last answer. */
async function expectGradualEnd(service: ServiceProcess): Promise<void> {
  const answered = async (): Promise<RawConnection> => {
    const connection = await RawConnection.open(service.url);
    await connection.send(LIVE);
    await connection.answer();
    return connection;
  };
  const [used, silent] = [await answered(), await answered()];
  service.signal('SIGTERM');
  const unready = await eventually(async () => {
    const answer = await service.client.get('/health/ready');
    return answer.status === 503 && answer;
  }, 'it to be unready');
  expectError(unready, 503, /not ready: shutting down/);
  expect(unready.headers.get('X-Error-Code')).toBe('shutting_down');
  expect((await service.client.get('/health/live')).status).toBe(200);
  const upload = await service.client.upload(token, [record()]);
  expect([upload.status, upload.headers.get('Connection')]).toEqual([200, 'keep-alive']);
  for (let count = 2, connection: unknown; connection !== 'close'; count++) {
    await delay(50);
    await used.send(rawRequest('GET /x'));
    const answers = await used.answers(count);
    expect([answers.length, answers.at(-1)?.status]).toEqual([count, 404]);
    connection = answers.at(-1)?.headers.get('Connection');
  }
  await expect(RawConnection.open(service.url)).rejects.toThrow('ECONNREFUSED');
  expect([await used.closed(), await silent.closed()]).toEqual([undefined, undefined]);
  const since = Date.now();
  expect((await service.exited).code).toBe(0);
  expect(Date.now() - since).toBeLessThan(stretched(9000)); // nothing waited until REQUEST_TIMEOUT_MS
}

/** Opens connections one after the other until one is refused; counts how each of them ended. */
async function connectUntilRefused(url: string, outcomes: Map<string, number>): Promise<void> {
  const count = (outcome = 'unknown'): void => {
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  };
  for (;;) {
    const connection = await RawConnection.open(url).catch((error: unknown) => error);
    if (!(connection instanceof RawConnection)) {
      count((connection as NodeJS.ErrnoException).code);
      return;
    }
    await connection.send(rawRequest('GET /health/live', { Connection: 'close' }));
    const error = await connection.closed();
    count(error ? error.message : (await connection.answer()).status.toString());
  }
}

test('Connections of clients in a tight loop are answered or refused at a stop, never reset', async () => {
  for (let stop = 0; stop < 3; stop++) {
    const service = await ServiceProcess.start({ DATABASE_URL: database.url });
    const outcomes = new Map<string, number>();
    const clients = Array.from({ length: 24 }, () => connectUntilRefused(service.url, outcomes));
    await eventually(() => (outcomes.get('200') ?? 0) > 100, 'the load');
    service.signal('SIGTERM');
    await Promise.all(clients);
    expect([...outcomes.keys()].sort()).toEqual(['200', 'ECONNREFUSED']);
    expect((await service.exited).code).toBe(0);
  }
});

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'];
test.each(SIGNALS)('%s begins the shutdown; half a second later it ends at once', (signal) => {
  const on = jest.spyOn(process, 'on').mockReturnThis();
  const exit = jest.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  const now = jest.spyOn(Date, 'now').mockReturnValue(1000);
  const step = jest.fn(() => new Promise<void>(() => undefined));
  new Shutdown(pino({ level: 'silent' })).add(step);
  const [, send] = on.mock.calls.find(([name]) => name === signal)!;
  send();
  now.mockReturnValue(1500);
  send();
  expect(exit).not.toHaveBeenCalled();
  now.mockReturnValue(1501);
  send();
  expect(exit).toHaveBeenCalledWith(1);
  expect(step).toHaveBeenCalledTimes(1);
  jest.restoreAllMocks();
});
