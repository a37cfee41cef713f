import { SALES_FIELDS } from '../../src/sales/fields/sales-fields.js';
import { VERIFY_LEDGER } from '../../src/sales/ledger/ledger.statements.js';
import * as reports from '../../src/sales/reports/reports.statements.js';
import { readTotals, STORE_TOTALS } from '../../src/sales/reports/totals.statements.js';
import { PREVIEW_UPLOAD, SAVE_UPLOADS } from '../../src/sales/uploads/uploads.statements.js';

const ANY = /restaurant_id/;
const ONE = /restaurant_id = \$\d|\(restaurant_id, date/; // so that one shard is asked

test.each<[name: string, text: string, column: RegExp]>([
  ['PREVIEW_UPLOAD', PREVIEW_UPLOAD.text, ONE],
  ['SAVE_UPLOADS', SAVE_UPLOADS.text, ANY],
  ['READ_HOURS', reports.READ_HOURS.text, ANY],
  ['READ_TOTALS by date', readTotals('date', SALES_FIELDS).text, ANY],
  ['READ_TOTALS by hour', readTotals('hour', SALES_FIELDS).text, ANY],
  ['STORE_TOTALS', STORE_TOTALS.text, ONE],
  ['VERIFY_LEDGER', VERIFY_LEDGER, ANY],
])('%s: each use of a distributed table names the column of its shards', (_name, text, column) => {
  const uses = text
    .split(/(?=\b(?:FROM|JOIN|INTO) (?:sales_days|hourly_sales|uploads)\b)/)
    .slice(1);
  expect(uses.length).toBeGreaterThan(0);
  for (const use of uses) expect(use).toMatch(column);
});
