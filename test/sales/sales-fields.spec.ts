import { SALES_FIELDS } from '../../src/sales/fields/sales-fields.js';
import { COUNTS, FIGURES, OPTIONAL } from '../support/records.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const REMEDY = 'write a migration: docs/extending.md, "A new field of the record"';

describe('The declared fields of a record', () => {
  let database: TestDatabase;
  beforeAll(async () => (database = await createTestDatabase()));
  afterAll(() => database.drop());

  const typesOf = async (relation: string): Promise<Map<string, string>> => {
    const rows = await database.query<{ name: string; type: string }>(
      `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
       WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
      [relation],
    );
    return new Map(rows.map(({ name, type }) => [name, type]));
  };

  test('are those of the contract', () => {
    const declared = SALES_FIELDS.map(({ name, kind, isOptional }) => [name, kind, !!isOptional]);
    expect(declared).toEqual(
      FIGURES.map((name) => [name, COUNTS.includes(name) ? 'count' : 'amount', name in OPTIONAL]),
    );
  });

  test.each(SALES_FIELDS)('$name is in the tables and in the history', async ({ name, kind }) => {
    const [hours, history] = [await typesOf('hourly_sales'), await typesOf('sales_history')];
    const type = kind === 'count' ? 'integer' : 'numeric';
    const [before, after] = [history.get(`${name}_before`), history.get(`${name}_after`)];
    expect({ [REMEDY]: [hours.get(name), before, after] }).toEqual({
      [REMEDY]: [`sales_${kind}`, type, type],
    });
  });

  test('upload_hours reads each from the ledger', async () => {
    const [row] = await database.query<{ names: string[] }>(
      `SELECT proargnames AS names FROM pg_proc WHERE oid = 'upload_hours(json)'::regprocedure`,
    );
    expect({ [REMEDY]: row!.names }).toEqual({ [REMEDY]: ['records', 'hour', ...FIGURES] });
  });
});
