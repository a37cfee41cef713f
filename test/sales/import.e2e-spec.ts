import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UploadsService } from '../../src/sales/uploads/uploads.service.js';
import { loadFixtures } from '../../src/testing/load-fixtures.js';
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
  admin.run(['sales', 'import', ...args, '--user', till.username, '--allow-old']);
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
  test('saves JSON, CSV of several days and mall files as uploads of the user, and ends with 0', async () => {
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
      `day.json ${named} 2025-10-14 ${saved(1)}`,
      `days.csv ${named} 2025-10-16 ${saved(24)}`,
      `days.csv ${named} 2025-10-17 ${saved(24)}`,
      `H4012345_20251015.txt ${named}, till 4012345 2025-10-15 ${saved(24)}`,
      'days saved: 4; files taken: 3; files rejected: 0',
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
  });

  test('says in a dry run what would change, warns, saves nothing, and ends with 0, also as JSON', async () => {
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
    warnings.push('not checked against a total');
    expect((await run(path, '--dry-run')).stdout).toMatch(
      /hours 3 are stored from an upload of a till or a person, uploaded at .* \(--replace\)/,
    );
    const { status, stdout } = await run(path, '--dry-run', '--replace');
    expect(status).toBe(0);
    for (const text of [message, ...warnings.map((warning) => `warning: ${warning}`)])
      expect(stdout).toContain(` ${text}\n`);
    expect(stdout).toMatch(/\ndays that would be saved: 1; files taken: 1; files rejected: 0\n$/);
    const of = { file: 'dry.csv', restaurant: `${id} (Restaurant ${id})`, date: '2025-10-15' };
    expect(JSON.parse((await run(path, '--dry-run', '--replace', '--json')).stdout)).toEqual({
      ...{ dry_run: true, rejected: 0 },
      days: [{ ...of, status: 'valid', message, warnings }],
      notes: [],
    });
    expect(await stored()).toHaveLength(1);
  });

  test('names the line of what is wrong, saves the other files, and ends with 3', async () => {
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
    expect(ran.stdout).toMatch(/\ndays saved: 1; files taken: 1; files rejected: 3\n$/);
    expect(await stored()).toEqual(day({ restaurant_id: id }));
    for (const date of ['2025-10-16', '2025-10-17']) expect(await stored(date)).toEqual([]);
  });

  test('rejects both files of what may be the same sales twice, and ends with 4', async () => {
    const ran = await run(
      await file('day.csv', csv(day({ restaurant_id: id }))),
      await file('till.txt', mallLines('2', 1)),
      ...['--machine', `2=${id}`],
    );
    expect(ran.status).toBe(4);
    expect(ran.stdout).toContain(
      'hour 0, till 2 is also in day.csv, line 2, read by another profile',
    );
    expect(ran.stdout).toContain('is also in till.txt, line 1, read by another profile');
    expect(await stored()).toEqual([]);
  });

  test('says of the same file twice one sentence', async () => {
    const content = csv(day({ restaurant_id: id }));
    const ran = await run(await file('one.csv', content), await file('copy.csv', content));
    expect(ran.status).toBe(4);
    expect(ran.stdout).toContain('is also in copy.csv, line 2, import one');
    expect(ran.stdout).toContain('is also in one.csv, line 2, import one');
    expect(ran.stdout.match(/is also in/g)).toHaveLength(2);
  });

  test('ends with 4 if all is rejected: a machine without a restaurant, a line too short', async () => {
    const ran = await run(
      await file('H1_20251015.txt', mallLines('1')),
      await file('short.txt', mallLines('2', 2).replace('|Y', '')),
    );
    expect(ran.status).toBe(4);
    expect(ran.stdout).toContain('which restaurant is 1? Name it: --machine "1"=ID');
    expect(ran.stdout).toContain('line 1: 17 cells');
    expect(await stored()).toEqual([]);
  });

  test('says at a failure how far it came, and ends with 1', async () => {
    await service.database.query(
      `ALTER TABLE sales_days
       ADD CONSTRAINT broken CHECK (restaurant_id <> ${id} OR date <> '2025-10-16')`,
    );
    const days = ['2025-10-15', '2025-10-16'].flatMap((date) => day({ restaurant_id: id, date }));
    const ran = await run(await file('two.csv', csv(days)));
    await service.database.query('ALTER TABLE sales_days DROP CONSTRAINT broken');
    expect(ran).toMatchObject({ status: 1, stdout: '' });
    expect(ran.stderr).toMatch(
      new RegExp(`^stopped after 1 of 2 days, safe to run again \\(saved: ${id} 2025-10-15\\): `),
    );
    expect(await stored()).toHaveLength(24);
  });

  test.each([['cannot be read: ENOENT', () => Promise.resolve(join(folder, 'none.csv'))]])(
    'ends with 1 for a file %s, and saves nothing',
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

  test('ends with 1 if the user is disabled, unknown, or not named where there are several', async () => {
    const path = await file('good.csv', csv(day({ restaurant_id: id })));
    const accounts = service.app.get(UsersService);
    await accounts.setDisabled(await accounts.get(till.username), true);
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

  describe('a control total', () => {
    const NOTHING = Object.fromEntries(
      'orders gst svc discount pax cash nets visa master amex voucher other'
        .split(' ')
        .map((name) => [name, null]),
    );
    const put = async (name: string, changes: object): Promise<void> => {
      const profile = {
        restaurant: { column: 'Outlet', ids: true },
        date: { column: 'Date' },
        hour: { column: 'Hour' },
        ...changes,
        fields: { ...NOTHING, gto: 'Net' },
      };
      const path = await file(`${name}.json`, JSON.stringify(profile));
      expect(await admin.run(['profile', 'put', name, path])).toMatchObject({ status: 0 });
    };
    const rows = (...hours: number[]): string =>
      ['Outlet,Date,Hour,Net', ...hours.map((hour) => `${id},2025-10-15,${hour},${hour}.50`)].join(
        '\n',
      );

    test('a turnover that is given must be what is read, of a run or of each day', async () => {
      await put('net', {});
      const path = await file('net.csv', rows(9, 10));
      const wrong = await run(path, '--turnover', '30');
      expect(wrong).toMatchObject({ status: 4 });
      expect(wrong.stdout).toMatch(
        /the turnover of restaurant \d+ on 2025-10-15 was given as 30, and the files have 20/,
      );
      const other = ['--turnover', '20', '--date', '2025-10-16'];
      expect(await run(path, ...other)).toMatchObject({ status: 4 });
      const list = async (...lines: string[]): Promise<string[]> => [
        '--turnovers',
        await file('turnovers.csv', ['restaurant;date;turnover', ...lines].join('\n')),
      ];
      const missing = await run(path, ...(await list(`${id};2025-10-16;20`)));
      expect(missing.stdout).toMatch(/what is the turnover of restaurant \d+ on 2025-10-15/);
      expect(missing.stdout).toMatch(/no file has this day, whose turnover was given as 20/);
      expect(await stored()).toEqual([]);
      const faulty = await run(path, ...(await list('x;2025-10-32;1,5')));
      expect(faulty).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('line 2: restaurant'),
      });
      const right = await run(path, ...(await list(`${id};2025-10-15;20.00`)));
      expect(right).toMatchObject({ status: 0 });
      expect(right.stdout).not.toContain('not checked');
      expect(await stored()).toHaveLength(2);
    });

    test('a turnover is of one day: a file of two says that it wants both', async () => {
      const path = await file('two-days.csv', `${rows(9)}\n${id},2025-10-16,10,10.50`);
      for (const turnover of ['9.50', '20']) {
        const ran = await run(path, '--turnover', turnover);
        expect(ran).toMatchObject({ status: 4 });
        expect(ran.stdout).toContain('several days: give the turnover of each (--turnovers FILE)');
      }
      const unread = await run(await file('bad.csv', 'What\n1'), '--turnover', '9.50');
      expect(unread.stdout).not.toContain('no file has this day');
      const lines = [`${id};2025-10-15;9.50`, `${id};2025-10-16;10.50`].join('\n');
      const list = await file('both.csv', `restaurant;date;turnover\n${lines}`);
      expect(await run(path, '--turnovers', list)).toMatchObject({ status: 0 });
    });

    test('a declared total must be there, and be the sum', async () => {
      await put('totalled', { control: 'file' });
      await admin.run(['profile', 'delete', 'net']);
      const cut = await run(await file('cut.csv', rows(9, 10)));
      expect(cut.stdout).toMatch(
        /its total is missing below the rows \(control\): is the file cut off\?/,
      );
      const lost = await run(await file('lost.csv', `${rows(9)}\n,,,20.00`));
      expect(lost.stdout).toMatch(/line 3, Net: 20\.00 is not the sum of the rows above/);
      const whole = await run(await file('whole.csv', `${rows(9, 10)}\n,,,20.00`));
      expect(whole).toMatchObject({ status: 0 });
      expect(whole.stdout).not.toContain('not checked');
      await admin.run(['profile', 'delete', 'totalled']);
    });
  });

  describe('an hour belongs to its source', () => {
    const AROUND = join(__dirname, 'around');
    const profiles = JSON.parse(readFileSync(join(AROUND, 'profiles.json'), 'utf8'));
    beforeAll(async () => {
      for (const name of ['r27', 'r28b']) {
        const path = await file(`${name}.json`, JSON.stringify(profiles[name]));
        expect(await admin.run(['profile', 'put', name, path])).toMatchObject({ status: 0 });
      }
      await givenRestaurant(service, 99);
    });
    const turnovers = async (date: string): Promise<number[]> => {
      const path = `/api/v1/sales/daily?restaurant_id=99&date=${date}`;
      return (await service.client.get(path, { token: office })).body.records.map(
        ({ gto }: any) => gto,
      );
    };
    let office: string;
    beforeEach(async () => (office = (await givenTill(service, { restaurants: [99, id] })).token));
    const runFor = (name: string, ...args: string[]): Promise<Ran> =>
      admin.run([
        ...['sales', 'import', join(AROUND, name), '--machine', 'O101=99', '--allow-old'],
        ...['--user', 'everybody', ...args],
      ]);

    test('another profile asks, and so does what would lose figures', async () => {
      await loadFixtures(service.app, {
        users: [{ username: 'everybody', password: 'right password', all_restaurants: true }],
      });
      for (const name of ['r27', 'r28b']) {
        const without = {
          ...profiles[name],
          restaurant: { column: profiles[name].restaurant.column },
        };
        const path = await file(`${name}.json`, JSON.stringify(without));
        await admin.run(['profile', 'put', name, path]);
      }
      expect(await runFor('28-a-tills.csv')).toMatchObject({ status: 0 });
      expect(await runFor('28-a-tills.csv')).toMatchObject({ status: 0 });
      const second = await runFor('28-b-delivery.csv');
      expect(second).toMatchObject({ status: 4 });
      expect(second.stdout).toMatch(
        /hours 12, 13 are stored from 28-a-tills\.csv, by the profile r27, uploaded at .* UTC \(--replace\)/,
      );
      expect(await turnovers('2026-09-16')).toEqual([100, 200, 150]);
      expect(await runFor('28-b-delivery.csv', '--replace')).toMatchObject({ status: 0 });
      expect(await turnovers('2026-09-16')).toEqual([100, 310, 260]);

      const sent = [12, 13].map((hour) =>
        record({ restaurant_id: 99, date: '2026-09-22', hour, gto: 200, cash: 200 }),
      );
      await service.client.upload(office, sent);
      const lost = await runFor('31-no-payments-after-api.csv');
      expect(lost).toMatchObject({ status: 4 });
      expect(lost.stdout).toMatch(/cash 400\.00 -> 0: not in this file \(hours 12, 13\)/);
      expect(lost.stdout).toContain('hours 12, 13 are stored from an upload of a till or a person');
    });

    test('a day that changes between the check and the save is not saved', async () => {
      const path = await file('day.csv', csv(day({ restaurant_id: id })));
      const uploads = service.app.get(UploadsService);
      const preview = uploads.previewDay.bind(uploads);
      const spy = jest.spyOn(uploads, 'previewDay').mockImplementationOnce(async (upload) => {
        const found = await preview(upload);
        await service.client.upload(till.token, [record({ restaurant_id: id, hour: 3 })]);
        return found;
      });
      const ran = await run(path);
      spy.mockRestore();
      expect(ran).toMatchObject({ status: 1 });
      expect(ran.stderr).toMatch(/stopped after 0 of 1 days, safe to run again: .* has changed/);
      expect(await stored()).toHaveLength(1);
    });

    test('uploads of earlier releases name files in a text, and count as of any import', async () => {
      const records = [record({ restaurant_id: id, hour: 3, gto: 1 })];
      const headers = { 'X-Upload-Source': encodeURIComponent('till 1: day-1.csv') };
      const upload = (header: object) =>
        service.client.post(
          '/api/v1/sales/upload-daily',
          { records },
          { token: till.token, headers: header as any },
        );
      await upload(headers);
      const path = await file('day.csv', csv(day({ restaurant_id: id })));
      expect(await run(path, '--dry-run')).toMatchObject({ status: 0 });
      records[0] = record({ restaurant_id: id, hour: 3, gto: 2 });
      await upload({ 'X-Upload-Source': 'till-7' });
      expect((await run(path, '--dry-run')).stdout).toMatch(
        /hours 3 are stored from an upload from till-7/,
      );
    });
  });

  test('dates of more than two months ago are asked about', async () => {
    const path = await file('old.csv', csv(day({ restaurant_id: id })));
    const ran = await admin.run(['sales', 'import', path, '--user', till.username]);
    expect(ran).toMatchObject({ status: 4 });
    expect(ran.stdout).toContain('2025-10-15 is long ago: allow it if that is right (--allow-old)');
  });
});
