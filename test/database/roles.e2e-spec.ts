import { Client } from 'pg';
import { givenTill } from '../support/given.js';
import { day } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let client: Client;
beforeAll(async () => {
  service = await createTestApp();
  const { token } = await givenTill(service);
  await service.client.upload(token, day());
  client = new Client(service.database.url);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await service.close();
});

describe('The service’s role', () => {
  test('is the one that the application under test connects as', async () => {
    const roles = `SELECT DISTINCT usename FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'sales-upload'`;
    expect(await service.database.query(roles)).toEqual([{ usename: 'sales_service' }]);
  });

  test('owns nothing and has no right beyond those of a row', async () => {
    const owned = `SELECT relname FROM pg_class WHERE relowner = 'sales_service'::regrole
      UNION ALL SELECT proname FROM pg_proc WHERE proowner = 'sales_service'::regrole`;
    expect(await service.database.query(owned)).toEqual([]);
    const rights = `SELECT DISTINCT privilege_type FROM information_schema.role_table_grants
      WHERE grantee = 'sales_service' ORDER BY 1`;
    const kinds = (await service.database.query(rights)).map(({ privilege_type: kind }) => kind);
    expect(kinds).toEqual(['DELETE', 'INSERT', 'SELECT', 'UPDATE']);
  });

  test.each([
    'UPDATE uploads SET processed = 1',
    'DELETE FROM uploads',
    'UPDATE audit_log SET actor = actor',
    'DELETE FROM audit_log',
    'UPDATE hourly_sales SET hour = 1',
    'DELETE FROM hourly_sales',
    'UPDATE sales_days SET date = date',
    'DELETE FROM sales_days',
    'UPDATE users SET username = username',
    'DELETE FROM users',
    'DELETE FROM restaurants',
    'UPDATE tokens SET expires_at = expires_at',
    'UPDATE migrations SET name = name',
    'TRUNCATE login_failures',
    'ALTER TABLE uploads DISABLE TRIGGER append_only',
    'DROP TRIGGER append_only ON uploads',
    'CREATE TRIGGER t BEFORE INSERT ON uploads FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()',
    'ALTER TABLE tokens ADD COLUMN x integer',
    'DROP TABLE tokens',
    'CREATE TABLE x ()',
  ])('may not: %s', async (sql) => {
    await expect(client.query(sql)).rejects.toMatchObject({ code: '42501' });
  });

  test('learns the number of synchronous standbys, without the right to see what others run', async () => {
    const { rows } = await client.query(
      `SELECT count_synchronous_standbys() AS count, pg_has_role('pg_read_all_stats', 'USAGE') AS reads`,
    );
    expect(rows).toEqual([{ count: 0, reads: false }]);
  });

  test('may read every table, so that none was forgotten', async () => {
    const closed = await service.database.query<{ relname: string }>(
      `SELECT relname FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v') AND NOT relispartition
         AND NOT has_any_column_privilege('sales_service', oid, 'SELECT')`,
    );
    const remedies = closed.map(({ relname }) => `grant sales_service what it needs on ${relname} in docs/roles.sql`);
    expect(remedies).toEqual([]);
  });
});
