import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Plan, planUploads } from '../../src/sales/files/add-up.js';
import type { Profile } from '../../src/sales/files/profile.js';
import { profileFaults } from '../../src/sales/files/profile-faults.js';
import { readSalesFile } from '../../src/sales/files/read-sales-file.js';
import { OPTIONAL, without } from '../support/records.js';

const FOLDER = join(__dirname, 'around');
const json = (name: string): any => JSON.parse(readFileSync(join(FOLDER, name), 'utf8'));
const PROFILES = json('profiles.json') as Record<string, Omit<Profile, 'name'>>;
const EXPECTED = json('expected.json') as Record<string, string[]>;

const plan = async (name: string, profile: string, changes: object = {}): Promise<Plan> => {
  const profiles = [{ ...PROFILES[profile]!, ...changes, name: profile }];
  expect(profileFaults({ ...profiles[0], name: undefined })).toMatchObject([{ path: 'name' }]);
  const bytes = readFileSync(join(FOLDER, name));
  const given = { restaurant: '101' };
  const file = await readSalesFile({ name, bytes }, { profiles, given, currency: 'SGD' });
  return planUploads([file], { restaurants: [], latestDate: '2026-12-01' });
};
const recordsOf = ({ days }: Plan): string[] =>
  days.flatMap(({ records }) =>
    records.map((record) => Object.values(without(record, ...Object.keys(OPTIONAL))).join(' ')),
  );

const BOTH_RULES = {
  rows: [
    { column: '取引区分', order: ['1'], skip: ['*'] },
    { column: '取消区分', read: ['0'], skip: ['1'] },
  ],
};
const TOTALS = {
  control: [
    { tag: '08', is: 'gto' },
    { tag: '09', is: 'orders' },
    { tag: '10', is: 'pax' },
  ],
};

describe('What stands around the cells does not change them', () => {
  test.each<[name: string, profile: string, changes?: object]>([
    ['01-unbreakable-blanks.csv', 'r01'],
    ['02-three-minus-signs.csv', 'r02'],
    ['03-dates-from-1904.xlsx', 'r03'],
    ['04-prefixed-inline.xlsx', 'r03'],
    ['04b-prefixed-shared.xlsx', 'r03'],
    ['04c-empty-shared-text.xlsx', 'r04c'],
    ['05-strict.xlsx', 'r03'],
    ['06-seventeen-digits.xlsx', 'r06'],
    ['07-fractions-of-a-second.xlsx', 'r07'],
    ['08-readings-of-kanji.xlsx', 'r08'],
    ['10-kind-and-cancelled.csv', 'r10-kind', BOTH_RULES],
    ['24b-hours-after-24.csv', 'r24'],
    ['25-icm-hourly-0914.txt', 'r25-next'],
    ['25-icm-hourly-0914.txt', 'r25-next', TOTALS],
    ['26b-time-of-six-digits.csv', 'r26b'],
    ['27-joined-files.csv', 'r27'],
  ])('%s', async (...[name, profile, changes]) => {
    const planned = await plan(name, profile, changes);
    expect(planned.files[0]).toMatchObject({ problems: [], questions: [], unassigned: [] });
    expect(recordsOf(planned).sort()).toEqual([...EXPECTED[name]!].sort());
    expect(planned.days[0]!.checkedBy).toBe(changes === TOTALS ? 'file' : undefined);
  });
});

describe('What changes them is asked or rejected, with the cell', () => {
  test.each<[name: string, profile: string, option: string, text: RegExp, changes?: object]>([
    ['09-filtered-rows.xlsx', 'r09', '', /rows are hidden: 2, 3, 6: show or delete them/],
    ['11-ticket-twice.csv', 'r11', 'add_up', /lines 3 and 4 are both of 00277-002, lines 5 and 6 are both of 00277-003/],
    ['11b-ticket-twice-other-minute.csv', 'r11', 'add_up', /lines 4 and 5 are both of 00277-003/],
    ['12-utc-in-the-heading.csv', 'r12', 'accept', /Created \(UTC\): what does UTC mean/],
    ['13-hour-twice-with-zone.csv', 'r13', 'accept', /line 2: 12:00 AM EDT has a zone \(EDT\)/],
    ['25-icm-hourly-0914.txt', 'r25', 'hour', /04: is 24 from 23:00 to 24:00 \(first: 1\), or the first hour of the next day/],
    ['25c-icm-totals-differ.txt', 'r25-next', '', /its total 08 \(gto\) is 4311\.3, and the rows add up to 3324\.3/, TOTALS],
    ['29-two-currencies.csv', 'r27', 'accept', /line 3: RM80\.00 is in RM, and line 2 in S\$/],
    ['29b-another-currency.csv', 'r29b', 'accept', /Net \(USD\): what does USD mean/],
    ['32-first-page-only.csv', 'r27', 'skip_lines', /line 5: Showing 1 to 3 of 12 entries is not a row/],
  ])('%s', async (...[name, profile, option, text, changes]) => {
    const { days, files } = await plan(name, profile, changes);
    const { problems, questions } = files[0]!;
    expect(days).toEqual([]);
    expect([...problems, ...questions.map((question) => question.text)].join('\n')).toMatch(text);
    expect(questions.map((question) => question.option).includes(option)).toBe(option !== '');
  }); // prettier-ignore
});

test('every file has a test here or in that of the sources of an hour', () => {
  const elsewhere = ['28-a-tills.csv', '28-b-delivery.csv', '31-no-payments-after-api.csv'];
  const text = readFileSync(__filename, 'utf8');
  const names = readdirSync(FOLDER).filter((name) => /^\d/.test(name) && !elsewhere.includes(name));
  expect(names.filter((name) => !text.includes(`'${name}'`))).toEqual([]);
  expect(names).toHaveLength(24);
});
