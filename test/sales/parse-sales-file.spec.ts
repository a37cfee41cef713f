import { parseSalesFile } from '../../src/sales/import/parse-sales-file.js';
import { OPTIONAL, record, without } from '../support/records.js';
import { stretched } from '../support/time-limits.js';

const sent = (changes: Record<string, unknown> = {}) =>
  without(record(changes), ...Object.keys(OPTIONAL));
const HEADER = Object.keys(sent()).join();
const line = (changes: Record<string, unknown> = {}) => Object.values(sent(changes)).join();

const MALL_LINE =
  '4012345|12|15102025|12|42|1250.50|112.55|20.00|125.05|96|300.50|150|500|200|50|30|20|Y';
const MALL_CELLS = MALL_LINE.split('|');
const mallLine = (cell: number, text: string): string => MALL_CELLS.with(cell, text).join('|');

describe('A JSON file', () => {
  test('is one upload, as it stands', () => {
    const body = { records: [record(), { anything: null }] };
    expect(parseSalesFile(`\uFEFF ${JSON.stringify(body, null, 2)}`)).toEqual({
      days: [{ records: body.records, lines: [] }],
      problems: [],
    });
  });

  test.each([
    ['{"records": [', /^is not JSON: /],
    ['{"records": {}}', /^must be a JSON object with an array "records" of objects$/],
    ['{"records": [null]}', /^must be a JSON object with an array "records" of objects$/],
  ])('%s has a problem', (text, problem) => {
    const problems = [expect.stringMatching(problem)];
    expect(parseSalesFile(text)).toEqual({ days: [], problems });
  });
});

describe('A CSV file', () => {
  test('is an upload per restaurant and date, in the order of their first lines', () => {
    const rows = [
      sent({ hour: 0 }),
      sent({ hour: 0, restaurant_id: 102 }),
      sent({ hour: 1 }),
      sent({ hour: 1, date: '2025-10-16' }),
    ];
    const lines = rows.map((row) => Object.values(row).join());
    expect(parseSalesFile(`${HEADER}\r\n${lines.join('\r\n\r\n')}\r\n`)).toEqual({
      days: [
        { records: [rows[0], rows[2]], lines: [2, 6] },
        { records: [rows[1]], lines: [4] },
        { records: [rows[3]], lines: [8] },
      ],
      problems: [],
    });
  });

  test('has its columns in any order, others beside them, quotes, spaces and semicolons', () => {
    const names = [...HEADER.split(',').reverse(), 'note'];
    const cells = [...Object.values(sent()).reverse(), 'a "quoted"; word'];
    const quoted = cells.map((cell) => ` "${String(cell).replaceAll('"', '""')}" `).join(';');
    expect(parseSalesFile(`${names.join('; ').toUpperCase()}\n${quoted}`).days).toEqual([
      { records: [sent()], lines: [2] },
    ]);
  });

  test.each<[cell: string, value: unknown]>([
    ['0.10', 0.1],
    ['00012345678901.2345000', 12345678901.2345],
    ['.5', 0.5],
    ['-1', -1],
    ['1e3', '1e3'],
    ['"1,5"', '1,5'],
    ['"1""3"', '1"3'],
    ['"1"3', '"1"3'],
    ['"1', '"1'],
    ['1"', '1"'],
    ['', undefined],
  ])('the cell %s is %j; a column of another name is left out', (cell, gto) => {
    const text = `${HEADER},Machine\n${line({ gto: '%' }).replace('%', cell)},7`;
    const records = [{ ...sent(), gto }];
    expect(parseSalesFile(text)).toEqual({ days: [{ records, lines: [2] }], problems: [] });
  });

  test.each([
    ['', 'the file is empty'],
    [HEADER, 'there is no line after the header'],
    [`${HEADER.replace('gto,', '')}\n${line()}`, 'columns are missing: gto'],
    [`${HEADER},gto\n${line()},1`, 'columns are repeated: gto'],
    [`${HEADER}\n${line()}\n${line()},1`, 'line 3: 17 cells instead of 16'],
  ])('%#: its problem is told', (text, problem) => {
    expect(parseSalesFile(text).problems).toEqual([problem]);
  });
});

describe('A mall file', () => {
  test('is an upload per machine and date, which names the machine', () => {
    const expected = without(sent(), 'restaurant_id');
    const text = [MALL_LINE, mallLine(0, 'X-1'), mallLine(3, '13'), mallLine(2, '16102025')].join(
      '\r\n',
    );
    expect(parseSalesFile(text)).toEqual({
      days: [
        { machine: '4012345', records: [expected, { ...expected, hour: 13 }], lines: [1, 3] },
        { machine: 'X-1', records: [expected], lines: [2] },
        { machine: '4012345', records: [{ ...expected, date: '2025-10-16' }], lines: [4] },
      ],
      problems: [],
    });
  });

  test.each([
    ['15102025', '2025-10-15'],
    ['20251015', '2025-10-15'],
    ['2025-10-15', '2025-10-15'],
    ['15/10/2025', '15/10/2025'],
  ])('the date %s is %s', (text, date) => {
    expect(parseSalesFile(mallLine(2, text)).days[0]!.records[0]!['date']).toBe(date);
  });

  test.each([
    [MALL_LINE.slice(0, -2), 'line 2: 17 cells instead of 18'],
    [mallLine(0, ' '), 'line 2: the machine is missing'],
  ])('%#: its problem is told with its line', (text, problem) => {
    expect(parseSalesFile(`${MALL_LINE}\n${text}`).problems).toEqual([problem]);
  });
});

test.each([
  ['zeros', '0'.repeat(100_000)],
  ['digits that end in a letter', `${'1'.repeat(100_000)}x`],
  ['spaces', ' '.repeat(100_000)],
  ['quotes', '"'.repeat(100_001)],
])('A cell of 100,000 %s is parsed in no time', (_what, cell) => {
  const start = performance.now();
  parseSalesFile(cell);
  parseSalesFile(`${HEADER}\n${line({ gto: cell })}`);
  parseSalesFile(`${MALL_LINE}\n${mallLine(5, cell)}`);
  expect(performance.now() - start).toBeLessThan(stretched(1000));
});
