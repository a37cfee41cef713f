import { endLeftovers, eventually, ServiceProcess } from '../support/service-process.js';
import { seed } from '../support/seed.js';
import { day, record } from '../support/records.js';
import { RawConnection, rawRequest } from '../support/raw-http.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const PASSWORD = 'kept-from-the-log-7341';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

let database: TestDatabase;
let service: ServiceProcess;
let token: string;
beforeAll(async () => {
  database = await createTestDatabase();
  await seed(database, { username: 'till', password: PASSWORD });
  service = await ServiceProcess.start({ DATABASE_URL: database.url, LOG_LEVEL: 'debug' });
  token = await service.client.token('till', PASSWORD);
});
afterAll(async () => {
  await service.stop();
  await database.drop();
});

describe('A request', () => {
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
    expect((await service.lineOf(short.headers.get('X-Request-Id')!))['path']).toBe('/api/v1/sales/upload-hourly');
    expect(await service.lineOf(long.headers.get('X-Request-Id')!)).not.toHaveProperty('path');
  });

  test('whose client went away is told as such', async () => {
    const connection = await RawConnection.open(service.url);
    const headers = { 'Content-Type': 'application/json', 'Content-Length': '50', 'X-Request-Id': 'gone-1' };
    await connection.send(rawRequest('POST /api/v1/auth/login', { ...headers, Expect: '100-continue' }, '{"grant'));
    await connection.receivedText('100 Continue');
    connection.abort();
    expect(await service.lineOf('gone-1')).toMatchObject({ status: 499, aborted: true, client: '127.0.0.1' });
  });

  test('whose client is gone before it is read is told as such too, where anything of it is read', async () => {
    for (let round = 0; round < 20; round++) {
      const connection = await RawConnection.open(service.url);
      const headers = { 'Content-Length': '50', 'X-Request-Id': `gone-early-${round}` };
      await connection.send(rawRequest('POST /api/v1/auth/login', headers, '{"grant'));
      connection.abort();
    }
    const last = await service.client.get('/health/live');
    await service.lineOf(last.headers.get('X-Request-Id')!);
    const told = service.log.filter(({ requestId }) => requestId?.startsWith('gone-early-'));
    expect(told.filter(({ status }) => status !== 499)).toEqual([]);
  });

  test('that is none is told with its address', async () => {
    const connection = await RawConnection.open(service.url);
    await connection.send('GARBAGE\r\n\r\n');
    const id = (await connection.answer()).headers.get('X-Request-Id')!;
    expect(await service.lineOf(id)).toMatchObject({ level: 'warn', status: 400, client: '127.0.0.1' });
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

describe('Without a collector of traces', () => {
  const ask = (traceparent?: string) =>
    service.client.get('/x', { headers: traceparent === undefined ? {} : { traceparent } });

  test('the trace of a request is logged and passed on with a span of its own', async () => {
    const { headers } = await ask(`00-${TRACE}-${PARENT}-01`);
    const [, trace, span, flags] = headers.get('traceparent')!.split('-');
    expect([trace, flags]).toEqual([TRACE, '01']);
    expect(span).toMatch(/^(?!00f067aa0ba902b7)[0-9a-f]{16}$/);
    expect(await service.lineOf(headers.get('X-Request-Id')!)).toMatchObject({ traceId: TRACE });
  });

  test('so is one of a later version, with more behind the flags', async () => {
    expect((await ask(`01-${TRACE}-${PARENT}-00-more`)).headers.get('traceparent')).toMatch(`00-${TRACE}-`);
  });

  test.each([
    undefined,
    '',
    `00-${TRACE}-${PARENT}`,
    `00-${TRACE}-${PARENT}-01-more`,
    `ff-${TRACE}-${PARENT}-01`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
  ])('no trace is made of %p', async (sent) => {
    expect((await ask(sent)).headers.get('traceparent')).toBeNull();
  });
});

test('Nothing of what was sent gets into the log but what the line is meant to say', async () => {
  const secrets = ['8675309', 'query-secret-1', 'header-secret-2', 'body-secret-3', 'cookie-secret-4', PASSWORD, token];
  await service.client.get('/api/v1/sales/daily?restaurant_id=1&token=query-secret-1', { token });
  await service.client.get('/health/ready', { headers: { 'X-Key': 'header-secret-2', Cookie: 'a=cookie-secret-4' } });
  await service.client.login('body-secret-3', 'body-secret-3');
  await service.client.post('/api/v1/auth/login', '{"password": body-secret-3');
  await service.client.upload('header-secret-2', [record()]);
  await service.client.upload(token, [record({ note: 'body-secret-3', gto: -8_675_309 })]);
  const last = await service.client.get('/health/live');
  await service.lineOf(last.headers.get('X-Request-Id')!);
  for (const secret of secrets) expect(service.stdout + service.stderr).not.toContain(secret);
});

test('LOG_LEVEL leaves out what is below it, and the start says nothing else than where it listens', async () => {
  const quiet = await ServiceProcess.start({ DATABASE_URL: database.url, LOG_LEVEL: 'warn' });
  await quiet.client.get('/health/live');
  const refused = await quiet.client.get('/x');
  await quiet.lineOf(refused.headers.get('X-Request-Id')!);
  expect(quiet.log).toHaveLength(1);
  await quiet.stop();
  expect(quiet.stdout.split('\n')[0]).toBe(`listening on ${quiet.url}`);
  expect(quiet.stderr).toBe('');
});

test('In production every line is JSON, that of the start included, and the last lines are not lost', async () => {
  const settings = { DATABASE_URL: database.url, NODE_ENV: 'production', BCRYPT_COST: '10', LOG_LEVEL: 'info' };
  const service = await ServiceProcess.start(settings);
  const { headers } = await service.client.get('/x');
  service.signal('SIGTERM');
  await service.exited;
  const lines = service.stdout.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).msg ?? JSON.parse(line).requestId)).toEqual([
    `listening on ${service.url}`,
    headers.get('X-Request-Id'),
    expect.stringContaining('SIGTERM'),
  ]);
  await eventually(() => service.stderr === '', 'an empty standard error');
});

afterAll(endLeftovers);
