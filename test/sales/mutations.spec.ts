import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8 } from 'fflate';
import { type GivenTurnover, planUploads } from '../../src/sales/files/add-up.js';
import type { Profile } from '../../src/sales/files/profile.js';
import { readSalesFile } from '../../src/sales/files/read-sales-file.js';
import { readText } from '../../src/sales/files/read-text.js';

const FOLDER = join(__dirname, 'formats');
const PROFILES = JSON.parse(readFileSync(join(FOLDER, 'profiles.json'), 'utf8')) as Record<
  string,
  Omit<Profile, 'name'>
>;

/** The text formats, each with its profile, its separator and what is said of its file. */
const FORMATS: [name: string, profile: string, separator: string, given: object][] = [
  ['05-pro-hourly-till1.CSV', '05-pro-hourly', ',', {}],
  ['06-ayala-hourly-till1.TXT', '06-ayala-hourly', ',', {}],
  ['12-roundrock-hourly.csv', '12-roundrock-hourly', ',', { restaurant: '101' }],
  ['16-tabin-sales-by-hour-2026-11-17.csv', '16-tabin-sales-by-hour', ',', { restaurant: '101' }],
  ['20-revel-hourly-sales-15min-2026-11-20.csv', '20-revel-hourly-sales', ',', { restaurant: '111' }],
  ['22-lightspeed-k-hourly-2026-11-22.csv', '22-lightspeed-k-hourly', ',', { restaurant: '101' }],
  ['24-toast-time-of-day-2026-11-24.csv', '24-toast-time-of-day', ',', { restaurant: '111', date: '2026-11-24' }],
  ['25-oracle-standard-export-20261110.txt', '25-oracle-standard-export', ',', { restaurant: '101' }],
  ['26-sales_2026_11_18.csv', '26-sales', ';', { restaurant: '111' }],
  ['30-square-transactions.csv', '30-square-transactions', ',', {}],
]; // prettier-ignore

type Rows = string[][];
/** Says of a row whether it has the turnover of an hour. */
interface Where {
  readonly head: number;
  readonly turnover: number;
  readonly isData: (row: readonly string[]) => boolean;
}
const amountIn = (cell: string): number => Number(cell.replace(/[^\d.-]/g, ''));
const scaled =
  (factor: number) =>
  (rows: Rows, { turnover, isData }: Where): Rows =>
    rows.map((row) =>
      isData(row) ? row.with(turnover, (amountIn(row[turnover]!) * factor).toFixed(2)) : row,
    );
const middleOf = (rows: Rows, { isData }: Where): number => {
  const indexes = rows.flatMap((row, index) => (isData(row) ? [index] : []));
  return indexes[Math.floor(indexes.length / 2)]!;
};

/** What a till or a person does to a file while its profile stays. */
const MUTATIONS: Record<string, (rows: Rows, where: Where) => Rows> = {
  'is cut off': (rows, where) => rows.slice(0, middleOf(rows, where)),
  'loses its last rows': (rows) => rows.slice(0, -2),
  'loses a row': (rows, where) => rows.toSpliced(middleOf(rows, where), 1),
  'has a row twice': (rows, where) => {
    const at = middleOf(rows, where);
    return rows.toSpliced(at, 0, rows[at]!);
  },
  'has a subtotal': (rows, where) => {
    const at = middleOf(rows, where);
    const row = rows[at]!.map((_cell, index) =>
      index === where.turnover ? '999.00' : index === 0 ? 'Subtotal' : '',
    );
    return rows.toSpliced(at, 0, row);
  },
  'is in cents': (rows, { turnover, isData }) =>
    rows.map((row) =>
      isData(row) ? row.with(turnover, String(Math.round(amountIn(row[turnover]!) * 100))) : row,
    ),
  'is gross': scaled(1.09),
  'is a week': scaled(7),
  'is of another restaurant': (rows, where) =>
    scaled(0.83)(rows, where).map((row) =>
      row.map((cell) => cell.replace(/(outlet) 101/i, '$1 111')),
    ),
  'has another restaurant name': (rows) =>
    rows.map((row) => row.map((cell) => cell.replace(/(outlet) 101/i, '$1 111'))),
  'has days and months exchanged': (rows) =>
    rows.map((row) =>
      row.map((cell) =>
        cell
          .replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, '$2/$1/$3')
          .replace(/^(2026)(-?)(\d\d)(-?)(0\d|1[0-2])$/, '$1$2$5$4$3'),
      ),
    ),
  'has a column renamed': (rows, { head, turnover }) =>
    head < 0
      ? rows
      : rows.with(head, rows[head]!.with(turnover, `${rows[head]![turnover]!} (new)`)),
  'has a new column': (rows, { head }) =>
    rows.map((row, index) => (index < head ? row : [...row, index === head ? 'GrabPay' : '1.00'])),
  'has a column moved': (rows, { head, turnover }) =>
    rows.map((row, index) =>
      index < head ? row : [row[turnover]!, ...row.toSpliced(turnover, 1)],
    ),
  'has a row without a cell': (rows, where) => {
    const at = middleOf(rows, where);
    return rows.with(at, rows[at]!.toSpliced(Math.max(0, where.turnover - 1), 1));
  },
  'has another outlet between the rows': (rows, where) =>
    rows.toSpliced(middleOf(rows, where), 0, ['Outlet 111']),
  'has one amount a hundred times': (rows, where) => {
    const at = middleOf(rows, where);
    const amount = amountIn(rows[at]![where.turnover]!) * 100;
    return rows.with(at, rows[at]!.with(where.turnover, amount.toFixed(2)));
  },
  'has its hours in a clock of 12': (rows, { isData }) =>
    rows.map((row) =>
      isData(row)
        ? row.map((cell) =>
            cell.replace(/^(1[3-9]|2[0-3]):00$/, (text) => `${parseInt(text, 10) - 12}:00`),
          )
        : row,
    ),
};

type Days = { restaurantId: number; date: string; turnover: string; checkedBy: unknown }[];

async function daysOf(
  [name, profile, , given]: (typeof FORMATS)[number],
  text: string,
  turnovers: readonly GivenTurnover[],
): Promise<Days> {
  const profiles = [{ ...PROFILES[profile]!, name: profile }];
  const isNumbered = profile.startsWith('25');
  const file = await readSalesFile(
    { name, bytes: strToU8(text) },
    { profiles, given, currency: 'USD', ...(isNumbered && { profile }) },
  );
  const around = { restaurants: [], latestDate: '2026-12-01', turnovers, everyDayIsGiven: true };
  return planUploads([file], around).days.map(({ restaurantId, date, turnover, checkedBy }) => ({
    ...{ restaurantId, date, turnover, checkedBy },
  }));
}

const counts = { with: 0, wrongWithout: 0, unchecked: 0 };

describe('With the turnover given, nothing that is done to a file is taken wrong', () => {
  test.each(FORMATS)('%s', async (...format) => {
    const [name, profile, separator, given] = format;
    const text = readFileSync(join(FOLDER, name), 'utf8').replaceAll('\r', '');
    const isDayGiven = 'date' in given;
    const one = [{ turnover: '5770.01', ...given, restaurantId: 111 }];
    const truth = await daysOf(format, text, isDayGiven ? one : []);
    expect(truth.length).toBeGreaterThan(0);
    const turnovers = truth.map(({ restaurantId, date, turnover }) => ({
      restaurantId,
      date,
      turnover,
    }));
    const rows = readText(text, separator).map(({ cells }) => cells.map(String));
    const { gto } = PROFILES[profile]!.fields;
    const column = [gto].flat()[0]!;
    const head = typeof column === 'number' ? -1 : rows.findIndex((row) => row.includes(column));
    const turnover = typeof column === 'number' ? column - 1 : rows[head]!.indexOf(column);
    const isData = (row: readonly string[]): boolean =>
      rows.indexOf(row as string[]) > head &&
      /\d/.test(row[turnover] ?? '') &&
      !/total|summary|records/i.test(row.join());
    for (const mutate of Object.values(MUTATIONS)) {
      const mutated = mutate(rows, { head, turnover, isData })
        .map((row) => row.map((cell) => (/[",;]/.test(cell) ? `"${cell}"` : cell)).join(separator))
        .join('\n');
      const isWrong = (days: Days): boolean =>
        days.length > 0 &&
        JSON.stringify(
          days.map((day) => [day.restaurantId, day.date, Number(day.turnover)]).sort(),
        ) !==
          JSON.stringify(
            truth.map((day) => [day.restaurantId, day.date, Number(day.turnover)]).sort(),
          );
      counts.with++;
      const checked = await daysOf(format, mutated, turnovers);
      expect(isWrong(checked)).toBe(false);
      const unchecked = isDayGiven ? [] : await daysOf(format, mutated, []);
      if (isWrong(unchecked)) {
        counts.wrongWithout++;
        if (unchecked.some(({ checkedBy }) => checkedBy === undefined)) counts.unchecked++;
      }
    }
  });

  test('without the turnover, what is taken wrong says that it was not checked', () => {
    expect(counts.wrongWithout).toBeGreaterThan(20);
    expect(counts.unchecked).toBe(counts.wrongWithout);
  });
});
