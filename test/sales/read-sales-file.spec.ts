import { deflateRawSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { add, type Decimal, digitsOf } from '../../src/sales/fields/decimals.js';
import { type Plan, planUploads } from '../../src/sales/files/add-up.js';
import type { Profile } from '../../src/sales/files/profile.js';
import { withAnswer } from '../../src/sales/files/question.js';
import { type ReadFile, readSalesFile } from '../../src/sales/files/read-sales-file.js';
import { NO_FIELDS, OPTIONAL, record, without } from '../support/records.js';
import { stretched } from '../support/time-limits.js';

const sent = (changes: Record<string, unknown> = {}) =>
  without(record(changes), ...Object.keys(OPTIONAL));
const HEADER = Object.keys(sent()).join();
const line = (changes: Record<string, unknown> = {}) => Object.values(sent(changes)).join();
const MALL_LINE =
  '4012345|12|15102025|12|42|1250.50|112.55|20.00|125.05|96|300.50|150|500|200|50|30|20|Y';
const mallLine = (cell: number, text: string): string =>
  MALL_LINE.split('|').with(cell, text).join('|');

const NOTHING = { date: { from: 'told' }, restaurant: { from: 'told' } } as const;
const profileOf = (changes: Partial<Profile>): Profile => ({
  name: 'mine',
  ...NOTHING,
  hour: { column: 'Hour' },
  ...changes,
  fields: { ...NO_FIELDS, gto: 'Sales', ...changes.fields },
});

type Given = string | Uint8Array;
const TOLD = { restaurant: '101', date: '2025-10-15' };
const read = (given: Given, profiles: Profile[] = [], name = 'till.txt'): Promise<ReadFile> =>
  readSalesFile(
    { name, bytes: typeof given === 'string' ? strToU8(given) : given },
    { profiles, given: TOLD },
  );
/** The day of some files is given, and so is what they come to. */
const turnoverOf = (files: readonly ReadFile[]): string =>
  digitsOf(
    files
      .flatMap(({ days }) => days.flatMap(({ entries }) => entries))
      .reduce<Decimal>((sum, { figures }) => add(sum, figures.gto), 0),
  );
const isDayGiven = ({ profile }: ReadFile): boolean => profile?.date.from === 'told';
const plan = (files: readonly ReadFile[], latestDate = '2026-12-01'): Plan =>
  planUploads(files, {
    turnovers: files.some(isDayGiven) ? [{ turnover: turnoverOf(files) }] : [],
    ...{ latestDate, restaurants: [{ id: 7, name: 'Harbour Grill' }] },
    codes: new Map([['mall', { '4012345': 101, 'X-1': 102 }]]),
  });
const problemsOf = async (given: Given, profiles?: Profile[]): Promise<string> =>
  plan([await read(given, profiles)])
    .files.flatMap(({ problems, questions }) => [
      ...problems,
      ...questions.map((each) => each.text),
    ])
    .join('\n');
/** The hours of each day as `101 2025-10-15: 11 100`. */
const hoursOf = async (given: Given, profiles?: Profile[]): Promise<string[]> => {
  const file = await read(given, profiles);
  const { days, files } = plan([file]);
  expect(files[0]).toMatchObject({ problems: [], questions: [], unassigned: [] });
  return days.map(({ restaurantId, date, records }) => {
    const hours = records.map(({ hour, gto }) => `${String(hour)} ${String(gto)}`);
    return `${restaurantId} ${date}: ${hours.join(', ')}`;
  });
};

describe('A JSON file', () => {
  test('has a row for each object of its only list, whose numbers have one reading', async () => {
    const records = [record(), record({ hour: 13, gto: 250.123, date: '2025-10-16' })];
    for (const json of [{ records }, records]) {
      const { days } = plan([await read(`\uFEFF ${JSON.stringify(json, null, 2)}`)]);
      expect(days.map((day) => day.records)).toEqual(records.map((each) => [each]));
      expect(days).toMatchObject([{ lines: [[1]] }, { lines: [[2]] }]);
    }
    const rows = JSON.stringify([{ Hour: '9:00', Sales: 1.5, more: { nested: true } }]);
    expect(await hoursOf(rows, [profileOf({})])).toEqual(['101 2025-10-15: 9 1.5']);
    expect(await problemsOf(JSON.stringify([record({ gto: null })]))).toMatch(
      /gto: \(empty\) is empty/,
    );
  });

  test.each([
    ['{"records": [', /^is not JSON: /],
    ['{"records": {}}', /^must be a JSON list of objects, or an object with one/],
    ['{"records": [null]}', /^must be a JSON list of objects, or an object with one/],
  ])('%s has a problem', async (text, problem) => {
    expect(await problemsOf(text)).toMatch(problem);
  });
});

describe('A CSV file', () => {
  test('is an upload per restaurant and date, in the order of their first lines', async () => {
    const rows = [
      sent({ hour: 0 }),
      sent({ hour: 0, restaurant_id: 102 }),
      sent({ hour: 1 }),
      sent({ hour: 1, date: '2025-10-16' }),
    ];
    const lines = rows.map((row) => Object.values(row).join());
    const file = await read(`${HEADER}\r\n${lines.join('\r\n\r\n')}\r\n`);
    const { days } = plan([file]);
    const full = rows.map((row) => ({
      ...row,
      ...Object.fromEntries(Object.keys(OPTIONAL).map((name) => [name, 0])),
    }));
    expect(days).toMatchObject([
      { records: [full[0], full[2]], lines: [[2], [6]] },
      { records: [full[1]], lines: [[4]] },
      { records: [full[3]], lines: [[8]] },
    ]);
  });

  test('has its columns in any order, others beside them, quotes, spaces and semicolons', async () => {
    const names = [...HEADER.split(',').reverse(), 'note'];
    const cells = [...Object.values(sent()).reverse(), 'a "quoted"; word'];
    const quoted = cells.map((cell) => ` "${String(cell).replaceAll('"', '""')}" `).join(';');
    const file = await read(`${names.join('; ').toUpperCase()}\n${quoted}`);
    expect(plan([file]).days).toMatchObject([{ records: [sent()], lines: [[2]] }]);
    expect(file.notes).toEqual(['columns not used: NOTE']);
  });

  test.each<[cell: string, gto: number | RegExp]>([
    ['0.10', 0.1],
    ['00012345678901.2345000', 12345678901.2345],
    ['.5', 0.5],
    ['0.00000010', 1e-7],
    ['"$1,250.50"', 1250.5],
    ['"1 250.50 EUR"', 1250.5],
    ['-1', /gto: -1 is below zero/],
    ['1e3', /line 2, gto: 1e3 is not an amount/],
    ['"1,5"', /decimal comma/],
    ['"1""3"', /line 2, gto: 1"3 is not an amount/],
    ['"1"3', /line 2: a quotation mark/],
    ['"1', /line 2: a quotation mark/],
    ['1"', /line 2, gto: 1" is not an amount/],
    ['', /line 2, gto: \(empty\) is empty/],
    ['1.123456789012345678901', /line 2, gto: .* is not an amount/],
    ['12345678901.2345678', /has more than 15 digits/],
  ])('the cell %s is %s', async (...[cell, gto]) => {
    const text = `${HEADER}\n${line({ gto: '%' }).replace('%', cell)}`;
    const { days, files } = plan([await read(text)]);
    if (typeof gto === 'number') expect(days[0]!.records[0]!['gto']).toBe(gto);
    else expect(files[0]!.problems.join()).toMatch(gto);
  });

  test.each([
    ['empty', '', /the file is empty/],
    ['with headings alone', HEADER, /there is no row with an hour/],
    ['without a column', `${HEADER.replace('gto,', '')}\n${line()}`, /columns are missing: gto/],
    ['with a column twice', `${HEADER},gto\n${line()},1`, /has the column gto more than once/],
    [
      'with a cell too many',
      `${HEADER}\n${line()}\n${line({ hour: 13 })},1`,
      /line 3: 17 cells instead of 16/,
    ],
    ['with a cell too few', `${HEADER}\n${line().slice(0, -3)}`, /line 2: 15 cells instead of 16/],
    [
      'of another century',
      `${HEADER}\n${line({ date: '1925-10-15' })}`,
      /line 2, date: 1925-10-15 is not a date of this century/,
    ],
    [
      'with an unclear date',
      `${HEADER}\n${line({ date: '06112025' })}`,
      /date: 06112025 may be day first or month first/,
    ],
    [
      'of the future',
      `${HEADER}\n${line({ date: '2027-10-15' })}`,
      /2027-10-15 is in the future: allow it/,
    ],
  ])('%s is refused with the reason', async (_what, text, problem) => {
    expect(await problemsOf(text)).toMatch(problem);
  });
});

describe('A mall file', () => {
  test('is an upload per machine and date', async () => {
    const lines = [MALL_LINE, mallLine(0, 'X-1'), mallLine(3, '13'), mallLine(2, '16102025')];
    expect(await hoursOf(lines.join('\r\n'))).toEqual([
      '101 2025-10-15: 12 1250.5, 13 1250.5',
      '102 2025-10-15: 12 1250.5',
      '101 2025-10-16: 12 1250.5',
    ]);
  });

  test.each(['15102025', '20251015', '2025-10-15', '15/10/2025'])('the date %s', async (text) => {
    expect(await hoursOf(mallLine(2, text))).toEqual(['101 2025-10-15: 12 1250.5']);
  });

  test.each([
    ['with a cell too few', MALL_LINE.slice(0, -2), /line 2: 17 cells instead of 18/],
    ['without its machine', mallLine(0, ' '), /line 2, column 1: \(empty\) is missing/],
  ])('%s is refused with its line', async (_what, text, problem) => {
    expect(await problemsOf(`${MALL_LINE}\n${text}`)).toMatch(problem);
  });
});

test('30 tills with 0.1 each are 3', async () => {
  const tills = Array.from({ length: 30 }, (_, index) => `4012345-${index}`);
  const lines = tills.map((till) => mallLine(5, '0.1').replace('4012345', till)).join('\n');
  const file = await read(lines);
  const { days } = planUploads([file], {
    ...{ restaurants: [], latestDate: '2026-12-01' },
    codes: new Map([['mall', Object.fromEntries(tills.map((till) => [till, 101]))]]),
  });
  expect(days).toMatchObject([
    { records: [{ gto: 3, orders: 1260 }], source: { tills: [...tills].sort() } },
  ]);
});

describe('A profile', () => {
  const at = (...rows: string[]): string => ['Hour;Sales', ...rows].join('\n');

  test.each([
    ['9', 9], ['09', 9], ['0900', 9], ['9:00', 9], ['09:00:00', 9], ['9 AM', 9], ['9:00 pm', 21], ['12 pm', 12],
    ['09:00-10:00', 9], ['09:00 - 09:59', 9], ['9-10', 9], ['11 AM - 12 PM', 11], ['11-12 pm', 11], ['23:00-00:00', 23], ['9h', 9],
  ])('the hour %s', async (text, hour) => {
    expect(await hoursOf(at(`${text};1.50`), [profileOf({})])).toEqual([`101 2025-10-15: ${hour} 1.5`]);
  }); // prettier-ignore

  test.each(['9 to five', '13 pm', '09:00-11:00', '9:30-10:30', '9:75'])(
    '%s is not an hour',
    async (text) => {
      expect(await problemsOf(at('8;1.50', `${text};1.50`, '10;1.50'), [profileOf({})])).toMatch(
        /line 3, Hour: .* is not an hour/,
      );
    },
  );

  test('hours from 1 on, and after midnight on the next date', async () => {
    const hour = { column: 'Hour', first: 1, next_day: true } as const;
    expect(await hoursOf(at('1;1.5', '24;2.5', '25;3.5'), [profileOf({ hour })])).toEqual([
      '101 2025-10-15: 0 1.5, 23 2.5',
      '101 2025-10-16: 0 3.5',
    ]);
  });

  test.each([
    ['31/12/2025', '2025-12-31'], ['12/31/2025', '2025-12-31'], ['31-Dec-25', '2025-12-31'], ['31.12.2025', '2025-12-31'],
    ['December 31, 2025', '2025-12-31'], ['20251231', '2025-12-31'], ['31122025', '2025-12-31'],
    ['Wed 31/12/2025', '2025-12-31'], ['2025-12-31 10:00', '2025-12-31'],
  ])('the date %s', async (text, date) => {
    const rows = `Day;Hour;Sales\n${text};9;1.5`;
    expect(await hoursOf(rows, [profileOf({ date: { column: 'Day' } })])).toEqual([`101 ${date}: 9 1.5`]);
  }); // prettier-ignore

  test('a date and time in one column; a name of a restaurant; blanks as separators; cents', async () => {
    const text = 'When Place Sales\n05/11/2025T09:15 X 12345\n05/11/2025T09:45 X 55';
    const mine = profileOf({
      ...{
        date: { column: 'When', order: 'dmy' },
        hour: { column: 'When' },
        separator: ' ',
        cents: true,
      },
      restaurant: { column: 'Place', codes: { x: 9 } },
    });
    expect(await hoursOf(text, [mine])).toEqual(['9 2025-11-05: 9 124']);
    const named = profileOf({ restaurant: { column: 'Place' } });
    expect(await hoursOf('Place;Hour;Sales\nHARBOUR  grill;9;1.5', [named])).toEqual([
      '7 2025-10-15: 9 1.5',
    ]);
  });

  test('titles, another encoding, a comma', async () => {
    const mine = profileOf({
      ...{ date: { title: 'Business day' }, encoding: 'windows-1252' },
      restaurant: { column: 'Café', codes: { 'Café 1': 8 } },
    });
    const text =
      'Printed;2025-10-20\nBusiness day: 19 Oct 2025\nCafé;Hour;Sales\nCafé 1;9;1.250,50\nCafé 1;10;2,00';
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    expect(await hoursOf(bytes, [mine])).toEqual(['8 2025-10-19: 9 1250.5, 10 2']);
  });

  test('numbered lines of a tag and a value', async () => {
    const text = '01T100\n0210152025\n0309\n04000012345\n0310\n04000000055\n0500000012400';
    const mine = profileOf({
      lines: { tag: 2, row: '03' },
      ...{ cents: true, hour: { column: '03' }, date: { column: '02', order: 'mdy' } },
      restaurant: { column: '01', codes: { T100: 5 } },
      fields: { ...NO_FIELDS, gto: '04' },
    });
    expect(await hoursOf(text, [mine])).toEqual(['5 2025-10-15: 9 123.45, 10 0.55']);
    // What stands above the rows of another day holds for these, and not for the row above it.
    const other = '\n01T100\n0210162025\n0311\n04000000100\n0500000000100';
    expect(await hoursOf(text + other, [mine])).toEqual([
      '5 2025-10-15: 9 123.45, 10 0.55',
      '5 2025-10-16: 11 1',
    ]);
    expect(await problemsOf(`${text}\n04000000055`, [mine])).toMatch(/line 8 has the tag 04 again/);
  });

  test('the sales of a day by one profile and its payments by another are not added up', async () => {
    const sales = profileOf({ name: 'sales' });
    const payments = profileOf({
      ...{ name: 'payments', add_up: 'Tender' },
      fields: { ...NO_FIELDS, gto: 'Amount' },
    });
    const files = [
      await read(at('9;3.50'), [sales], 'sales.csv'),
      await read('Hour;Tender;Amount\n9;Cash;1.50\n9;Visa;2.00', [payments], 'payments.csv'),
    ];
    expect(plan(files).files.map(({ problems: [problem] }) => problem)).toEqual([
      expect.stringContaining('is also in payments.csv, line 2, read by another profile'),
      expect.stringContaining('is also in sales.csv, line 2, read by another profile'),
    ]);
  });

  test('a till of the name of a file is the same in a copy and in another export of it', async () => {
    const mine = profileOf({ date: { from: 'file_name' }, till: { from: 'file_name' } });
    const readAs = (name: string, ...rows: string[]) => read(at(...rows), [mine], name);
    const first = await readAs('POS1_20251015.csv', '9;1.50');
    const copy = await readAs('POS1_20251015 (1).csv', '9;1.50');
    const other = await readAs('POS2_20251015.csv', '9;2.00');
    const [day] = plan([first, other]).days;
    expect([day!.source.tills, day!.records[0]!['gto']]).toEqual([['POS1', 'POS2'], 3.5]);
    for (const same of [copy, await readAs('POS1_20251015 - Copy.csv', '9;1.50')])
      expect(plan([first, same]).files[1]!.problems[0]).toMatch(
        /hour 9, till POS1 is also in POS1_20251015\.csv, line 2, import one/,
      );
    const again = await readAs('POS1_20251015_233000.csv', '9;1.70');
    expect(plan([first, again]).files[1]!.problems[0]).toMatch(
      /hour 9, till POS1 is also in POS1_20251015\.csv, line 2, import one/,
    );
  });

  test('a last row that is not the sum refuses, and so does what is neither read nor skipped', async () => {
    expect(await hoursOf(at('9;1.50', '10;2.00', 'Total;3.50'), [profileOf({})])).toHaveLength(1);
    expect(await problemsOf(at('9;1.50', 'Total;3.50'), [profileOf({})])).toMatch(
      /line 3, Sales: 3.50 is not the sum of the rows above/,
    );
    const rows = profileOf({ rows: { column: 'Kind', read: ['sale'], skip: ['void'] } });
    const kinds = (kind: string): string =>
      `Kind;Hour;Sales\nsale;9;1.5\n${kind};9;7.5\nsale;10;1.5`;
    expect(await hoursOf(kinds('void'), [rows])).toEqual(['101 2025-10-15: 9 1.5, 10 1.5']);
    expect(await problemsOf(kinds('gift'), [rows])).toMatch(
      /line 3, Kind: gift is neither read nor skipped/,
    );
  });

  test('two that fit are asked, and one that knows every column is not asked about', async () => {
    const net = profileOf({ name: 'net', fields: { ...NO_FIELDS, gto: 'Net' } });
    const gross = profileOf({ name: 'gross', fields: { ...NO_FIELDS, gto: 'Gross' } });
    const file = 'Hour;Net;Gross\n9;?;1.60';
    const { questions, problems } = await read(file, [net, gross]);
    const answers = ['net', 'gross'].map((name) => ({
      ...{ option: 'given.profile', value: name, label: name },
    }));
    const text = 'which profile is it of: net or gross? Choose it (--profile)';
    expect({ questions, problems }).toEqual({
      questions: [{ option: 'given.profile', text, answers }],
      problems: [],
    });
    // What it cannot read is said, and the other is not tried instead.
    const whole = { ...net, ignore: ['Gross'] };
    expect(await problemsOf(file, [whole, gross])).toMatch(/^line 2, Net: \? is not an amount/);
    expect(await hoursOf(file, [gross])).toHaveLength(1);
  });

  test('an error of one profile does not end the others', async () => {
    const tagged = profileOf({
      ...{ name: 'tagged', lines: { tag: ',', row: 'CDATE' } },
      ...{ hour: { column: 'TIME' }, fields: { ...NO_FIELDS, gto: 'GT' } },
    });
    const split = profileOf({ name: 'split', separator: ';' });
    const foreign = profileOf({ name: 'foreign', encoding: 'shift_jis' });
    const profiles = [tagged, split, foreign];
    const hours = ['101 2025-10-15: 12 1250.5'];
    expect(await hoursOf(MALL_LINE, profiles)).toEqual(hours);
    const quoted = line()
      .split(',')
      .map((cell) => `"${cell}"`)
      .join();
    expect(await hoursOf(`${HEADER}\n${quoted}`, profiles)).toEqual(hours);
    expect(await hoursOf(`${HEADER}\n${line()}`.replaceAll(',', ';'), profiles)).toEqual(hours);
  });

  test('lines with tags are not those of a file that another profile knows by its headings', async () => {
    const mine = profileOf({ restaurant: { column: 'Shop', codes: { X: 5 } } });
    const tagged = profileOf({
      ...{ name: 'tagged', lines: { tag: 2, row: 'X;' }, hour: { column: 'X;' } },
      fields: { ...NO_FIELDS, gto: 'Sh' },
    });
    const file = 'Shop;Hour;Sales\nX;9;1.50';
    expect(await hoursOf(file, [tagged, mine])).toEqual(['5 2025-10-15: 9 1.5']);
  });

  test('a column that is new is asked about where the others are known', async () => {
    const mine = profileOf({ ignore: ['Items'] });
    const file = 'Hour;Sales;Items;GrabPay\n9;1.50;3;1.50';
    const { questions } = await read(file, [mine]);
    expect(questions).toMatchObject([{ option: 'ignore', answers: [{ value: 'GrabPay' }] }]);
    const answered = withAnswer(mine, questions[0]!.answers[0]!);
    expect(answered.ignore).toEqual(['Items', 'GrabPay']);
    expect(await hoursOf(file, [answered])).toHaveLength(1);
    const { notes } = await read(file, [profileOf({})]);
    expect(notes).toEqual(['columns not used: Items, GrabPay']);
  });

  test('a payment that it does not know refuses', async () => {
    const split = { column: 'Paid', by: 'Card', into: { Visa: 'visa' } } as const;
    const rows = (card: string): string => `Hour;Sales;Paid;Card\n9;1.50;1.50;${card}`;
    expect(await hoursOf(rows('VISA'), [profileOf({ split })])).toHaveLength(1);
    expect(await problemsOf(rows('JCB'), [profileOf({ split })])).toMatch(
      /line 2, Card: JCB is a payment/,
    );
  });
});

const SHEET = (cells: string): string =>
  `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${cells}</sheetData></worksheet>`;
const workbook = (sheet: string, more: Record<string, Uint8Array> = {}): Uint8Array =>
  zipSync({
    '[Content_Types].xml': strToU8('<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'),
    'xl/workbook.xml': strToU8('<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>'),
    'xl/_rels/workbook.xml.rels': strToU8('<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>'),
    'xl/worksheets/sheet1.xml': strToU8(sheet),
    ...more,
  }); // prettier-ignore
const numbers = (row: number, ...values: string[]): string =>
  `<row r="${row}">${values.map((value, index) => `<c r="${'ABC'[index]!}${row}"${/^[a-z]/i.test(value) ? ` t="inlineStr"><is><t>${value}</t></is>` : `><v>${value}</v>`}</c>`).join('')}</row>`;

const BOMB_BYTES = 140 * 1024 * 1024;

/** A zip of one part that inflates to BOMB_BYTES, whatever its headers say. */
function bombOf(saidBytes: number): Uint8Array {
  const small = zipSync({ 'xl/workbook.xml': [new Uint8Array(1000), { level: 1 }] });
  const view = Buffer.from(small);
  const directory = view.indexOf('PK\x01\x02', 0, 'latin1');
  const dataAt = 30 + 'xl/workbook.xml'.length;
  const data = deflateRawSync(Buffer.alloc(BOMB_BYTES), { level: 1 });
  const parts = [view.subarray(0, dataAt), data, view.subarray(directory)];
  const zip = Buffer.concat(parts);
  const at = dataAt + data.length;
  for (const header of [18, at + 20]) zip.writeUInt32LE(data.length, header);
  for (const header of [22, at + 24]) zip.writeUInt32LE(saidBytes, header);
  zip.writeUInt32LE(at, zip.indexOf('PK\x05\x06', at, 'latin1') + 16);
  return zip;
}

describe('A workbook', () => {
  test('its numbers are those that a spreadsheet shows', async () => {
    const sheet = SHEET(
      numbers(1, 'Hour', 'Sales') +
        numbers(2, '9', '0.30000000000000004') +
        numbers(3, '10', '1234.125'),
    );
    expect(await hoursOf(workbook(sheet), [profileOf({})])).toEqual([
      '101 2025-10-15: 9 0.3, 10 1234.125',
    ]);
  });

  test.each<[what: string, bytes: () => Uint8Array, problem: RegExp]>([
    ['formulas', () => workbook(SHEET('<row r="1"><c r="A1"><f>1+1</f><v>2</v></c></row>')), /has formulas: paste them as values/],
    ['macros', () => workbook(SHEET(''), { 'xl/vbaProject.bin': strToU8('x') }), /has macros/],
    ['1,000,000 columns', () => workbook(SHEET('<row r="1"><c r="BDWGN1"><v>2</v></c></row>')), /holds too much/],
    ['a cell in the last row and column', () => workbook(SHEET('<row r="1048576"><c r="XFD1048576"><v>2</v></c></row>')), /holds too much/],
    ['a row far below', () => workbook(SHEET('<row r="1048576"><c r="A1048576"><v>2</v></c></row>')), /holds too much/],
    ['tags that do not end', () => workbook(SHEET('<c '.repeat(400_000))), /is a damaged Excel file/],
    ['very many attributes', () => workbook(SHEET(`<row r="1"><c ${'a="b" '.repeat(400_000)}r="A1"/></row>`)), /is a damaged Excel file/],
    ['large styles', () => workbook(SHEET(''), { 'xl/styles.xml': new Uint8Array(9_000_000) }), /holds too much/],
    ['a bomb', () => bombOf(BOMB_BYTES), /holds too much/],
    ['another zip', () => zipSync({ 'a.txt': strToU8('x') }), /is a zip without a workbook: unpack it/],
    ['a cut file', () => workbook(SHEET('')).slice(0, 300), /is a damaged zip/],
  ])('%s', async (...[, bytes, problem]) => {
    const given = bytes();
    const start = performance.now();
    expect(await problemsOf(given)).toMatch(problem);
    expect(performance.now() - start).toBeLessThan(stretched(1000));
  }); // prettier-ignore

  test('a bomb whose directory lies', async () => {
    const bomb = bombOf(1000);
    const start = performance.now();
    expect(await problemsOf(bomb)).toMatch(/holds too much/);
    expect(performance.now() - start).toBeLessThan(stretched(5000));
  });
});

test.each([
  ['old Excel', [0xd0, 0xcf, 0x11, 0xe0, 0xa1], /is an old Excel file \(xls\)/],
  ['PDF', [...strToU8('%PDF-1.7')], /is a PDF/],
  ['PNG', [0x89, ...strToU8('PNG\r\n')], /is a picture/],
  ['gzip', [0x1f, 0x8b, 8], /is packed/],
  ['windows-1252', [0x61, 0xe9], /is not UTF-8/],
  ['binary', [0x61, 0, 0x62], /is not text/],
])('%s is refused by name', async (_what, bytes, problem) => {
  expect(await problemsOf(Uint8Array.from(bytes))).toMatch(problem);
});

test.each([
  ['zeros', '0'.repeat(100_000)],
  ['digits that end in a letter', `${'1'.repeat(100_000)}x`],
  ['spaces', ' '.repeat(100_000)],
  ['quotes', '"'.repeat(100_001)],
  ['commas and spaces', ', '.repeat(50_000)],
])('A cell of 100,000 %s is read in no time', async (_what, cell) => {
  const start = performance.now();
  await read(cell);
  await read(`${HEADER}\n${line({ gto: cell })}`);
  await read(`${HEADER}\n${line({ date: cell })}`);
  await read(`${HEADER}\n${line({ hour: cell })}`);
  await read(`${MALL_LINE}\n${mallLine(5, cell)}`);
  expect(performance.now() - start).toBeLessThan(stretched(2000));
});

const manyLines = (count: number): string =>
  [
    HEADER,
    ...Array.from({ length: count }, (_, index) => {
      const date = new Date(Date.UTC(2002, 0, 1) + Math.floor(index / 24) * 86_400_000);
      return line({ date: date.toISOString().slice(0, 10), hour: index % 24 });
    }),
  ].join('\n');

test('200,000 lines are read exactly', async () => {
  const bytes = strToU8(manyLines(200_000));
  const { days } = plan([await readSalesFile({ name: 'till.csv', bytes }, { profiles: [] })]);
  expect(days).toHaveLength(Math.ceil(200_000 / 24));
  const sum = days.reduce((all, { records }) => all + records.length, 0);
  expect(sum).toBe(200_000);
  expect(days.at(-1)!.records.at(-1)).toMatchObject({
    ...sent({ hour: 7 }),
    date: days.at(-1)!.date,
  });
});

test('four times the lines take less than eight times the work', async () => {
  const work = async (count: number): Promise<number> => {
    const bytes = strToU8(manyLines(count));
    const start = process.cpuUsage();
    plan([await readSalesFile({ name: 'till.csv', bytes }, { profiles: [] })]);
    const { user, system } = process.cpuUsage(start);
    return user + system;
  };
  await work(10_000); // compiles the code
  expect((await work(80_000)) / (await work(20_000))).toBeLessThan(8);
});
