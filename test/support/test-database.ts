import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** A database of its own for one test file: a clone of the migrated one. */
export interface TestDatabase {
  readonly url: string;
  /** Rows of any SQL, for looking behind the service. */
  query<Row = Record<string, unknown>>(sql: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

/** A clone of the migrated database, or of another: `template0` is empty. */
export async function createTestDatabase(
  template = process.env['TEST_TEMPLATE'] ?? 'template_migrated',
): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = urlOf(name);
  const client = new Client(url);
  client.on('error', () => undefined); // a test that failed may leave it open when the server stops
  await client.connect();
  return {
    url,
    query: async <Row>(sql: string, values: unknown[] = []) => (await client.query(sql, values)).rows as Row[],
    drop: async () => {
      await client.end();
      await asAdmin(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

function urlOf(database: string): string {
  const url = new URL(process.env['TEST_POSTGRES_URL']!);
  url.pathname = `/${database}`;
  return url.href;
}

async function asAdmin(sql: string): Promise<void> {
  const client = new Client(urlOf('postgres'));
  await client.connect();
  await client.query(sql);
  await client.end();
}
