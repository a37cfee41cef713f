import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GivenTurnover, type Plan, planUploads } from '../../src/sales/files/add-up.js';
import type { Profile } from '../../src/sales/files/profile.js';
import { readSalesFile } from '../../src/sales/files/read-sales-file.js';
import { OPTIONAL, without } from '../support/records.js';

const FOLDER = join(__dirname, 'formats');
const json = (name: string): any => JSON.parse(readFileSync(join(FOLDER, name), 'utf8'));
const PROFILES = Object.entries(json('profiles.json')).map(
  ([name, profile]) => ({ name, ...(profile as object) }) as Profile,
);
const EXPECTED = json('expected.json') as Record<string, string[]>;

const plan = async (
  names: string[],
  told = {},
  options = {},
  turnovers: GivenTurnover[] = [],
): Promise<Plan> => {
  const files = await Promise.all(
    names.map((name) =>
      readSalesFile(
        { name, bytes: readFileSync(join(FOLDER, name)) },
        { profiles: PROFILES, given: told, ...options },
      ),
    ),
  );
  return planUploads(files, { restaurants: [], turnovers, latestDate: '2026-12-01' });
};
const problemsOf = ({ files: [file] }: Plan): string[] => [
  ...file!.problems,
  ...file!.questions.map(({ text }) => text),
];
const recordsOf = ({ days }: Plan): string[] =>
  days.flatMap(({ records }) =>
    records.map((record) => Object.values(without(record, ...Object.keys(OPTIONAL))).join(' ')),
  );

describe('Every format is recognized among all profiles, and comes out exactly', () => {
  test.each<[name: string, told?: object, options?: object, turnovers?: GivenTurnover[]]>([
    ['12-roundrock-hourly.csv', { restaurant: '101' }],
    ['13-pizza-hourly-workbook.xlsx'],
    ['15-labour-and-sales.xlsx'],
    ['16-tabin-sales-by-hour-2026-11-17.csv', { restaurant: '101' }],
    ['20-revel-hourly-sales-15min-2026-11-20.csv', { restaurant: '111' }],
    ['22-lightspeed-k-hourly-2026-11-22.csv', { restaurant: '101' }],
    [
      '24-toast-time-of-day-2026-11-24.csv',
      { restaurant: '111', date: '2026-11-24' },
      {},
      [{ restaurantId: 111, date: '2026-11-24', turnover: '5770.01' }],
    ],
    [
      '25-oracle-standard-export-20261110.txt',
      { restaurant: '101' },
      { profile: '25-oracle-standard-export' },
    ],
    ['26-sales_2026_11_18.csv', { restaurant: '111' }],
    ['30-square-transactions.csv'],
  ])('%s', async (...[name, told, options, turnovers]) => {
    const planned = await plan([name], told, options, turnovers);
    expect(problemsOf(planned)).toEqual([]);
    expect(recordsOf(planned).sort()).toEqual([...EXPECTED[name]!].sort());
  });

  test.each([
    ['05-pro-hourly', 'CSV'],
    ['06-ayala-hourly', 'TXT'],
  ])('%s: both tills, added up and alone', async (name, end) => {
    const tills = [`${name}-till1.${end}`, `${name}-till2.${end}`];
    expect(recordsOf(await plan(tills)).sort()).toEqual([...EXPECTED[tills[0]!]!].sort());
    for (const till of tills)
      expect(recordsOf(await plan([till])).sort()).toEqual([...EXPECTED[`${till} alone`]!].sort());
  });
});

describe('What has no figures of an hour is rejected with the reason', () => {
  test.each<[name: string, reason: RegExp, told?: object]>([
    [
      '11-gcs-daily.20261111.rpt',
      /no profile knows its headings: make one if it has a row for each hour/,
    ],
    ['17-macromatix-hour-interval.csv', /no profile knows its headings/],
    [
      '19-e3-retail-hourly-refund-only-hour.csv',
      /line 8: hour 16 of 2026-11-20, gto: -36.66 is below zero.*take the refund off the hour of its sale/,
      { restaurant: '101', date: '2026-11-20' },
    ],
    [
      '22-lightspeed-k-hourly-2026-11-16_2026-11-22.csv',
      /has 2 dates: figures of several days/,
      { restaurant: '101' },
    ],
    ['24-toast-sales-by-day.csv', /columns are missing: Hour of day/],
  ])('%s', async (...[name, reason, told]) => {
    const planned = await plan([name], told);
    expect(planned.days).toEqual([]);
    expect(problemsOf(planned)).toEqual([expect.stringMatching(reason)]);
    expect(problemsOf(planned).join()).not.toContain('NOTASECRET');
  });
});

test('every format has a test', () => {
  const tested = Object.keys(EXPECTED).length;
  expect(tested).toBeGreaterThan(10);
  expect(readdirSync(FOLDER).length).toBeGreaterThan(18);
});
