import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Answer } from '../support/client.js';
import { RawConnection, rawRequest } from '../support/raw-http.js';
import { day, record } from '../support/records.js';
import { seed } from '../support/seed.js';
import { endLeftovers, eventually, freePort, ServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const LOGIN = '/api/v1/auth/login';
const UPLOAD = '/api/v1/sales/upload-daily';

const PASSWORD = 'kept-from-the-log-7341';
const REQUESTS = 450; // with their log lines more than a pipe holds
const LONG_ID = 'x'.repeat(128);

let database: TestDatabase;
let service: ServiceProcess;
let token: string;
let origin: string;
let folder: string;
let reader: Socket;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sales-upload-log-'));
  execFileSync('mkfifo', [join(folder, 'log')]);
  database = await createTestDatabase();
  await seed(database, { username: 'till', password: PASSWORD });
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  reader = openReader();
  const writer = openSync(join(folder, 'log'), 'w');
  const settings = {
    DATABASE_URL: database.url,
    METRICS_PORT: String(port),
    METRICS_MISSING_UPLOADS: 'true',
    LOGIN_MAX_FAILURES: '2',
    LOG_LEVEL: 'debug',
    HOST: '0.0.0.0',
    NODE_ENV: 'production',
  };
  service = new ServiceProcess(settings, { stdout: writer });
  closeSync(writer);
  service.readLog(reader);
  await service.ready();
});
afterAll(async () => {
  endLeftovers();
  reader.destroy();
  rmSync(folder, { recursive: true });
  await database.drop();
});

/** Reads a pipe of the system, which holds 64 kB; those of Node are sockets, and hold more. */
function openReader(): Socket {
  const fd = openSync(join(folder, 'log'), constants.O_RDONLY | constants.O_NONBLOCK);
  return new Socket({ fd, writable: false });
}

/** A reading: what stands before the value, with its value. */
async function read(): Promise<Record<string, number>> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  const samples = [...text.matchAll(/^([^#].*) (\S+)$/gm)];
  return Object.fromEntries(samples.map(([, name, value]) => [name!, Number(value)]));
}

test('What happens is counted by route, status, outcome and code, from 0 on, so that Prometheus sees the first time', async () => {
  const before = await read();
  token = await service.client.token('till', PASSWORD);
  await service.client.upload(token, day());
  await service.client.upload(token, [record({ hour: 3, gto: 7 })]);
  await service.client.upload(token, [record({ hour: 24 })]);
  for (let count = 0; count < 3; count++) await service.client.login('nobody', 'wrong');
  const after = await read();
  const duration = (status: number, method = 'POST', route = UPLOAD) =>
    `http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`;
  for (const [name, from, to] of [
    ['uploads_saved_total', 0, 2],
    ['upload_records_saved_total', 0, 25],
    ['upload_hours_overwritten_total', 0, 1],
    ['logins_total{outcome="success"}', 0, 1],
    ['logins_total{outcome="failure"}', 0, 2],
    ['logins_total{outcome="locked"}', 0, 1],
    ['login_locks_total{of="pair"}', 0, 1],
    ['login_locks_total{of="username"}', 0, 0],
    ['http_errors_total{code="invalid_request"}', 0, 1],
    ['http_errors_total{code="internal_error"}', 0, 0],
    ['http_errors_total{code="overloaded"}', 0, 0],
    [duration(200), undefined, 2],
    [duration(400), undefined, 1],
  ] as const)
    expect([name, before[name], after[name]]).toEqual([name, from, to]);
});

test('What the process and the database are doing can be seen, and nothing else is on the listener of the metrics', async () => {
  await eventually(async () => (await read())['service_ready'] === 1, 'it to be ready');
  expect(Math.abs((await read())['database_clock_offset_seconds']!)).toBeLessThan(60);
  const figures = await read();
  const names =
    'http_requests_in_flight password_hash_queue database_timeouts_total ' +
    'sales_missing_restaurants last_upload_timestamp_seconds nodejs_eventloop_lag_p99_seconds';
  for (const name of names.split(' '))
    expect([name, figures[name]]).toEqual([name, expect.any(Number)]);
  expect(figures['database_connections']).toBeGreaterThan(0);
  const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8'));
  expect(figures[`sales_build_info{version="${version}"}`]).toBe(1);
  expect((await service.client.get('/metrics')).status).toBe(404);
  expect((await fetch(`${origin}/health/live`)).status).toBe(404);
});

test('However much clients invent, there are no more time series', async () => {
  const count = async () => Object.keys(await read()).length;
  await service.client.get('/first');
  const before = await count();
  for (let index = 0; index < 20; index++) {
    await service.client.send('GET', `/invented/${index}?q=${index}`);
    await service.client.send(`METHOD${index}`, LOGIN).catch(() => undefined);
    await service.client.get(`/api/v1/sales/daily?restaurant_id=${index}`);
  }
  expect((await count()) - before).toBeLessThan(4 * 14); // a few statuses that were new
});

test('The first line says the version', () => {
  const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { version: string }; // prettier-ignore
  expect(service.log[0]).toMatchObject({ msg: `version ${version}, Node ${process.version}` });
});

test('A start that anybody can reach without a proxy says what limits connections', () => {
  const msg =
    'listening to everybody without a proxy: deploy/nginx or deploy/haproxy limit connections';
  expect(service.log).toContainEqual(expect.objectContaining({ level: 'warn', msg }));
});

test('A request is one lean line of JSON that says who did what with which outcome', async () => {
  const headers = { 'X-Request-Id': 'upload-1' };
  const answer = await service.client.post(UPLOAD, { records: day() }, { token, headers });
  const line = await service.lineOf('upload-1');
  expect(line).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
    pid: service.pid,
    requestId: 'upload-1',
    method: 'POST',
    route: UPLOAD,
    status: 200,
    ms: expect.any(Number),
    userId: 1,
    username: 'till',
    restaurant: 101,
    bytesIn: Buffer.byteLength(JSON.stringify({ records: day() })),
    bytesOut: Buffer.byteLength(answer.text),
    client: '127.0.0.1',
  });
  expect(Math.abs(Date.parse(line['time']) - Date.now())).toBeLessThan(60_000);
  expect(service.log.filter(({ requestId }) => requestId === 'upload-1')).toHaveLength(1);
});

/** Sends bytes on a connection of their own. */
async function connected(bytes: string): Promise<RawConnection> {
  const connection = await RawConnection.open(service.url);
  await connection.send(bytes);
  return connection;
}

async function goAway(): Promise<undefined> {
  const type = { 'Content-Type': 'application/json', 'Content-Length': '50' };
  const headers = { ...type, 'X-Request-Id': 'gone-1', Expect: '100-continue' };
  const connection = await connected(rawRequest(`POST ${LOGIN}`, headers, '{"grant'));
  await connection.receivedText('100 Continue');
  connection.abort();
}

async function withRevoked(method: 'GET' | 'POST', path: string): Promise<Answer> {
  const revoked = await service.client.token('till', PASSWORD);
  await service.client.post('/api/v1/auth/revoke', '', { token: revoked });
  const body = method === 'POST' ? JSON.stringify({ records: [record()] }) : undefined;
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${revoked}` };
  return service.client.send(method, path, body, headers);
}

async function uploadWithoutTable(): Promise<Answer> {
  await database.query('ALTER TABLE hourly_sales RENAME TO lost');
  const answer = await service.client.upload(token, [record({ gto: 8_675_309.25 })]);
  await database.query('ALTER TABLE lost RENAME TO hourly_sales');
  return answer;
}

const [short, long] = ['/api/v1/sales/upload-hourly', `/${'x'.repeat(100)}`];
const unknown = { level: 'warn', path: short };
const gone = { requestId: 'gone-1', status: 499, aborted: true, client: '127.0.0.1' };
const garbage = { level: 'warn', status: 400, client: '127.0.0.1' };
const stack = expect.stringMatching(/\n {4}at .+:\d+/) as string;
const message = expect.stringContaining('hourly_sales') as string;
const warned = { level: 'warn', userId: 1, username: 'till' };
const invalid = { ...warned, code: 'invalid_request', restaurant: 101 };
const refused = { level: 'warn', status: 401, code: 'token_invalid' };
const failed = { level: 'error', err: { type: 'error', code: '42P01', stack, message } };
test.each<[string, () => Promise<Answer | undefined>, Record<string, unknown>]>([
  ['a probe', () => service.client.get('/health/live'), { level: 'debug' }],
  [
    'a refused login',
    () => service.client.login('till', 'wrong'),
    { ...warned, code: 'wrong_credentials' },
  ],
  [
    'an upload that is not valid',
    () => service.client.upload(token, [record({ hour: 24 })]),
    { ...invalid, status: 400 },
  ],
  [
    'a restaurant that is not one',
    () => service.client.upload(token, [record({ restaurant_id: 'x' })]),
    { ...invalid, restaurant: undefined },
  ],
  [
    'too many records',
    () => service.client.upload(token, Array(25).fill(record())),
    { ...warned, code: 'too_many_entries', restaurant: 101 },
  ],
  [
    'an unknown restaurant',
    () => service.client.upload(token, [record({ restaurant_id: 999 })]),
    { ...warned, code: 'restaurant_not_granted', restaurant: 999 },
  ],
  [
    'a forged token',
    () => service.client.upload('x.y.z', [record()]),
    { ...refused, reason: 'not issued by this service' },
  ],
  [
    'a revoked token',
    () => withRevoked('GET', '/api/v1/restaurants'),
    { ...refused, reason: 'revoked', username: 'till' },
  ],
  [
    'an upload with a revoked token',
    () => withRevoked('POST', UPLOAD),
    { ...refused, username: 'till', restaurant: 101 },
  ],
  ['an unknown path', () => service.client.get(`${short}?token=secret`), unknown],
  ['a path that may be a token', () => service.client.get(long), { path: undefined }],
  ['a client that went away', goAway, gone],
  ['what is not a request', async () => (await connected('GARBAGE\r\n\r\n')).answer(), garbage],
  [
    'an unforeseen failure',
    uploadWithoutTable,
    { ...failed, status: 500, code: 'internal_error', restaurant: 101 },
  ],
])('The line of %s says what it is', async (_what, send, expected) => {
  const id = (await send())?.headers.get('X-Request-Id') ?? 'gone-1';
  const line = await service.lineOf(id);
  const found = Object.keys(expected).map((name) => [name, line[name]]);
  expect(Object.fromEntries(found)).toMatchObject(expected);
});

test('Nothing of what was sent gets into the log but what the line is meant to say', async () => {
  const sent = 'query-secret-1 header-secret-2 body-secret-3 cookie-secret-4 8675309'.split(' ');
  await service.client.get('/api/v1/sales/daily?restaurant_id=1&token=query-secret-1', { token });
  const headers = { 'X-Key': 'header-secret-2', Cookie: 'a=cookie-secret-4' };
  await service.client.get('/health/ready', { headers });
  await service.client.login('body-secret-3', 'body-secret-3');
  await service.client.post(LOGIN, '{"password": body-secret-3');
  await service.client.upload('header-secret-2', [record()]);
  await service.client.upload(token, [record({ note: 'body-secret-3', gto: -8_675_309 })]);
  const last = await service.client.get('/health/live');
  await service.lineOf(last.headers.get('X-Request-Id')!);
  for (const secret of [...sent, PASSWORD, token])
    expect(service.stdout + service.stderr).not.toContain(secret);
});

test('X-Forwarded-For of a proxy that is not trusted is warned of once', async () => {
  const warnings = () => service.log.filter(({ msg }) => String(msg).includes('TRUST_PROXY'));
  expect(warnings()).toEqual([]);
  const headers = { 'X-Forwarded-For': '192.0.2.1' };
  for (let count = 0; count < 3; count++) await service.client.get('/health/live', { headers });
  await eventually(() => warnings().length > 0, 'a warning');
  const { headers: last } = await service.client.get('/nothing/more', { headers });
  await service.lineOf(last.get('X-Request-Id')!);
  expect(warnings()).toMatchObject([
    { level: 'warn', msg: expect.stringMatching(/from .*127\.0\.0\.1/) },
  ]);
});

test('Where the reader of the log stalls, every line comes once it reads on', async () => {
  const readOf = () => service.log.filter(({ requestId }) => requestId === LONG_ID).length;
  reader.pause();
  await makeLines();
  expect(readOf()).toBe(0);
  reader.resume();
  await eventually(() => readOf() === REQUESTS, 'the lines');
  expect((await read())['log_lines_dropped_total']).toBe(0);
});

test('Without a reader lines are dropped, and none is torn; a stalled one delays no end', async () => {
  reader.destroy();
  await eventually(async () => {
    await service.client.get('/unread');
    return (await read())['log_lines_dropped_total'];
  }, 'lines to be dropped');
  reader = openReader();
  service.readLog(reader);
  await eventually(async () => {
    await service.client.get('/read');
    return service.stdout.includes('"path":"/read"');
  }, 'lines to be read again');
  const lines = service.stdout.split('\n').slice(0, -1);
  const messages = lines.map((line) => (JSON.parse(line) as { msg?: string }).msg);
  expect(messages).toContain(`listening on ${service.url}`); // in production this is JSON too
  reader.pause();
  await makeLines();
  await service.stop();
  expect(service.stderr).toBe('');
});

/** Sends requests that are each worth a line. */
async function makeLines(): Promise<void> {
  const headers = { 'X-Request-Id': LONG_ID };
  const send = () => service.client.get(`/${'x'.repeat(50)}`, { headers });
  for (let sent = 0; sent < REQUESTS; sent += 50) {
    const answers = await Promise.all(Array.from({ length: 50 }, send));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
  }
}
