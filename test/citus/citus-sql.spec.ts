import { VERIFY_LEDGER } from '../../src/sales/ledger/verify-ledger.statement.js';
import {
  READ_DAY,
  READ_HOURS,
  READ_UPLOADS,
  TOTALS_BY_DATE,
  TOTALS_BY_RESTAURANT,
} from '../../src/sales/reports/reports.statements.js';
import { PREVIEW_UPLOAD, SAVE_UPLOADS } from '../../src/sales/uploads/uploads.statements.js';

const ONE_DAY = { PREVIEW_UPLOAD, READ_DAY, READ_UPLOADS };
const ALL_DAYS = { SAVE_UPLOADS, READ_HOURS, TOTALS_BY_DATE, TOTALS_BY_RESTAURANT };

/** Each use of a distributed table, up to the next one. */
function usesIn(text: string): string[] {
  return text.split(/(?=\b(?:FROM|JOIN|INTO) (?:sales_days|hourly_sales|uploads)\b)/).slice(1);
}

describe('Each use of a distributed table names the column by which it is distributed', () => {
  test.each(Object.entries(ONE_DAY))(
    '%s: as a parameter, so that one shard is asked',
    (_name, { text }) => {
      const uses = usesIn(text);
      expect(uses.length).toBeGreaterThan(0);
      for (const use of uses) expect(use).toMatch(/restaurant_id = \$\d|\(restaurant_id, date/);
    },
  );

  const texts = Object.entries(ALL_DAYS).map(([name, { text }]) => [name, text]);
  test.each([...texts, ['VERIFY_LEDGER', VERIFY_LEDGER]])('%s', (_name, text) => {
    const uses = usesIn(text);
    expect(uses.length).toBeGreaterThan(0);
    for (const use of uses) expect(use).toContain('restaurant_id');
  });
});
