import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';

export const ON_CITUS = process.env['TEST_NODE_URLS']?.includes(' ') ?? false;

/** A database of its own for one test file: a clone of the migrated one. */
export interface TestDatabase {
  /** As the service's role, which has only the rights of docs/roles.sql. */
  readonly url: string;
  /** As the owner of the tables, for migrations. */
  readonly ownerUrl: string;
  /** Runs any SQL as the owner and returns its rows. */
  query<Row = Record<string, unknown>>(sql: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

/** Creates a clone of the migrated database, or of another: `template0` is empty. */
export async function createTestDatabase(
  template = process.env['TEST_TEMPLATE'] ?? 'template_migrated',
): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asSuperuser(`CREATE DATABASE ${name} TEMPLATE ${template} OWNER sales_owner`);
  if (ON_CITUS) await asSuperuser(`ALTER DATABASE ${name} SET citus.enable_unsafe_triggers = on`); // as docs/citus.sql
  const ownerUrl = urlOf(name, 'sales_owner');
  const client = new Client(ownerUrl);
  client.on('error', () => undefined); // a failed test may leave it open when the server stops
  await client.connect();
  return {
    url: urlOf(name, 'sales_service'),
    ownerUrl,
    query: async <Row>(sql: string, values: unknown[] = []) => (await client.query(sql, values)).rows as Row[],
    drop: async () => {
      await client.end();
      await asSuperuser(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** The address of a database of the test server for a role; see global-setup.mjs. */
export function urlOf(database: string, role: 'sales_owner' | 'sales_service'): string {
  const url = new URL(process.env['TEST_POSTGRES_URL']!);
  url.pathname = `/${database}`;
  url.username = role;
  url.password = role;
  return url.href;
}

/** Gives the service's role the rights that the project in `root` documents. */
export async function grantRights(ownerUrl: string, root = join(__dirname, '../..')): Promise<void> {
  const client = new Client(ownerUrl);
  await client.connect();
  await client.query(readFileSync(join(root, 'docs/roles.sql'), 'utf8')).finally(() => client.end());
}

/** On every node of a cluster. */
async function asSuperuser(sql: string): Promise<void> {
  for (const url of process.env['TEST_NODE_URLS']!.split(' ')) {
    const client = new Client(url);
    await client.connect();
    await client.query(sql).finally(() => client.end());
  }
}
