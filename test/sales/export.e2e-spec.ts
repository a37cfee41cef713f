import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { BARE_ENVIRONMENT, CommandLine, PROGRAM, type Ran } from '../support/command-line.js';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { COUNTS, FIGURES, record } from '../support/records.js';
import { eventually } from '../support/service-process.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const HEAD = `restaurant_id,restaurant,date,hour,status,${FIGURES.join()}\n`;
const MISSING = ','.repeat(FIGURES.length - 1);
const OCTOBER = ['--from', '2025-10-01', '--to', '2025-10-31'];
const STREAMS = `SELECT pid, wait_event FROM pg_stat_activity
  WHERE application_name = 'sales-upload stream' AND datname = current_database()`;

let service: TestApp;
let admin: CommandLine;

beforeAll(async () => {
  service = await createTestApp();
  admin = new CommandLine(service.app);
  const { client } = service;
  const { token } = await givenTill(service, { restaurants: [9, 101] });
  const sent = [
    [
      record({ hour: 10, gto: 0.1, cash: 99999999999.9999 }),
      record({ hour: 9, gto: 1e-7, gst: 0.125 }),
    ],
    [record({ date: '2025-10-01' })],
    [record({ date: '2025-10-31' })],
    [record({ date: '2025-09-30' })],
    [record({ date: '2025-11-01' })],
    [record({ restaurant_id: 9, orders: 2147483647 })],
    [record({ hour: 10, gto: 0.2, cash: 99999999999.9999 })], // is stored instead of the first
  ];
  for (const records of sent) expect((await client.upload(token, records)).status).toBe(200);
  // Hours 9 and 10 of Wednesdays are expected of one of them, and none of the other.
  const expect_hours = `UPDATE restaurants SET name = $2, first_day = '2025-10-09', weekly_hours = $3 WHERE id = $1`;
  await service.database.query(expect_hours, [101, 'Café "Ü", =1+1', '{0,0,1536,0,0,0,0}']);
  await service.database.query(expect_hours, [9, 'Kopi', '{0,0,0,0,0,0,0}']);
});
afterAll(() => service.close());

const run = (...args: string[]): Promise<Ran> => admin.run(['sales', 'export', ...args]);
const start = (...args: string[]) =>
  spawn(process.execPath, [PROGRAM, 'sales', 'export', ...args], {
    env: { ...BARE_ENVIRONMENT, DATABASE_URL: service.database.url },
  });

type Exporter = ReturnType<typeof start>;

/** Says whether PostgreSQL waits for the one who reads the lines. */
const isWaiting = (stream?: { wait_event?: unknown }): boolean =>
  ['ClientWrite', 'ClientRead'].includes(String(stream?.wait_event));

describe('sales export', () => {
  test('writes a line per hour by restaurant, date and hour, every amount digit for digit', async () => {
    const figures = (changes = {}): string =>
      FIGURES.map((name) => ({ ...record(), ...changes })[name]).join();
    const NAME = '"Café ""Ü"", =1+1"';
    const lines = [
      `9,Kopi,2025-10-15,12,unexpected,${figures({ orders: 2147483647 })}\n`,
      `101,${NAME},2025-10-01,12,unexpected,${figures()}\n`,
      `101,${NAME},2025-10-15,9,sent,${figures({ gto: '0.0000001', gst: '0.1250' })}\n`, // see EXPORTED
      `101,${NAME},2025-10-15,10,sent,${figures({ gto: 0.2, cash: 99999999999.9999 })}\n`,
      ...[22, 29].flatMap((date) =>
        [9, 10].map((hour) => `101,${NAME},2025-10-${date},${hour},missing,${MISSING}\n`),
      ),
      `101,${NAME},2025-10-31,12,unexpected,${figures()}\n`,
    ];
    expect(await run(...OCTOBER)).toEqual({ status: 0, stdout: HEAD + lines.join(''), stderr: '' });
    const one = await run(...OCTOBER, '--restaurant', '9');
    expect(one).toEqual({ status: 0, stdout: HEAD + lines[0]!, stderr: '' });
    const none = await run('--from', '1999-01-01', '--to', '1999-12-31');
    expect(none).toEqual({ status: 0, stdout: HEAD, stderr: '' });
  });

  test.each([
    ['to (2025-10-01) must not be before from (2025-10-02)', '--from 2025-10-02 --to 2025-10-01'],
    ['there is no restaurant 7', `${OCTOBER.join(' ')} --restaurant 7`],
  ])('ends with 1: %s', async (reason, options) => {
    const ran = await run(...options.split(' '));
    expect(ran).toEqual({ status: 1, stdout: '', stderr: `${reason}\n` });
  });
});

describe('GET /api/v1/sales/export', () => {
  let token: string;
  beforeAll(async () => ({ token } = await givenTill(service, { restaurants: [9, 101] })));
  const path = (query: string): string => `/api/v1/sales/export?${query}`;
  const get = (query: string) => service.client.get(path(query), { token });

  test('gives what the command writes, of the restaurants of the caller or some of them', async () => {
    const range = 'from=2025-10-01&to=2025-10-31';
    const whole = await get(range);
    expect([whole.status, whole.text]).toEqual([200, (await run(...OCTOBER)).stdout]);
    expect(whole.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
    const name = 'attachment; filename="sales-2025-10-01-2025-10-31.csv"';
    expect(whole.headers.get('Content-Disposition')).toBe(name);
    const one = await get(`${range}&restaurant_id=9`);
    expect(one.text).toBe((await run(...OCTOBER, '--restaurant', '9')).stdout);
    const none = await givenTill(service, { restaurants: [] });
    expect((await service.client.get(path(range), none)).text).toBe(HEAD);
    expectError(await service.client.get(path(`${range}&restaurant_id=9`), none), 403);
    expectError(await get('from=2025-10-02&to=2025-10-01'), 400, /must not be before from/);
    expectError(await get('from=2015-10-02&to=2025-10-15'), 400, /at most 3660 days/);
    expectError(await service.client.get(path(range)), 401);
    const totals = await service.client.get(`/api/v1/sales/totals?${range}`, { token });
    const lines: number = totals.body.days.reduce(
      (sum: number, day: any): number => sum + (Number(day.hours) + Number(day.missing_hours)),
      0,
    );
    expect(whole.text.match(/\n/g)).toHaveLength(1 + lines);
  });
});

describe('sales export of more than memory holds', () => {
  beforeAll(async () => {
    const values = FIGURES.map((name) => (COUNTS.includes(name) ? 'n' : '98765432100.0625 + n'));
    await service.database.query(`
      INSERT INTO hourly_sales (restaurant_id, date, hour, upload_number, ${FIGURES.join()})
      SELECT 101, '2030-01-01'::date + n / 24, n % 24, 1, ${values.join()}
      FROM generate_series(0, 39999) AS n`);
  });
  const DECADES = ['--from', '2030-01-01', '--to', '2034-07-25'];

  test('is streamed: without a reader nothing is fetched; then all of it comes', async () => {
    const child = start(...DECADES);
    let waiting = 0; // in succession: the server may also wait for a moment for one who takes all
    await untilStreams((rows) => (waiting = isWaiting(rows[0]) ? waiting + 1 : 0) === 20);
    let bytes = 0;
    let lines = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      for (const byte of chunk) if (byte === 10) lines++;
    });
    const [stderr] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect([child.exitCode, stderr, lines]).toEqual([0, '', 40_001]);
    expect(bytes).toBeGreaterThan(7_000_000);
  });

  test('by a request runs once for a user, is cut where it fails, and ends with its reader', async () => {
    const { token } = await givenTill(service, { restaurants: [101] });
    const headers = { Authorization: `Bearer ${token}` };
    const url = `${service.url}/api/v1/sales/export?from=2030-01-01&to=2034-07-25`;
    const open = async () => {
      let response = await fetch(url, { headers });
      // The service notices a moment later that the one before has ended.
      while (response.status === 503) response = await fetch(url, { headers });
      return response;
    };
    const stalled = await open();
    expect(stalled.status).toBe(200);
    expectError(
      await service.client.send('GET', url.slice(service.url.length), undefined, headers),
      503,
      /another export/,
    );
    await stalled.body!.cancel();
    await untilStreams((rows) => rows.length === 0);
    const cut = await open();
    const pid = await untilStreams((rows) => rows.find(isWaiting)?.pid);
    await service.database.query('SELECT pg_terminate_backend($1::integer)', [pid]);
    await expect(cut.text()).rejects.toThrow('terminated');
    await untilStreams((rows) => rows.length === 0);
    const whole = await (await open()).text();
    expect(whole.match(/\n/g)).toHaveLength(40_001);
  });

  test.each<[string, number | string, RegExp, (pid: number, child: Exporter) => unknown]>([
    [
      'the connection breaks',
      1,
      /connection/i,
      (pid) => service.database.query('SELECT pg_terminate_backend($1::integer)', [pid]),
    ],
    ['it is interrupted', 'SIGINT', /^$/, (_pid, child) => child.kill('SIGINT')],
    ['its reader has seen enough', 0, /^$/, (_pid, child) => child.stdout.destroy()],
  ])('ends with a status where %s: no part passes for all', async (_how, status, reason, stop) => {
    const child = start(...DECADES);
    const stderr = text(child.stderr);
    const pid = await untilStreams((rows) => rows.find(isWaiting)?.pid);
    await stop(pid, child);
    child.stdout.resume();
    await once(child, 'close');
    expect([child.exitCode ?? child.signalCode, await stderr]).toEqual([
      status,
      expect.stringMatching(reason),
    ]);
    await untilStreams((rows) => rows.length === 0);
  });
});

type StreamRow = { pid: number; wait_event: string | null };

function untilStreams<Seen>(see: (rows: StreamRow[]) => Seen | undefined | false): Promise<Seen> {
  return eventually(async () => see(await service.database.query(STREAMS)), 'the stream');
}
