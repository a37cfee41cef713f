import { existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { beginnings, interruptAll } from '../support/interruptions.js';
import { rawRequest } from '../support/raw-http.js';
import { record } from '../support/records.js';
import { seed } from '../support/seed.js';
import { endLeftovers, eventually, ServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { freePort } from '../support/free-port.js';

const ALONE = { Connection: 'close' }; // a connection each, which the workers take by turns

let database: TestDatabase;
let service: ServiceProcess;
let metricsUrl: string;
beforeAll(async () => {
  database = await createTestDatabase();
  await seed(database);
  const port = await freePort();
  metricsUrl = `http://127.0.0.1:${port}/metrics`;
  service = await ServiceProcess.start({ DATABASE_URL: database.url, WORKERS: '2', METRICS_PORT: String(port) });
  await bothServe();
});
afterAll(() => database.drop());

/** The processes that answered lately. */
function workers(): Set<number> {
  return new Set(service.log.filter(({ status }) => status !== undefined).map(({ pid }) => pid as number));
}

async function bothServe(known = 0): Promise<void> {
  await eventually(async () => {
    await service.client.get('/x', { headers: ALONE });
    return workers().size >= known + 2;
  }, 'both workers to serve');
}

const COUNTS = [
  /^http_request_duration_seconds_count\{.*route="\/api\/v1\/sales\/upload-daily",status="200"\} 6$/m,
  /^uploads_saved_total 6$/m,
  /^logins_total\{outcome="failure"\} 5$/m,
];

/** A worker that is late counts with its latest snapshot. */
async function metricsSay(...patterns: RegExp[]): Promise<void> {
  let text = '';
  const ask = async (): Promise<boolean> => {
    text = await (await fetch(metricsUrl)).text();
    return patterns.every((pattern) => pattern.test(text));
  };
  await eventually(ask, () => `${patterns.join(' and ')} in ${text}`);
}

describe('With WORKERS=2', () => {
  test('two processes serve on the one port, and the first serves nothing itself', () => {
    expect(workers().size).toBe(2);
    expect(workers()).not.toContain(service.pid);
    expect(service.stdout.match(/listening on/g)).toHaveLength(1);
  });

  test('failed logins are counted over both, and a revoked token is one for both', async () => {
    for (let count = 0; count < 4; count++) {
      expect((await service.client.login('nobody', 'wrong', ALONE)).status).toBe(401);
    }
    await service.client.login('nobody', 'wrong', ALONE); // the fifth, after which it is locked
    for (let count = 0; count < 4; count++)
      expect((await service.client.login('nobody', 'wrong', ALONE)).status).toBe(429);
    const token = await service.client.token('till', 'right password');
    const bearer = { token, headers: ALONE };
    expect((await service.client.post('/api/v1/auth/revoke', {}, bearer)).status).toBe(200);
    for (let count = 0; count < 4; count++) {
      expect((await service.client.post('/api/v1/sales/upload-daily', {}, bearer)).status).toBe(401);
    }
  });

  test('the metrics are those of both together', async () => {
    const token = await service.client.token('till', 'right password');
    const upload = () =>
      service.client.post('/api/v1/sales/upload-daily', { records: [record()] }, { token, headers: ALONE });
    for (let count = 0; count < 6; count++) expect((await upload()).status).toBe(200);
    await metricsSay(...COUNTS);
  });

  test('a worker that dies is replaced, and the other serves on', async () => {
    const [victim] = [...workers()];
    process.kill(victim!, 'SIGKILL');
    await service.said(/a worker has died: it ended with SIGKILL/);
    expect((await service.client.get('/health/live')).status).toBe(200);
    await bothServe(1);
    await metricsSay(/^worker_deaths_total 1$/m);
  });

  test('the counts of the one that died are kept', async () => {
    await metricsSay(...COUNTS);
  });

  test('connections that end at any byte of a request leave them running', async () => {
    const isJson = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ grant_type: 'password', username: 'nobody', password: 'x' });
    const login = rawRequest('POST /api/v1/auth/login', isJson, body);
    const token = await service.client.token('till', 'right password');
    const upload = { ...isJson, Authorization: `Bearer ${token}`, Expect: 'x' };
    const requests = [
      rawRequest('CONNECT a:1'),
      rawRequest('GET /health/live', { Connection: 'Upgrade', Upgrade: 'websocket' }),
      'garbage\r\n\r\n\0\r\n',
      rawRequest('POST /api/v1/sales/upload-daily', upload, JSON.stringify({ records: [record()] })),
    ];
    await interruptAll(
      service.url,
      requests.flatMap((request) => beginnings(login + request, 3)),
    );
    await eventually(async () => (await service.client.get('/health/ready')).status === 200, 'the workers to be ready');
  });

  test('SIGTERM ends them all, of which none has died but the one that was killed', async () => {
    const all = [service.pid, ...workers()];
    await service.stop();
    expect(service.stdout.match(/has died/g)).toHaveLength(1);
    expect(service.stdout + service.stderr).not.toMatch(/uncaught/);
    expect(all.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
  });
});

test('Where no worker can start, the reason is told once, and the status is 1', async () => {
  const other = createServer();
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const { port } = other.address() as AddressInfo;
  const failing = new ServiceProcess({ DATABASE_URL: database.url, WORKERS: '2', PORT: String(port) });
  expect((await failing.exited).code).toBe(1);
  expect(failing.stderr).toBe(
    `cannot listen on port ${port} of 127.0.0.1: it is in use by another program: stop that one, or set PORT\n`,
  );
  other.close();
});

afterAll(endLeftovers);
