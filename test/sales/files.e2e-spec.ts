import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Plan, planUploads } from '../../src/sales/files/add-up.js';
import { readSalesFile } from '../../src/sales/files/read-sales-file.js';
import { CommandLine } from '../support/command-line.js';
import { givenRestaurant, givenTill } from '../support/given.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const FOLDER = join(__dirname, 'files');
const MACHINES = { 39100001: 101, 39100002: 101, '00039100': 101 };
const CODES = new Map(['mall', 'mall-cents'].map((name) => [name, MACHINES]));

interface Options {
  readonly profile?: string;
}

/** Reads and adds up files as the page does. */
async function plan(names: readonly string[], options: Options = {}): Promise<Plan> {
  const files = await Promise.all(
    names.map((name) =>
      readSalesFile(
        { name, bytes: readFileSync(join(FOLDER, name)) },
        { profiles: [], ...options },
      ),
    ),
  );
  return planUploads(files, { restaurants: [], codes: CODES, latestDate: '2026-12-01' });
}

/** Says what the uploads of files come to: `101 2025-10-15: 11 100, 12 110`. */
const hoursOf = (days: readonly { readonly records: readonly any[] }[]): string[] =>
  days.map(({ records }) => {
    const { restaurant_id: id, date } = records[0];
    return `${id} ${date}: ${records.map(({ hour, gto }) => `${hour} ${gto}`).join(', ')}`;
  });

const TWO_HOURS = '11 100, 12 110';
const THREE_HOURS = '11 100, 12 110, 13 120';

/** What each file comes to, or why it is refused. */
type Case = [files: string, result: string | RegExp, options?: Options];

const CASES: Case[] = [
  ['H39100001_20251002.txt', /line 4: hour 15 of 2025-10-02, gto: -40 is below zero.*take the refund off the hour of its sale/],
  ['H39100001_20251003.txt H39100002_20251003.txt', '101 2025-10-03: 11 100, 12 130, 13 130, 14 30'],
  ['H39100001_20251004.txt', /lines 2 and 3 are both of 2025-10-04, hour 12/],
  ['H39100001_20251005.txt', /its name says 2025-10-05, but its lines are of 2025-05-10/],
  ['H39100001_20251008.txt', `101 2025-10-08: ${THREE_HOURS}`],
  ['H39100001_20251009.txt', `101 2025-10-09: ${THREE_HOURS}`],
  ['H39100001_20251010.txt', /which profile is it of: mall or mall-cents\?/],
  ['H39100001_20251010.txt', `101 2025-10-10: ${THREE_HOURS}`, { profile: 'mall-cents' }],
  ['hour-25.csv', /line 4, hour: 25 is not an hour of this date: hours after midnight are of the next/],
  ['zero-padded.csv', `101 2025-10-15: ${TWO_HOURS}`],
  ['thousands-dot-rupiah.csv', /250\.000 may be 250 or 250000/],
  ['decimal-comma.csv', `101 2025-10-18: ${TWO_HOURS}`],
  ['parentheses.csv', /hour 12 of 2025-10-20, discount: -5 is below zero/],
  ['blank-for-zero.csv', `101 2025-10-21: ${TWO_HOURS}`],
  ['utf16-bom.txt', `101 2025-10-24: ${TWO_HOURS}`],
  ['windows-1252.csv', /is not UTF-8: save it as "CSV UTF-8"/],
  ['bom-crlf.csv', `101 2025-10-26: ${TWO_HOURS}`],
  ['cr-only.csv', `101 2025-10-28: ${TWO_HOURS}`],
  ['ctrl-z.csv', `101 2025-10-29: ${TWO_HOURS}`],
  ['titles-above.csv', `101 2025-11-01: ${TWO_HOURS}`],
  ['total-row-blank-keys.csv', `101 2025-11-02: ${TWO_HOURS}`],
  ['row-per-channel.csv', /lines 2 and 3 are both of 2025-11-04, hour 11, .*If they add up, say what tells them apart \(add_up\)/],
  ['merged-keys.csv', /line 3, date: \(empty\) is not a date/],
  ['line-break-in-cell.csv', `101 2025-11-06: ${TWO_HOURS}`],
  ['hour-colon.csv', '101 2025-11-09: 9 100, 12 110, 13 120'],
  ['hour-range.csv', '101 2025-11-11: 9 100, 12 110, 13 120'],
  ['quarter-hours.csv', /lines 2 and 3 are both of 2025-11-12, hour 9, .*is it there twice\?/],
  ['unknown-tenders.csv', '101 2025-11-16: 11 200, 12 200'],
  ['date-dmy-slash.csv', `101 2025-11-17: ${TWO_HOURS}`],
  ['date-mon.csv', `101 2025-11-17: ${TWO_HOURS}`],
  ['date-excel-serial.csv', /date: 45978 is not a date of this century, such as 2026-11-30/],
  ['report.xls', /is a web page: open it in a spreadsheet, save it as "CSV UTF-8"/],
  ['excel.xlsx', `101 2025-11-20: ${TWO_HOURS}`],
  ['correction-1-first.csv', '101 2025-11-21: 20 100, 21 110, 22 120, 23 130'],
  ['correction-2-corrected.csv', '101 2025-11-21: 20 100, 21 110, 22 170'],
  ['trx-api.json', /no profile knows its headings/],
  ['own-export-saved-by-excel.csv', `101 2025-11-23: ${TWO_HOURS}`],
  ['gcs-two-lines.rpt', /no profile knows its headings/],
  ['H00039100_20251125.txt', `101 2025-11-25: ${TWO_HOURS}`],
  ['negative-zero.csv', `101 2025-11-29: ${TWO_HOURS}`],
  ['many-decimals.csv', `101 2025-11-30: ${TWO_HOURS}`],
]; // prettier-ignore

const WHOLE_DAYS = ['H39100001_20251001.txt', 'several-days-restaurants.csv'];

test('every file has a case', () => {
  const tested = new Set([...WHOLE_DAYS, ...CASES.flatMap(([files]) => files.split(' '))]);
  expect(readdirSync(FOLDER).filter((name) => !tested.has(name))).toEqual([]);
});

describe('By the code of the page', () => {
  test.each<Case>(CASES)('%s', async (...[files, result, options]) => {
    const planned = await plan(files.split(' '), options);
    const problems = planned.files.flatMap(({ problems: found, questions }) => [
      ...found,
      ...questions.map(({ text }) => text),
    ]);
    if (typeof result === 'string')
      expect({ hours: hoursOf(planned.days), problems }).toEqual({ hours: [result], problems: [] });
    else {
      expect(problems.join('\n')).toMatch(result);
      expect(problems.join()).not.toContain('MYSHOP');
      expect(planned.days).toEqual([]);
    }
  });

  test('the columns that are not used are named', async () => {
    const { files } = await plan(['unknown-tenders.csv']);
    expect(files[0]!.notes).toEqual(['columns not used: unknown_a, unknown_b']);
  });

  test('whole days of several restaurants are read', async () => {
    for (const name of WHOLE_DAYS) {
      const { days } = await plan([name]);
      const sums = days.map(({ date, records }) => {
        const sum = records.reduce((all, { gto }) => all + Number(gto), 0);
        return [records[0]!['restaurant_id'], date, records.length, sum];
      });
      expect(sums).toEqual(
        days.length === 1
          ? [[101, '2025-10-01', 24, 2640]]
          : [
              [101, '2025-11-27', 12, 1860],
              [101, '2025-11-28', 12, 1860],
              [111, '2025-11-27', 12, 1860],
              [111, '2025-11-28', 12, 1860],
            ],
      );
    }
  });
});

describe('By command line', () => {
  let service: TestApp;
  let admin: CommandLine;
  let till: { username: string; token: string };
  beforeAll(async () => {
    service = await createTestApp();
    admin = new CommandLine(service.app);
    await givenRestaurant(service, 111);
    till = await givenTill(service, { restaurants: [101, 111] });
  });
  afterAll(() => service.close());

  const stored = async (id: number, date: string): Promise<any[]> => {
    const path = `/api/v1/sales/daily?restaurant_id=${id}&date=${date}`;
    return (await service.client.get(path, { token: till.token })).body.records;
  };
  const run = (...args: string[]) => {
    const paths = args.map((arg) => (arg.includes('.') ? join(FOLDER, arg) : arg));
    const machines = Object.entries(MACHINES).flatMap(([name, id]) => [
      '--machine',
      `${name}=${id}`,
    ]);
    return admin.run([
      'sales',
      'import',
      ...paths,
      ...machines,
      '--user',
      till.username,
      '--allow-old',
    ]);
  };

  test.each<Case>(CASES)('%s', async (...[files, result, options]) => {
    const profile = options?.profile === undefined ? [] : ['--profile', options.profile];
    const ran = await run(...files.split(' '), ...profile);
    if (typeof result !== 'string') {
      expect(ran.stdout).toMatch(result);
      expect(ran.stdout).toMatch(/days saved: 0; files taken: 0; files rejected: 1\n$/);
      return;
    }
    expect(ran).toMatchObject({ status: 0, stderr: '' });
    const [, id, date] = /^(\d+) ([\d-]+)/.exec(result)!;
    const hours = hoursOf([{ records: await stored(Number(id), date!) }]);
    const isCorrection = files.startsWith('correction-2');
    expect(hours).toEqual([isCorrection ? `${result}, 23 130` : result]);
    expect(ran.stdout.includes('not in the file stay as they are: 23')).toBe(isCorrection);
  });

  test('one till that would hide the others is rejected, with the way out', async () => {
    const alone = await run('H39100001_20251003.txt');
    expect(alone).toMatchObject({ status: 4 });
    expect(alone.stdout).toContain(
      'hours 12, 13 are stored from H39100001_20251003.txt, H39100002_20251003.txt, by the profile mall, also of till 39100002',
    );
    const path = '/api/v1/sales/uploads?restaurant_id=101&date=2025-10-03';
    const { uploads } = (await service.client.get(path, { token: till.token })).body;
    expect(uploads[0].source).toBe('H39100001_20251003.txt, H39100002_20251003.txt');
    const replaced = await run('H39100001_20251003.txt', '--replace');
    expect(replaced).toMatchObject({ status: 0 });
    expect(hoursOf([{ records: await stored(101, '2025-10-03') }])).toEqual([
      '101 2025-10-03: 11 100, 12 100, 13 100, 14 30',
    ]);
  });
});
