import { strToU8, zipSync } from 'fflate';
import type { Profile } from '../../src/sales/files/profile.js';
import { readSalesFile } from '../../src/sales/files/read-sales-file.js';
import { NO_FIELDS } from '../support/records.js';

const profileOf = (changes: Partial<Profile>): Profile => ({
  name: 'mine',
  restaurant: { from: 'given' },
  date: { column: 'Date' },
  hour: { column: 'Hour' },
  ...changes,
  fields: { ...NO_FIELDS, gto: 'Sales', ...changes.fields },
});

const problemsOf = async (
  file: string | Uint8Array,
  profile = profileOf({}),
  name = 'a.csv',
): Promise<string> => {
  const bytes = typeof file === 'string' ? strToU8(file) : file;
  const given = { restaurant: '101' };
  const read = await readSalesFile({ name, bytes }, { profiles: [profile], given });
  return [...read.problems, ...read.questions.map(({ text }) => text)].join('\n');
};

const HEADINGS = 'Date,Hour,Sales\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const workbook = (cells: string): Uint8Array =>
  zipSync({
    '[Content_Types].xml': strToU8('<Types/>'),
    'xl/workbook.xml': strToU8(
      `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    'xl/worksheets/sheet1.xml': strToU8(
      `<worksheet xmlns="${main}"><sheetData>${cells}</sheetData></worksheet>`,
    ),
  });

describe('What would take very long is refused', () => {
  test('numbered lines with a tag for each line: 49 kB would be millions of cells', async () => {
    const tags = Array.from({ length: 2300 }, (_, index) => `a${index},1\nr,9`).join('\n');
    const lines = { tag: ',', row: 'r' };
    const mine = profileOf({
      ...{ lines, file_name: '*.txt', date: { from: 'given' }, hour: { column: 'r' } },
      fields: { ...NO_FIELDS, gto: 'a0' },
    });
    expect(tags.length).toBeLessThan(49_000);
    const bytes = strToU8(tags);
    const read = { profiles: [mine], profile: 'mine', given: { restaurant: '101' } };
    const { problems } = await readSalesFile({ name: 'a.txt', bytes }, read);
    expect(problems).toEqual(['holds more than 5,000,000 cells: split it']);
  });

  test.each([
    ['240 kB of triple quotes', '"""'.repeat(80_000), /line 2: a quotation mark is not closed/],
    ['1.2 MB of open quotes', '"a,'.repeat(400_000), /line 2: a quotation mark is not closed/],
    ['one open quote', `"${'a'.repeat(1_000_000)}`, /line 2: a quotation mark is not closed/],
    ['a cell without end', 'a'.repeat(40_000), /line 2: a cell has no end/],
    ['32,000 hyphens', '-'.repeat(32_000), /line 2: -{200} is not a row of an hour/],
  ])('a line of %s', async (_what, line, problem) => {
    expect(await problemsOf(HEADINGS + line)).toMatch(problem);
  });

  test('a cell of a workbook with 10 MB', async () => {
    const text = 'a'.repeat(10_000_000);
    const cells = `<row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row>`;
    expect(await problemsOf(workbook(cells))).toMatch(/^holds too much for a workbook/);
  });

  test('a pattern of a name with sixty stars', async () => {
    const mine = profileOf({ file_name: '*a'.repeat(60) });
    const name = `${'a'.repeat(200)}b`;
    expect(await problemsOf(`${HEADINGS}2025-10-15,9,1.50`, mine, name)).toMatch(
      /no profile knows its headings/,
    );
  });
});
