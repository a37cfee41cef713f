import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { planUploads } from '../../src/sales/files/add-up.js';
import { readSalesFile } from '../../src/sales/files/read-sales-file.js';

const FOLDER = join(__dirname, 'spreadsheets');

/** The records of a file, and why there are none. */
async function read(name: string) {
  const bytes = readFileSync(join(FOLDER, name));
  const file = await readSalesFile({ name, bytes }, { profiles: [] });
  const { days } = planUploads([file], {
    ...{ restaurants: [], machines: new Map(), latestDate: '2026-12-01' },
  });
  return { records: days.flatMap(({ records }) => records), problems: file.problems };
}

/**
 * `export.csv` is of `sales export`; LibreOffice 7.4 has opened it and saved the others, with the
 * settings of the United States and of Germany, where a comma begins the decimals.
 */
describe('An export that a spreadsheet has opened and saved', () => {
  const saved = readdirSync(FOLDER).filter((name) => !/^export|ods$/.test(name));

  test.each(saved)('comes back exactly: %s', async (name) => {
    const { records, problems } = await read('export.csv');
    expect(problems).toEqual([]);
    expect(records).toHaveLength(8);
    expect(records[1]).toMatchObject({ gto: 12345678901.2345, cash: 0.1 });
    expect(records[2]).toMatchObject({ gto: 1000, gst: 0.125 });
    expect(await read(name)).toEqual({ records, problems: [] });
  });

  test('as an OpenDocument file is refused by name', async () => {
    expect((await read('german.ods')).problems).toEqual([
      expect.stringMatching(/is an OpenDocument file \(ods\): save it as an Excel file/),
    ]);
  });
});
