import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsersService } from '../../src/users/users.service.js';
import { CommandLine, type Ran } from '../support/command-line.js';
import { givenRestaurant, givenTill } from '../support/given.js';
import { day, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let admin: CommandLine;
let folder: string;
beforeAll(async () => {
  service = await createTestApp();
  admin = new CommandLine(service.app);
  folder = await mkdtemp(join(tmpdir(), 'import-'));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

/** Each test has a restaurant of its own, and its till. */
let id = 100;
let till: { username: string; token: string };
beforeEach(async () => (till = await givenTill(service, { restaurants: [++id] })));

const file = async (name: string, content: string | Buffer): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
};
const run = (...args: string[]): Promise<Ran> =>
  admin.run(['sales', 'import', ...args, '--user', till.username]);
const stored = async (date = '2025-10-15'): Promise<any[]> => {
  const path = `/api/v1/sales/daily?restaurant_id=${id}&date=${date}`;
  return (await service.client.get(path, { token: till.token })).body.records;
};
const csv = (records: Record<string, unknown>[]): string =>
  [Object.keys(records[0]!), ...records.map((each) => Object.values(each))]
    .map((cells) => cells.join())
    .join('\n');
const MALL_FIGURES = '42|1250.50|112.55|20|125.05|96|300.50|150|500|200|50|30|20|Y';
const mallLines = (machine: string, hours = 24): string =>
  Array.from(
    { length: hours },
    (_, hour) => `${machine}|7|15102025|${hour}|${MALL_FIGURES}\r\n`,
  ).join('');

describe('sales import', () => {
  test('exit 0: JSON, CSV of several days and mall files are saved as uploads of the user', async () => {
    const days = ['2025-10-16', '2025-10-17'].flatMap((date) => day({ restaurant_id: id, date }));
    const first = { records: [record({ restaurant_id: id, date: '2025-10-14' })] };
    const ran = await run(
      await file('day.json', JSON.stringify(first)),
      await file('days.csv', csv(days)),
      await file('H4012345_20251015.txt', mallLines('4012345')),
      ...['--machine', `4012345=${id}`],
    );
    expect(ran).toMatchObject({ status: 0, stderr: '' });
    const table = ran.stdout.replace(/^\S*\//gm, '').replace(/ +/g, ' ');
    const named = `${id} (Restaurant ${id})`;
    const saved = (hours: number): string =>
      `hours saved: ${hours}, changed: ${hours}, overwritten: 0`;
    const lines = table.split('\n');
    expect(lines.filter((line) => !line.includes('warning: '))).toEqual([
      'FILE RESTAURANT DATE RESULT',
      `days.csv ${named} 2025-10-16 ${saved(24)}`,
      `days.csv ${named} 2025-10-17 ${saved(24)}`,
      `H4012345_20251015.txt ${named}, till 4012345 2025-10-15 ${saved(24)}`,
      `day.json ${named} 2025-10-14 ${saved(1)}`,
      'days saved: 4; files taken: 3; files refused: 0',
      '',
    ]);
    expect(lines).toContain(
      `days.csv ${named} 2025-10-16 warning: hour 0: the payments are 1250.50 in all, but gto is 100.25, and 337.85 with gst and svc`,
    );
    const hours = Array.from({ length: 24 }, (_, hour) => record({ restaurant_id: id, hour }));
    expect(await stored()).toEqual(hours);
    expect(await stored('2025-10-17')).toEqual(days.slice(24));
    const path = `/api/v1/sales/uploads?restaurant_id=${id}&date=2025-10-17`;
    const { uploads } = (await service.client.get(path, { token: till.token })).body;
    expect(uploads).toMatchObject([{ username: till.username, processed: 24 }]);
    expect(admin.recorded.at(-1)).toMatchObject({ outcome: 'success' });
  });

  test('exit 0: a dry run says what would change, warns, and saves nothing, also as JSON', async () => {
    await service.client.upload(till.token, [record({ restaurant_id: id, hour: 3 })]);
    const path = await file('dry.csv', csv(day({ restaurant_id: id }).slice(2, 5)));
    const message = 'hours that would be saved: 3, changed: 3, overwritten: 1';
    const warnings = [2, 3, 4].flatMap((hour) => {
      const share = `more than a third of gto, which is ${100 + hour}.25`;
      return [
        `hour ${hour}: gst is 112.55, ${share}`,
        `hour ${hour}: the payments are 1250.50 in all, but gto is ${100 + hour}.25, ` +
          `and ${337 + hour}.85 with gst and svc`,
        `hour ${hour}: svc is 125.05, ${share}`,
      ];
    });
    const smaller =
      'the day would have a turnover of 309.75, less than half of the 1250.50 that it has so far';
    warnings.splice(3, 0, smaller);
    warnings.push('hours whose turnover becomes smaller than what is stored: 3');
    const { status, stdout } = await run(path, '--dry-run');
    expect(status).toBe(0);
    for (const text of [message, ...warnings.map((warning) => `warning: ${warning}`)])
      expect(stdout).toContain(` ${text}\n`);
    expect(stdout).toMatch(/\ndays that would be saved: 1; files taken: 1; files refused: 0\n$/);
    const of = { file: 'dry.csv', restaurant: `${id} (Restaurant ${id})`, date: '2025-10-15' };
    expect(JSON.parse((await run(path, '--dry-run', '--json')).stdout)).toEqual({
      ...{ dry_run: true, rejected: 0 },
      days: [{ ...of, status: 'valid', message, warnings }],
      notes: [],
    });
    expect(await stored()).toHaveLength(1);
  });

  test('exit 3: what is wrong is told with its line, and other files are saved', async () => {
    await givenRestaurant(service, 90);
    const bad = day({ restaurant_id: id, date: '2025-10-16' }).slice(0, 3);
    const foreign = [
      ...day({ restaurant_id: id, date: '2025-10-17' }),
      ...day({ restaurant_id: 90 }),
    ];
    Object.assign(bad[1]!, { hour: 24, gto: 'many' });
    const good = await file('good.csv', csv(day({ restaurant_id: id })));
    const ran = await run(
      await file('bad.csv', csv(bad)),
      await file('broken.json', '{'),
      good,
      await file('foreign.csv', csv(foreign)),
    );
    expect(ran.status).toBe(3);
    for (const text of [
      'line 3, hour: 24 is not an hour of this date',
      'line 3, gto: many is not an amount',
      'restaurant 90 does not exist, or this account may not upload for it',
      'is not JSON',
    ])
      expect(ran.stdout).toContain(text);
    expect(ran.stdout).toMatch(/\ndays saved: 1; files taken: 1; files refused: 3\n$/);
    expect(await stored()).toEqual(day({ restaurant_id: id }));
    for (const date of ['2025-10-16', '2025-10-17']) expect(await stored(date)).toEqual([]);
  });

  test('exit 4: what may be the same sales twice is refused in both files', async () => {
    const ran = await run(
      await file('day.csv', csv(day({ restaurant_id: id }))),
      await file('till.txt', mallLines('2', 1)),
      ...['--machine', `2=${id}`],
    );
    expect(ran.status).toBe(4);
    expect(ran.stdout).toContain(
      'hour 0, till 2 is also in day.csv, line 2, one of them names no till',
    );
    expect(ran.stdout).toContain('is also in till.txt, line 1, one of them names no till');
    expect(await stored()).toEqual([]);
  });

  test('exit 4: all is rejected: a machine without a restaurant, a line too short', async () => {
    const ran = await run(
      await file('H1_20251015.txt', mallLines('1')),
      await file('short.txt', mallLines('2', 2).replace('|Y', '')),
    );
    expect(ran.status).toBe(4);
    expect(ran.stdout).toContain('which restaurant is 1? Name it: --machine "1"=ID');
    expect(ran.stdout).toContain('line 1: 17 cells');
    expect(await stored()).toEqual([]);
  });

  test('exit 1: a failure says how far it came', async () => {
    await service.database.query(
      `ALTER TABLE sales_days
       ADD CONSTRAINT broken CHECK (restaurant_id <> ${id} OR date <> '2025-10-16')`,
    );
    const days = ['2025-10-15', '2025-10-16'].flatMap((date) => day({ restaurant_id: id, date }));
    const ran = await run(await file('two.csv', csv(days)));
    await service.database.query('ALTER TABLE sales_days DROP CONSTRAINT broken');
    expect(ran).toMatchObject({ status: 1, stdout: '' });
    expect(ran.stderr).toMatch(/^stopped after 1 of 2 days, safe to run again: /);
    expect(await stored()).toHaveLength(24);
  });

  test.each([['cannot be read: ENOENT', () => Promise.resolve(join(folder, 'none.csv'))]])(
    '1: a file %s, and nothing is saved',
    async (reason, path) => {
      const good = await file('good.csv', csv(day({ restaurant_id: id })));
      expect(await run(good, await path())).toMatchObject({
        status: 1,
        stdout: '',
        stderr: expect.stringContaining(reason),
      });
      expect(await stored()).toEqual([]);
    },
  );

  test('exit 1: the user is disabled, unknown, or not named where there are several', async () => {
    const path = await file('good.csv', csv(day({ restaurant_id: id })));
    await service.app.get(UsersService).setDisabled(till.username, true);
    const users = await service.database.query('SELECT FROM users');
    for (const [args, stderr] of [
      [['--user', till.username], 'this account is disabled: ask head office to enable it\n'],
      [['--user', 'nobody'], 'there is no user "nobody"\n'],
      [[], `there are ${users.length} users: name the one who uploads with --user\n`],
    ] as const) {
      const ran = await admin.run(['sales', 'import', path, ...args]);
      expect(ran).toEqual({ status: 1, stdout: '', stderr });
    }
  });
});
