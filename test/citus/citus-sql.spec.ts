import { readFileSync, writeFileSync } from 'node:fs';
import { PREVIEW_UPLOAD } from '../../src/sales/uploads/preview-upload.statement.js';
import { SAVE_UPLOADS } from '../../src/sales/uploads/save-uploads.statement.js';
import { LOCK_DAY, REPAIR_DAY, REPAIR_HOURS } from '../../src/sales/ledger/repair-day.statement.js';
import { VERIFY_DAYS } from '../../src/sales/ledger/verify-ledger.statement.js';
import { FIND_MISSING, READ_CALENDAR, READ_TOTALS } from '../../src/sales/reports/overview.statements.js';
import { READ_DAY, READ_UPLOADS } from '../../src/sales/reports/reports.statements.js';
import { CITUS_SQL, GENERATED, saveUploadsFunction } from '../support/citus.js';

test('docs/citus.sql has the statement that saves uploads', () => {
  const text = readFileSync(CITUS_SQL, 'utf8');
  const expected = text.split(GENERATED)[0]! + saveUploadsFunction();
  if (process.env['UPDATE_CITUS_SQL']) writeFileSync(CITUS_SQL, expected);
  else expect(text).toBe(expected);
});

const ONE_DAY = { PREVIEW_UPLOAD, READ_DAY, READ_UPLOADS, LOCK_DAY, REPAIR_DAY, REPAIR_HOURS };
const ALL_DAYS = { SAVE_UPLOADS, FIND_MISSING, READ_CALENDAR, READ_TOTALS };

/** Each use of a distributed table, up to the next one. */
function usesIn(text: string): string[] {
  return text.split(/(?=\b(?:FROM|JOIN|INTO) (?:sales_days|hourly_sales|uploads)\b)/).slice(1);
}

describe('Each use of a distributed table names the column by which it is distributed', () => {
  test.each(Object.entries(ONE_DAY))('%s: as a parameter, so that one shard is asked', (_name, { text }) => {
    const uses = usesIn(text);
    expect(uses.length).toBeGreaterThan(0);
    for (const use of uses) expect(use).toMatch(/restaurant_id = \$\d|\(restaurant_id, date/);
  });

  const texts = Object.entries(ALL_DAYS).map(([name, s]) => [
    name,
    'distributedText' in s ? s.distributedText : s.text,
  ]);
  test.each([...texts, ['VERIFY_DAYS', VERIFY_DAYS]])('%s', (_name, text) => {
    const uses = usesIn(text);
    expect(uses.length).toBeGreaterThan(0);
    for (const use of uses) expect(use).toContain('restaurant_id');
  });
});
