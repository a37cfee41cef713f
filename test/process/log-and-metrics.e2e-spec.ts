import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LineWriter } from '../../src/logging/line-writer.js';
import { readMetric } from '../operation/read-metric.js';
import { RawConnection, rawRequest } from '../support/raw-http.js';
import { day, record } from '../support/records.js';
import { seed } from '../support/seed.js';
import {
  endLeftovers,
  eventually,
  freePort,
  ServiceProcess,
  type LogLine,
} from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

describe('Log and metrics', () => {
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
    database = await createTestDatabase();
    await seed(database, { username: 'till', password: PASSWORD });
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    folder = mkdtempSync(join(tmpdir(), 'sales-upload-log-'));
    const pipe = openPipe(join(folder, 'log'));
    reader = pipe.reader;
    const settings = {
      DATABASE_URL: database.url,
      METRICS_PORT: String(port),
      METRICS_MISSING_UPLOADS: 'true',
      LOGIN_MAX_FAILURES: '2',
      LOG_LEVEL: 'debug',
      NODE_ENV: 'production',
    };
    service = new ServiceProcess(settings, { stdout: pipe.writer });
    closeSync(pipe.writer);
    service.readLog(reader);
    await service.ready();
  });
  afterAll(async () => {
    endLeftovers();
    reader.destroy();
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  /** A reading: what stands before the value, with its value. */
  async function read(): Promise<ReadonlyMap<string, number>> {
    const lines = (await (await fetch(`${origin}/metrics`)).text()).split('\n');
    const samples = lines.filter((line) => line !== '' && !line.startsWith('#'));
    return new Map(
      samples
        .map((line) => /^(.+) (\S+)$/.exec(line)!)
        .map(([, name, value]) => [name!, Number(value)]),
    );
  }

  test('What has not happened yet is 0, so that Prometheus sees the first time', async () => {
    const figures = await read();
    const series = [
      ...['http_errors_total{code="internal_error"}', 'http_errors_total{code="overloaded"}'],
      ...['logins_total{outcome="locked"}', 'login_locks_total{of="username"}'],
    ];
    for (const name of series) expect([name, figures.get(name)]).toEqual([name, 0]);
  });

  test('Requests are counted and timed by route and status', async () => {
    const token = await service.client.token('till', PASSWORD);
    await service.client.upload(token, day());
    await service.client.upload(token, [record({ hour: 24 })]);
    const figures = await read();
    for (const status of [200, 400]) {
      const labels = `method="POST",route="/api/v1/sales/upload-daily",status="${status}"`;
      expect(figures.get(`http_request_duration_seconds_count{${labels}}`)).toBe(1);
    }
    expect(figures.get('http_errors_total{code="invalid_request"}')).toBe(1);
  });

  test('What restaurants hand in, and how logins went, is counted', async () => {
    const before = await read();
    const token = await service.client.token('till', PASSWORD);
    await service.client.upload(token, day({ date: '2025-10-16' }));
    await service.client.upload(token, [record({ date: '2025-10-16', hour: 3, gto: 7 })]);
    for (let count = 0; count < 3; count++) await service.client.login('nobody', 'wrong');
    const after = await read();
    const rise = (name: string) => after.get(name)! - (before.get(name) ?? 0);
    expect(rise('uploads_saved_total')).toBe(2);
    expect(rise('upload_records_saved_total')).toBe(25);
    expect(rise('upload_hours_overwritten_total')).toBe(1);
    expect(rise('logins_total{outcome="success"}')).toBe(1);
    expect(rise('logins_total{outcome="failure"}')).toBe(2);
    expect(rise('logins_total{outcome="locked"}')).toBe(1);
    expect(rise('login_locks_total{of="pair"}')).toBe(1);
  });

  test('What the process and the database are doing can be seen', async () => {
    await eventually(
      async () => (await read()).get('service_ready') === 1,
      'the service to be ready',
    );
    const figures = await read();
    for (const name of [
      'http_requests_in_flight',
      'password_hash_queue',
      'database_timeouts_total',
      'sales_missing_restaurants',
      'last_upload_timestamp_seconds',
      'nodejs_eventloop_lag_p99_seconds',
    ])
      expect([name, figures.get(name)]).toEqual([name, expect.any(Number)]);
    expect(figures.get('database_connections')).toBeGreaterThan(0);
  });

  test('However much clients invent, there are no more time series', async () => {
    await service.client.get('/first');
    const before = (await read()).size;
    for (let index = 0; index < 20; index++) {
      await service.client.send('GET', `/invented/${index}?q=${index}`);
      await service.client.send(`METHOD${index}`, '/api/v1/auth/login').catch(() => undefined);
      await service.client.get(`/api/v1/sales/daily?restaurant_id=${index}`);
    }
    expect((await read()).size - before).toBeLessThan(4 * 14); // a few statuses that were new
  });

  test('They have a listener of their own, with nothing else on it', async () => {
    expect((await service.client.get('/metrics')).status).toBe(404);
    expect((await fetch(`${origin}/health/live`)).status).toBe(404);
  });

  describe('A request', () => {
    beforeAll(async () => (token = await service.client.token('till', PASSWORD)));

    test('is one lean line of JSON that says who did what with which outcome', async () => {
      const answer = await service.client.post(
        '/api/v1/sales/upload-daily',
        { records: day() },
        { token, headers: { 'X-Request-Id': 'upload-1' } },
      );
      const line = await service.lineOf('upload-1');
      expect(line).toEqual({
        level: 'info',
        time: expect.any(Number),
        pid: service.pid,
        requestId: 'upload-1',
        method: 'POST',
        route: '/api/v1/sales/upload-daily',
        status: 200,
        ms: expect.any(Number),
        userId: 1,
        restaurant: 101,
        bytesIn: Buffer.byteLength(JSON.stringify({ records: day() })),
        bytesOut: Buffer.byteLength(answer.text),
        client: '127.0.0.1',
      });
      expect(Math.abs(line['time'] - Date.now())).toBeLessThan(60_000);
      expect(service.log.filter(({ requestId }) => requestId === 'upload-1')).toHaveLength(1);
    });

    test.each([
      ['a probe', () => service.client.get('/health/live'), 'debug'],
      ['a refused login', () => service.client.login('till', 'wrong'), 'warn'],
      ['a path that is not there', () => service.client.get('/nothing?token=secret'), 'warn'],
    ])('%s has its own level', async (_what, ask, level) => {
      const line = await service.lineOf((await ask()).headers.get('X-Request-Id')!);
      expect(line['level']).toBe(level);
    });

    test('that no route serves tells its path, without the query and where it is short', async () => {
      const short = await service.client.get('/api/v1/sales/upload-hourly?a=b');
      const long = await service.client.get(`/${'x'.repeat(100)}`);
      expect((await service.lineOf(short.headers.get('X-Request-Id')!))['path']).toBe(
        '/api/v1/sales/upload-hourly',
      );
      expect(await service.lineOf(long.headers.get('X-Request-Id')!)).not.toHaveProperty('path');
    });

    test('whose client went away is told as such', async () => {
      const connection = await RawConnection.open(service.url);
      const type = { 'Content-Type': 'application/json', 'Content-Length': '50' };
      const headers = { ...type, 'X-Request-Id': 'gone-1', Expect: '100-continue' };
      await connection.send(rawRequest('POST /api/v1/auth/login', headers, '{"grant'));
      await connection.receivedText('100 Continue');
      connection.abort();
      const expected = { status: 499, aborted: true, client: '127.0.0.1' };
      expect(await service.lineOf('gone-1')).toMatchObject(expected);
    });

    test('that is none is told with its address', async () => {
      const connection = await RawConnection.open(service.url);
      await connection.send('GARBAGE\r\n\r\n');
      const id = (await connection.answer()).headers.get('X-Request-Id')!;
      const expected = { level: 'warn', status: 400, client: '127.0.0.1' };
      expect(await service.lineOf(id)).toMatchObject(expected);
    });

    test('that failed for a reason unforeseen is an error, with the stack of what failed', async () => {
      await database.query('ALTER TABLE hourly_sales RENAME TO lost');
      const answer = await service.client.upload(token, [record({ gto: 8_675_309.25 })]);
      await database.query('ALTER TABLE lost RENAME TO hourly_sales');
      expect(answer.status).toBe(500);
      const line = await service.lineOf(answer.headers.get('X-Request-Id')!);
      expect(line).toMatchObject({
        level: 'error',
        status: 500,
        restaurant: 101,
        err: { type: 'error', code: '42P01', stack: expect.stringMatching(/\n {4}at .+:\d+/) },
      });
      expect(line['err'].message).toContain('hourly_sales');
    });
  });

  test('Nothing of what was sent gets into the log but what the line is meant to say', async () => {
    const sent = 'query-secret-1 header-secret-2 body-secret-3 cookie-secret-4 8675309'.split(' ');
    await service.client.get('/api/v1/sales/daily?restaurant_id=1&token=query-secret-1', { token });
    await service.client.get('/health/ready', {
      headers: { 'X-Key': 'header-secret-2', Cookie: 'a=cookie-secret-4' },
    });
    await service.client.login('body-secret-3', 'body-secret-3');
    await service.client.post('/api/v1/auth/login', '{"password": body-secret-3');
    await service.client.upload('header-secret-2', [record()]);
    await service.client.upload(token, [record({ note: 'body-secret-3', gto: -8_675_309 })]);
    const last = await service.client.get('/health/live');
    await service.lineOf(last.headers.get('X-Request-Id')!);
    for (const secret of [...sent, PASSWORD, token])
      expect(service.stdout + service.stderr).not.toContain(secret);
  });

  test('A reader of the log that stalls: every line comes once it reads on, each of them JSON; where it stalls for good, SIGTERM ends the service', async () => {
    const readOf = () => service.log.filter(({ requestId }) => requestId === LONG_ID).length;
    reader.pause();
    await makeLines();
    expect(readOf()).toBe(0);
    reader.resume();
    await eventually(() => readOf() === REQUESTS, 'the lines');
    expect((await read()).get('log_lines_dropped_total')).toBe(0);
    const lines = service.stdout.trimEnd().split('\n');
    const messages = lines.map((line) => (JSON.parse(line) as LogLine)['msg'] as string);
    expect(messages).toContain(`listening on ${service.url}`); // in production this is JSON too
    reader.pause();
    await makeLines();
    await service.stop();
    expect(service.stderr).toBe('');
  });

  /** Requests that are each worth a line. */
  async function makeLines(): Promise<void> {
    const headers = { 'X-Request-Id': LONG_ID };
    for (let sent = 0; sent < REQUESTS; sent += 50) {
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => service.client.get(`/${'x'.repeat(50)}`, { headers })),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    }
  }
});

/** A pipe of the system, which holds 64 kB; those of Node's child processes are sockets, and hold more. */
function openPipe(path: string): { reader: Socket; writer: number } {
  execFileSync('mkfifo', [path]);
  const reader = new Socket({
    fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK),
    writable: false,
  });
  return { reader, writer: openSync(path, 'w') };
}

test('Lines are dropped while a pipe has no reader, and none is torn when the next one reads', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sales-upload-fifo-'));
  const fifo = join(folder, 'log');
  execFileSync('mkfifo', [fifo]);
  const open = (mode: number): number => openSync(fifo, mode | constants.O_NONBLOCK);
  const droppedLines = () => readMetric('log_lines_dropped_total');
  let reader = open(constants.O_RDONLY);
  const descriptor = open(constants.O_WRONLY);
  let text = '';
  const comes = (line: string) =>
    eventually(() => {
      const buffer = Buffer.alloc(1000);
      try {
        text += buffer.toString('utf8', 0, readSync(reader, buffer));
      } catch {
        return false; // nothing to read yet
      }
      return text.endsWith(line);
    }, line);
  try {
    const writer = new LineWriter(descriptor);
    writer.write('first\n');
    await comes('first\n');
    closeSync(reader);
    writer.write('kept\n');
    await eventually(async () => {
      writer.write('dropped\n');
      return (await droppedLines()) > 0;
    }, 'lines to be dropped');
    reader = open(constants.O_RDONLY);
    await eventually(async () => {
      const before = await droppedLines();
      writer.write('last\n');
      return (await droppedLines()) === before;
    }, 'lines to be taken');
    await comes('last\n');
    expect(text).toMatch(/^first\nkept\n(dropped\n)*last\n$/);
  } finally {
    closeSync(reader);
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
  }
});
