import { READ_CALENDAR, READ_TOTALS } from '../../src/sales/reports/overview.statements.js';
import { READ_DAY, READ_UPLOADS } from '../../src/sales/reports/reports.statements.js';
import { PREVIEW_UPLOAD } from '../../src/sales/uploads/preview-upload.statement.js';
import { SAVE_UPLOADS } from '../../src/sales/uploads/save-uploads.statement.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

/** The tables that grow, which could be spread over several servers by restaurant. */
const GROWING = ['hourly_sales', 'sales_days', 'uploads'];

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Operation?: string;
  readonly 'Conflict Arbiter Indexes'?: string[];
  readonly Plans?: Plan[];
}

let database: TestDatabase;
beforeAll(async () => (database = await createTestDatabase()));
afterAll(() => database.drop());

async function plansOf(statement: string): Promise<Plan[]> {
  await database.query('SET enable_seqscan = off'); // the tables are empty, and should be looked at as if they were not
  const [row] = await database.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
    `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${statement}`,
  );
  const all = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(all)];
  return row!['QUERY PLAN'].flatMap(({ Plan: plan }) => all(plan));
}

describe('Beyond one server, restaurant_id says where a row lies', () => {
  test.each(GROWING)('every key of %s begins with it, and so does what refers to another such table', async (table) => {
    const keys = await database.query<{ columns: string[] }>(
      `SELECT ARRAY(SELECT attname::text FROM unnest(conkey) WITH ORDINALITY AS k (number, place)
         JOIN pg_attribute ON attrelid = conrelid AND attnum = number ORDER BY place) AS columns
       FROM pg_constraint
       WHERE conrelid = $1::regclass AND (contype IN ('p', 'u') OR (contype = 'f' AND confrelid = ANY ($2::regclass[])))`,
      [table, `{${GROWING.join()}}`],
    );
    expect(keys.length).toBeGreaterThan(0);
    for (const { columns } of keys) expect(columns[0]).toBe('restaurant_id');
  });

  test.each([
    ['upload', SAVE_UPLOADS.text, GROWING],
    ['upload that is only checked', PREVIEW_UPLOAD.text, ['hourly_sales']],
    ['reading a day back', READ_DAY.text, ['hourly_sales', 'sales_days']],
    ['reading a day’s uploads back', READ_UPLOADS.text, ['uploads']],
    ['overview of many days', READ_CALENDAR.text, ['hourly_sales', 'sales_days']],
    ['overview of totals', READ_TOTALS.text, ['hourly_sales']],
  ])('the statement of an %s finds and writes all rows by it', async (_what, statement, tables) => {
    const touching = (await plansOf(statement)).filter((plan) => GROWING.includes(plan['Relation Name'] ?? ''));
    expect([...new Set(touching.map((plan) => plan['Relation Name']))].sort()).toEqual(tables);
    for (const plan of touching) {
      if (plan.Operation === undefined) expect(plan['Index Cond']).toMatch(/restaurant_id = /);
      else expect(plan).toMatchObject({ Operation: 'Insert' });
      for (const index of plan['Conflict Arbiter Indexes'] ?? []) expect(index).toMatch(/_pkey$/);
    }
  });
});
