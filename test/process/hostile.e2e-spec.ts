import { closeSync, openSync } from 'node:fs';
import { RawConnection, rawRequest, rawUpload } from '../support/raw-http.js';
import { record } from '../support/records.js';
import { seed } from '../support/seed.js';
import { endLeftovers, eventually, freePort, ServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const UPLOAD = 'POST /api/v1/sales/upload-daily';

const loginBody = JSON.stringify({ grant_type: 'password', username: 'nobody', password: 'x' });
const login = rawRequest('POST /api/v1/auth/login', JSON_TYPE, loginBody);
const live = rawRequest('GET /health/live');

let database: TestDatabase;
let service: ServiceProcess;
let metricsUrl: string;
let token: string;
let kinds: Record<string, string>;
beforeAll(async () => {
  database = await createTestDatabase();
  await seed(database);
  const [PORT, METRICS_PORT] = [String(await freePort()), String(await freePort())];
  metricsUrl = `http://127.0.0.1:${METRICS_PORT}`;
  const stdout = openSync('/dev/full', 'w');
  const MOST = '1000000';
  const limits = { LOGIN_USERNAME_MAX_FAILURES: MOST, LOGIN_ADDRESS_MAX_FAILURES: MOST };
  const settings = { DATABASE_URL: database.url, PORT, METRICS_PORT, LOGIN_MAX_FAILURES: MOST };
  service = new ServiceProcess({ ...settings, ...limits }, { stdout });
  closeSync(stdout);
  service.url = `http://127.0.0.1:${PORT}`;
  await untilReady();
  token = await service.client.token('till', 'right password');
  const auth = { ...JSON_TYPE, Authorization: `Bearer ${token}` };
  const short = '{"records":[]}'; // fewer bytes at which to end
  const chunked = `${short.length.toString(16)}\r\n${short}\r\n0\r\n\r\n`;
  kinds = {
    login,
    upload: rawUpload(token),
    chunked: rawRequest(UPLOAD, { ...auth, 'Transfer-Encoding': 'chunked' }, chunked),
    compressed: rawRequest(UPLOAD, { ...auth, 'Content-Encoding': 'gzip' }, short),
    'no token': rawRequest(UPLOAD, JSON_TYPE, short),
    GET: live,
    CONNECT: rawRequest('CONNECT a:1'),
    websocket: rawRequest('GET /health/live', { Connection: 'Upgrade', Upgrade: 'websocket' }),
    continue: rawRequest(UPLOAD, { ...auth, Expect: '100-continue' }, short),
    garbage: 'garbage\r\n\r\n\0\r\n',
    'no Host': 'GET / HTTP/1.1\r\n\r\ngarbage\r\n\r\n',
  };
});
afterAll(async () => {
  endLeftovers();
  await database.drop();
});

async function untilReady(): Promise<void> {
  const ask = () => service.client.get('/health/ready').catch(() => undefined);
  await eventually(async () => (await ask())?.status === 200, 'the service to be ready');
}

async function expectServed(): Promise<void> {
  await untilReady();
  expect((await fetch(`${metricsUrl}/metrics`)).status).toBe(200);
  expect(service.stderr).toBe('');
}

/** Sends each of the texts on connections of its own, which end in both ways, before or after anything was answered. */
async function interruptAll(url: string, all: readonly string[]): Promise<void> {
  const left = all.flatMap((bytes) => [true, false].map((aborts) => ({ bytes, aborts })));
  const work = async (): Promise<void> => {
    for (let next = left.pop(); next; next = left.pop()) {
      const connection = await RawConnection.open(url);
      await connection.send(next.bytes);
      if (next.aborts) connection.abort();
      else {
        connection.endSending();
        setTimeout(() => connection.abort(), 5);
      }
    }
  };
  await Promise.all(Array.from({ length: 24 }, work));
}

/** The beginnings of a text, each a number of bytes longer than the one before, and the text itself. */
function beginnings(text: string, step: number): string[] {
  const count = Math.ceil(text.length / step);
  return [...Array.from({ length: count }, (_, index) => text.slice(0, index * step + 1)), text];
}

describe('A connection that ends', () => {
  const beginningsOfAll = (step: number, before = ''): string[] =>
    Object.values(kinds).flatMap((kind) => beginnings(kind, step).map((bytes) => before + bytes));

  const beginningsOfLarge = [16_000, 32_000].flatMap((length) =>
    beginnings(rawRequest('GET /', { X: 'x'.repeat(length) }), 3989),
  );

  test.each<[where: string, texts: () => string[]]>([
    ['at any byte of any kind of request', () => beginningsOfAll(1)],
    ['behind requests that were answered', () => beginningsOfAll(7, live + live)],
    ['behind a login that is waiting for its hash', () => beginningsOfAll(11, login)],
    ['in headers that are too large', () => beginningsOfLarge.flatMap((it) => [it, login + it])],
  ])('%s leaves the process running', async (_where, texts) => {
    await interruptAll(service.url, texts());
    await expectServed();
  });

  test('at any byte of a scrape, or of anything else sent to the metrics, leaves the process running; pipelining gets one response', async () => {
    const scrape = rawRequest('GET /metrics');
    const others = [...beginningsOfAll(29), ...beginningsOfAll(29, scrape)];
    await interruptAll(metricsUrl, [...beginnings(scrape, 1), ...others]);
    const connection = await RawConnection.open(metricsUrl);
    await connection.send(scrape.repeat(1000));
    expect(await connection.closed()).toBeUndefined();
    expect(connection.text.match(/HTTP\/1\.1 200/g)).toHaveLength(1);
    await expectServed();
  });

  test('silent on the metrics port, two hundred of them stop no scrape', async () => {
    const opened = Array.from({ length: 200 }, () => RawConnection.open(metricsUrl));
    const silent = await Promise.all(opened);
    expect((await fetch(`${metricsUrl}/metrics`)).status).toBe(200);
    await Promise.all(silent.map((connection) => connection.closed()));
  });
});

test('On a full disk its log is lost, and counted; it goes on, and SIGTERM ends it well', async () => {
  expect((await service.client.upload(token, [record()])).status).toBe(200);
  const metrics = await (await fetch(`${metricsUrl}/metrics`)).text();
  expect(Number(/^log_lines_dropped_total (\d+)/m.exec(metrics)?.[1])).toBeGreaterThan(100);
  await service.stop();
});
