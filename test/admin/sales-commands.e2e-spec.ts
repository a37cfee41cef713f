import { addDays, Clock } from '../../src/calendar/business-calendar.js';
import { CommandLine, type Ran } from '../support/command-line.js';
import { givenTill } from '../support/given.js';
import { day, FIGURES, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let admin: CommandLine;
beforeAll(async () => {
  service = await createTestApp();
  admin = new CommandLine(service.app);
});
afterAll(() => service.close());

const run = (line: string): Promise<Ran> => admin.run(line.split(' '));
const json = async (line: string) => {
  const { status, stdout } = await run(`${line} --json`);
  return { status, ...JSON.parse(stdout) };
};

describe('sales missing', () => {
  test('exit 3: the restaurants of which hours are missing, as a table or JSON; exit 0: none', async () => {
    const { token } = await givenTill(service, { restaurants: [101, 102, 103] });
    const upload = (records: object[]) => service.client.upload(token, records);
    await upload(day());
    await upload([0, 23].map((hour) => record({ restaurant_id: 102, hour })));
    const line = 'sales missing --date 2025-10-15';
    const hours = Array.from({ length: 22 }, (_, index) => index + 1).join(' ');
    const table =
      'ID   NAME            DATE        STATUS   MISSING HOURS\n' +
      `102  Restaurant 102  2025-10-15  partial  ${hours}\n` +
      '103  Restaurant 103  2025-10-15  missing  all\n';
    expect(await run(line)).toEqual({ status: 3, stdout: table, stderr: '' });
    const { status, date, missing } = await json(line);
    expect([status, date]).toEqual([3, '2025-10-15']);
    const found = missing.map((each: any) => `${each.restaurant_id} ${each.status}`);
    expect(found).toEqual(['102 partial', '103 missing']);
    for (const restaurant_id of [101, 102, 103])
      await upload(day({ restaurant_id, date: '2025-10-16' }));
    const ran = await run('sales missing --date 2025-10-16');
    expect(ran).toEqual({ status: 0, stdout: 'nothing is missing on 2025-10-16\n', stderr: '' });
  });

  test.each([
    ['sales missing', '2025-10-19'],
    ['sales missing --date yesterday', '2025-10-19'],
    ['sales missing --date today', '2025-10-20'],
  ])('%s is of %s', async (line, date) => {
    const now = jest.spyOn(service.app.get(Clock), 'now');
    now.mockReturnValue(Date.parse('2025-10-20T08:00:00Z'));
    expect(await json(line)).toMatchObject({ date });
    now.mockRestore();
  });
});

describe('sales verify', () => {
  beforeAll(async () => {
    const { token } = await givenTill(service, { restaurants: [300] });
    await service.client.upload(token, day({ restaurant_id: 300 }));
    await service.client.upload(token, [record({ restaurant_id: 300, hour: 5, gto: 1.5 })]);
  });

  const HOUR = 'restaurant_id = 300 AND hour = 5';
  const DAY = 'restaurant_id = 300';
  test.each([
    ['hourly_sales', 'gto = 2', 'gto = 1.5', HOUR, 5],
    ['hourly_sales', 'upload_number = 1', 'upload_number = 2', HOUR, 5],
    ['sales_days', 'hours = 1', 'hours = 16777215', DAY, null],
    ['sales_days', 'uploads = 3', 'uploads = 2', DAY, null],
  ])('1: reports what differs, 0 if nothing does: %s with %s', async (table, ...row) => {
    const [changed, right, where, hour] = row;
    await service.database.query(`UPDATE ${table} SET ${changed} WHERE ${where}`);
    const { status, reported } = await json('sales verify');
    await service.database.query(`UPDATE ${table} SET ${right} WHERE ${where}`);
    const [stored, ledger] = [expect.any(Object), expect.any(Object)];
    const difference = { restaurant_id: 300, date: '2025-10-15', hour, stored, ledger };
    expect([status, reported]).toEqual([1, [difference]]);
    expect(reported[0].stored).not.toEqual(reported[0].ledger);
    const stdout = expect.stringMatching(/^\d+ days compared with the ledger: 0 differences\n$/);
    expect(await run('sales verify')).toEqual({ status: 0, stdout, stderr: '' });
  });

  test('exit 1: a deleted hour, and one that was never uploaded', async () => {
    await service.database.query('DELETE FROM hourly_sales WHERE restaurant_id = 300 AND hour = 7');
    await service.database.query(
      `INSERT INTO hourly_sales (restaurant_id, date, hour, upload_number, ${FIGURES.join()})
       VALUES (999, '2025-10-15', 0, 1, ${FIGURES.map(() => 0).join()})`,
    );
    const { status, stdout } = await run('sales verify');
    expect(status).toBe(1);
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(
        /^restaurant 300, 2025-10-15, hour 7: stored nothing; the ledger says .*gto=107.25 .*=1$/,
      ),
      expect.stringMatching(
        /^restaurant 999, 2025-10-15, hour 0: stored .*orders=0 .*; the ledger says nothing$/,
      ),
      expect.stringMatching(/: 2 differences$/),
      '',
    ]);
  });
});

describe('sales uploads', () => {
  test('lists what came when, from whom and where, newest first', async () => {
    const { username, token } = await givenTill(service, { restaurants: [400, 401] });
    const upload = (records: object[], headers = {}) =>
      service.client.post('/api/v1/sales/upload-daily', { records }, { token, headers });
    const source = { 'X-Upload-Source': 'H1_%C3%A9.txt' };
    await upload([9, 10].map((hour) => record({ restaurant_id: 400, hour })));
    await upload(
      [10, 11].map((hour) => record({ restaurant_id: 400, hour, gto: 1 })),
      source,
    );
    await upload([record({ restaurant_id: 401 })]);
    const ids = async (options: string): Promise<string[]> => {
      const { stdout } = await run(`sales uploads ${options} --json`);
      return JSON.parse(stdout).map(({ id }: any) => id.replace('-2025-10-15', ''));
    };
    expect(await ids(`--user ${username}`)).toEqual(['401-1', '400-2', '400-1']);
    expect(await ids('--restaurant 400')).toEqual(['400-2', '400-1']);
    expect(await ids(`--user ${username} --limit 1`)).toEqual(['401-1']);
    const { stdout } = await run('sales uploads --restaurant 400 --limit 1 --json');
    const [latest] = JSON.parse(stdout);
    expect(latest).toEqual({
      ...{ id: '400-2025-10-15-2', restaurant_id: 400, date: '2025-10-15', username },
      ...{ uploaded_at: expect.any(String), client_address: '127.0.0.1', source: 'H1_é.txt' },
      ...{ processed: 2, changed_hours: [10, 11], replaced_hours: [10] },
    });
    const today = latest.uploaded_at.slice(0, 10);
    const tomorrow = addDays(today, 1);
    const yesterday = addDays(today, -1);
    const all = ['400-2', '400-1'];
    expect([
      await ids(`--restaurant 400 --since ${today} --until ${tomorrow}`),
      await ids(`--restaurant 400 --since ${tomorrow}`),
      await ids(`--restaurant 400 --until ${yesterday}`),
    ]).toEqual([all, [], []]);
    const { stdout: table } = await run('sales uploads --restaurant 400 --limit 1');
    const [head, line, ...others] = table.trimEnd().split('\n');
    expect(head).toMatch(
      /^TIME \(UTC\) +RESTAURANT +DATE +USER +FROM +SOURCE +RECORDS +CHANGED HOURS +REPL/,
    );
    expect(line!.split(/ {2,}/).slice(1).join()).toBe(
      `400,2025-10-15,${username},127.0.0.1,H1_é.txt,2,2,1`,
    );
    expect(others).toEqual([]);
  });

  test.each([
    ['--restaurant 999999', /there is no restaurant 999999/],
    ['--user nobody', /nobody/],
    ['--since 2025-02-30', /date that exists/],
    ['--limit 0', /at least 1/],
  ])('%s is refused', async (options, text) => {
    const ran = await run(`sales uploads ${options}`);
    expect([ran.status, ran.stdout]).not.toContain(0);
    expect(ran.stderr).toMatch(text);
  });
});
