import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import * as testing from '../../src/testing/test-database.js';
import { eventually } from './service-process.js';

const NODES = (process.env['TEST_NODE_URLS'] ?? '').split(' ');
export const ON_CITUS = NODES.length > 1;

/** A database of its own for one test file, made as for a test server, or a clone of another: `template0` is empty. */
export interface TestDatabase extends testing.TestDatabase {
  /** Runs any SQL as the owner and returns its rows. */
  query<Row = Record<string, unknown>>(sql: string, values?: unknown[]): Promise<Row[]>;
}

export async function createTestDatabase(template?: string): Promise<TestDatabase> {
  const database = await testing.createTestDatabase(NODES[0]!, template);
  const name = new URL(database.url).pathname.slice(1);
  const copies = [database];
  for (const url of NODES.slice(1))
    copies.push(await testing.createTestDatabase(url, template, name));
  const enabled = `ALTER DATABASE ${name} SET citus.enable_unsafe_triggers = on`; // as citus.sql does
  for (const url of ON_CITUS ? NODES : []) await testing.execute(url, enabled);
  const client = new Client(database.ownerUrl);
  client.on('error', () => undefined); // a failed test may leave it open when the server stops
  await client.connect();
  return {
    ...database,
    query: async <Row>(sql: string, values?: unknown[]) =>
      (await client.query(sql, values)).rows as Row[],
    drop: async () => {
      await client.end();
      // FORCE does not end a daemon of Citus that is just starting.
      for (const copy of copies) await copy.drop().catch(() => copy.drop());
    },
  };
}

/** Keeps uploads of the days that there are from being finished while `work` runs. */
export async function whileDaysAreLocked(
  database: TestDatabase,
  work: () => Promise<void>,
): Promise<void> {
  await database.query('BEGIN; UPDATE sales_days SET uploads = uploads');
  await work().finally(() => database.query('COMMIT'));
}

/** Resolves once so many connections wait for what the tests' own connection holds. */
export async function untilBlocked(database: TestDatabase, count: number): Promise<void> {
  const blocked = `SELECT DISTINCT pid FROM pg_locks
    WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`;
  const find = async () => (await database.query(blocked)).length === count;
  await eventually(find, `${count} connections to be blocked`);
}

/** Gives the service's role the rights that the project in `root` documents. */
export function grantRights(ownerUrl: string, root = join(__dirname, '../..')): Promise<void> {
  return testing.execute(ownerUrl, readFileSync(join(root, 'docs/roles.sql'), 'utf8'));
}
