import { BusinessCalendar } from '../../src/config/business-calendar.js';
import { CommandLine, type Ran } from '../support/command-line.js';
import { givenRestaurant, givenTill } from '../support/given.js';
import { day, FIGURES, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let admin: CommandLine;
beforeAll(async () => {
  service = await createTestApp();
  admin = new CommandLine(service.app);
});
afterAll(() => service.close());

const run = (...args: string[]): Promise<Ran> => admin.run(args);
const json = async (...args: string[]) => {
  const { status, stdout } = await run(...args, '--json');
  return { status, ...JSON.parse(stdout) };
};

describe('sales missing', () => {
  const date = '2025-10-15';
  let token: string;
  beforeAll(async () => {
    ({ token } = await givenTill(service, { restaurants: [101, 102] }));
    await givenRestaurant(service, 103);
    await service.client.upload(token, day());
    await service.client.upload(token, [
      record({ restaurant_id: 102, hour: 0 }),
      record({ restaurant_id: 102, hour: 23 }),
    ]);
  });

  test('3: a table of the restaurants of which hours are missing', async () => {
    const hours = Array.from({ length: 22 }, (_, index) => index + 1).join(' ');
    expect(await run('sales', 'missing', '--date', date)).toEqual({
      status: 3,
      stdout:
        'ID   NAME            DATE        STATUS   MISSING HOURS\n' +
        `102  Restaurant 102  2025-10-15  partial  ${hours}\n` +
        '103  Restaurant 103  2025-10-15  missing  all\n',
      stderr: '',
    });
  });

  test('3: the same as JSON', async () => {
    const answer = await json('sales', 'missing', '--date', date);
    expect(answer).toMatchObject({ status: 3, date });
    expect(answer.missing.map(({ restaurant_id, status }: any) => [restaurant_id, status])).toEqual(
      [
        [102, 'partial'],
        [103, 'missing'],
      ],
    );
  });

  test('0: nothing is missing', async () => {
    for (const restaurant_id of [101, 102, 103]) {
      const till = await givenTill(service, { restaurants: [restaurant_id] });
      await service.client.upload(till.token, day({ restaurant_id, date: '2025-10-16' }));
    }
    const ran = await run('sales', 'missing', '--date', '2025-10-16');
    expect(ran).toEqual({ status: 0, stdout: 'nothing is missing on 2025-10-16\n', stderr: '' });
  });

  test.each([
    ['yesterday', ['--date', 'yesterday'], () => service.app.get(BusinessCalendar).yesterday()],
    ['yesterday, where nothing is said', [], () => service.app.get(BusinessCalendar).yesterday()],
    ['today', ['--date', 'today'], () => service.app.get(BusinessCalendar).today()],
  ])('knows %s', async (_word, args, expected) => {
    const before = expected();
    const { date } = await json('sales', 'missing', ...args);
    expect([before, expected()]).toContain(date); // midnight may pass
  });
});

describe('sales verify', () => {
  const tamper = (sql: string) => service.database.query(sql);
  let token: string;
  beforeAll(async () => {
    ({ token } = await givenTill(service, { restaurants: [300] }));
    await service.client.upload(token, day({ restaurant_id: 300 }));
    await service.client.upload(token, [record({ restaurant_id: 300, hour: 5, gto: 1.5 })]);
  });

  test('0: all is stored as the ledger says', async () => {
    const ran = await run('sales', 'verify');
    expect(ran).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^\d+ days .*: 0 differences\n$/),
      stderr: '',
    });
  });

  const HOUR = 'restaurant_id = 300 AND hour = 5';
  const DAY = 'restaurant_id = 300';
  test.each([
    ['hourly_sales', 'gto = 2', 'gto = 1.5', HOUR, 5],
    ['hourly_sales', 'upload_number = 1', 'upload_number = 2', HOUR, 5],
    ['sales_days', 'hours = 1', 'hours = 16777215', DAY, null],
    ['sales_days', 'uploads = 3', 'uploads = 2', DAY, null],
  ])('1: reports what differs: %s with %s', async (table, changed, right, where, hour) => {
    await tamper(`UPDATE ${table} SET ${changed} WHERE ${where}`);
    const { status, reported } = await json('sales', 'verify');
    await tamper(`UPDATE ${table} SET ${right} WHERE ${where}`);
    expect(status).toBe(1);
    expect(reported).toEqual([
      {
        restaurant_id: 300,
        date: '2025-10-15',
        hour,
        stored: expect.any(Object),
        ledger: expect.any(Object),
      },
    ]);
    expect(reported[0].stored).not.toEqual(reported[0].ledger);
    expect((await run('sales', 'verify')).status).toBe(0);
  });

  test('1: a deleted hour, and one that was never uploaded', async () => {
    const [row] = await tamper(
      'DELETE FROM hourly_sales WHERE restaurant_id = 300 AND hour = 7 RETURNING *',
    );
    await tamper(`INSERT INTO hourly_sales (restaurant_id, date, hour, upload_number, ${FIGURES.join()})
       SELECT 999, '2025-10-15', 0, 1, ${FIGURES.map(() => '0').join()}`);
    const { status, stdout } = await run('sales', 'verify');
    expect(status).toBe(1);
    expect(stdout).toMatch(
      /^restaurant 300, 2025-10-15, hour 7: stored nothing; the ledger says .*gto=107.25 .*upload_number=1$/m,
    );
    expect(stdout).toMatch(
      /^restaurant 999, 2025-10-15, hour 0: stored .*orders=0 .*; the ledger says nothing$/m,
    );
    expect(stdout).toMatch(/: 2 differences\n$/);
    expect(row).toBeDefined();
  });
});
