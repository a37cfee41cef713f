import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { Shutdown } from '../../src/server/shutdown.js';
import { expectError } from '../support/expect-error.js';
import { RawConnection, rawRequest, rawUpload } from '../support/raw-http.js';
import { record } from '../support/records.js';
import { seed } from '../support/seed.js';
import { endLeftovers, eventually, freePort, ServiceProcess } from '../support/service-process.js';
import {
  createTestDatabase,
  untilBlocked,
  whileDaysAreLocked,
  type TestDatabase,
} from '../support/test-database.js';
import { stretched } from '../support/time-limits.js';

const CLIENTS = 4;

let database: TestDatabase;
const DELAYS = {
  SHUTDOWN_DELAY_MS: String(Math.ceil(stretched(1500))),
  REQUEST_TIMEOUT_MS: '300000',
};
/** Tells the connections of the first instance from those of the second in PostgreSQL's views. */
const NAMED = 'first of two';
const OPEN = `SELECT FROM pg_stat_activity WHERE application_name = '${NAMED}' AND datname = current_database()`;
/** The one that the rolling restart leaves behind. */
let restarted: ServiceProcess;
beforeAll(async () => {
  database = await createTestDatabase();
  await seed(database, { restaurants: Array.from({ length: CLIENTS }, (_, at) => 101 + at) });
});
afterAll(() => database.drop());

function start(settings: Record<string, string>): Promise<ServiceProcess> {
  return ServiceProcess.start({ DATABASE_URL: database.url, ...settings });
}

const TRY_NEXT = new Set(['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET']);

/**
 * Uploads as the proxies that we ship pass it on: on connections that are kept, and to the next
 * instance where a connection is refused, or closed before the response.
 */
async function uploadToOne(urls: string[], token: string, restaurant_id: number): Promise<string> {
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
  const startAt = (index: number, settings = {}): Promise<ServiceProcess> =>
    start({ PORT: String(ports[index]), LOG_LEVEL: 'warn', ...settings });
  const [first, second] = await Promise.all([startAt(0), startAt(1, DELAYS)]);
  const token = await first.client.token('till', 'right password');
  const answers: string[] = [];
  let over = false;
  const load = Array.from({ length: CLIENTS }, async (_, index) => {
    while (!over) {
      urls.reverse(); // each in its turn
      answers.push(await uploadToOne([...urls], token, 101 + index));
      await delay(50); // leaves the processor to the instances that start
    }
  });
  await first.stop();
  const named = new URL(database.url);
  named.searchParams.set('application_name', NAMED);
  restarted = await startAt(0, { LOG_LEVEL: 'info', DATABASE_URL: named.href });
  await expectGradualEnd(second, token);
  const before = answers.length;
  await eventually(() => answers.length > before + 100, 'the load');
  over = true;
  await Promise.all(load);
  expect(answers.filter((answer) => !answer.startsWith('200 '))).toEqual([]);
});

/** First /health/ready says 503 for SHUTDOWN_DELAY_MS and all else goes on; then each connection has its last answer. */
async function expectGradualEnd(service: ServiceProcess, token: string): Promise<void> {
  const [used, silent] = [
    await RawConnection.open(service.url),
    await RawConnection.open(service.url),
  ];
  for (const connection of [used, silent]) {
    await connection.send(rawRequest('GET /health/live'));
    await connection.answer();
  }
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
  expect(await used.closed()).toBeUndefined();
  expect(await silent.closed()).toBeUndefined();
  const since = Date.now();
  expect((await service.exited).code).toBe(0);
  expect(Date.now() - since).toBeLessThan(stretched(9000)); // nothing waited until REQUEST_TIMEOUT_MS
}

describe('SIGTERM', () => {
  test('those that wait to be accepted and what is in flight are answered, new connections are refused, the status is 0', async () => {
    const service = restarted;
    expect((await service.client.login('demo', 'demo-password')).status).toBe(401); // the demo user is in the embedded database alone
    const token = await service.client.token('till', 'right password');
    await service.client.upload(token, [record()]);
    const connection = await RawConnection.open(service.url);
    await whileDaysAreLocked(database, async () => {
      await connection.send(rawUpload(token));
      await untilBlocked(database, 1);
      expect((await database.query(OPEN)).length).toBeGreaterThan(0);
      service.signal('SIGSTOP'); // the kernel sets connections up meanwhile
      const waiting = await Promise.all(
        Array.from({ length: 40 }, () => RawConnection.open(service.url)),
      );
      service.signal('SIGTERM');
      service.signal('SIGCONT');
      for (const each of waiting) await each.send(rawRequest('GET /health/live'));
      const answers = await Promise.all(waiting.map((each) => each.answer()));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      await eventually(() => RawConnection.open(service.url).then((each) => each.abort(), () => true), 'connections to be refused'); // prettier-ignore
      await expect(RawConnection.open(service.url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    });
    const answer = await connection.answer();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Connection')).toBe('close');
    expect(await service.exited).toEqual({ code: 0, signal: null });
    expect(service.stderr).toBe('');
    expect(service.log.at(-1)).toMatchObject({ route: '/api/v1/sales/upload-daily', status: 200 }); // the last line is not lost
    await eventually(
      async () => (await database.query(OPEN)).length === 0,
      'its connections to be closed',
    );
  });

  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  test.each(signals)(
    '%s begins the shutdown; again within half a second it is the same one, and later ends it at once',
    (signal) => {
      const before = signals.map((each) => process.listeners(each));
      const exit = jest.spyOn(process, 'exit').mockImplementation(() => undefined as never);
      const now = jest.spyOn(Date, 'now').mockReturnValue(1000);
      const step = jest.fn(() => new Promise<void>(() => undefined));
      new Shutdown(pino({ level: 'silent' })).add(step);
      process.emit(signal);
      now.mockReturnValue(1500);
      process.emit(signal);
      expect(exit).not.toHaveBeenCalled();
      now.mockReturnValue(1501);
      process.emit(signal);
      expect(exit).toHaveBeenCalledWith(1);
      expect(step).toHaveBeenCalledTimes(1);
      signals.forEach((each, index) => {
        const added = process.listeners(each).filter((one) => !before[index]!.includes(one));
        for (const listener of added) process.off(each, listener);
      });
      jest.restoreAllMocks();
    },
  );
});

afterAll(endLeftovers);
