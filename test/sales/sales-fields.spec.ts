import { SALES_FIELDS } from '../../src/sales/fields/sales-fields.js';
import { COUNTS, FIGURES, OPTIONAL } from '../support/records.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const REMEDY = 'write a migration: docs/extending.md, "A new field of the record"';

describe('The declared fields of a record', () => {
  let database: TestDatabase;
  beforeAll(async () => (database = await createTestDatabase()));
  afterAll(() => database.drop());

  test('are those of the contract', () => {
    const declared = SALES_FIELDS.map(({ name, kind, isOptional }) => [name, kind, !!isOptional]);
    expect(declared).toEqual(
      FIGURES.map((name) => [name, COUNTS.includes(name) ? 'count' : 'amount', name in OPTIONAL]),
    );
  });

  test('are in the tables and in the history', async () => {
    const columns = await database.query<{ name: string; type: string }>(
      `SELECT attrelid::regclass || '.' || attname AS name, format_type(atttypid, NULL) AS type
       FROM pg_attribute WHERE attrelid IN ('hourly_sales'::regclass, 'sales_history'::regclass)`,
    );
    const types = Object.fromEntries(columns.map(({ name, type }) => [name, type]));
    const declared = SALES_FIELDS.flatMap(({ name, kind, isOptional }) => {
      const type = kind === 'count' ? 'integer' : 'numeric';
      return [
        // `addField` adds no domain, which would rewrite the table
        [`hourly_sales.${name}`, isOptional ? type : `sales_${kind}`],
        ...['before', 'after'].map((when) => [`sales_history.${name}_${when}`, type]),
      ];
    });
    expect({ [REMEDY]: types }).toMatchObject({ [REMEDY]: Object.fromEntries(declared) });
  });

  test('upload_hours reads each from the ledger', async () => {
    const [row] = await database.query<{ names: string[] }>(
      `SELECT proargnames AS names FROM pg_proc WHERE oid = 'upload_hours(json)'::regprocedure`,
    );
    expect({ [REMEDY]: row!.names }).toEqual({ [REMEDY]: ['records', 'hour', ...FIGURES] });
  });
});
