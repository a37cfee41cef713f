import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Client } from 'pg';

/** The owner migrates; the service has the rights of docs/roles.sql. */
const ROLES = `
  DO $$ BEGIN
    CREATE ROLE sales_owner; CREATE ROLE sales_service;
  EXCEPTION WHEN duplicate_object THEN NULL; END $$;
  ALTER ROLE sales_owner LOGIN PASSWORD 'sales_owner';
  ALTER ROLE sales_service LOGIN PASSWORD 'sales_service';
  GRANT pg_monitor, pg_signal_backend TO sales_owner; -- tests observe and end the service's connections`;

export const TEMPLATE = 'template_migrated';

/** A database of one test server. */
export interface TestDatabase {
  /** The address for the role of the service. */
  readonly url: string;
  /** The address for the owner of the tables. */
  readonly ownerUrl: string;
  drop(): Promise<void>;
}

/** Creates the roles, and an empty database to be migrated and cloned; returns its owner's URL. */
export async function createTemplate(server: string): Promise<string> {
  await execute(server, ROLES);
  await execute(server, `DROP DATABASE IF EXISTS ${TEMPLATE}`); // a Citus cluster may be used again
  await execute(server, `CREATE DATABASE ${TEMPLATE} OWNER sales_owner`);
  return urlOf(server, TEMPLATE, 'sales_owner');
}

/** Clones a database on every server of a cluster, of which the first takes the connections. */
export async function createTestDatabase(
  servers: readonly string[],
  template = TEMPLATE,
): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  for (const server of servers)
    await execute(server, `CREATE DATABASE ${name} TEMPLATE ${template} OWNER sales_owner`);
  return {
    url: urlOf(servers[0]!, name, 'sales_service'),
    ownerUrl: urlOf(servers[0]!, name, 'sales_owner'),
    drop: async () => {
      for (const server of servers) await execute(server, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** Gives the service's role the rights that a file like docs/roles.sql documents. */
export async function grantRights(ownerUrl: string, file: URL | string): Promise<void> {
  await execute(ownerUrl, await readFile(file, 'utf8'));
}

/** Runs statements on a connection of their own. */
export async function execute(url: string, sql: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

/** The password of a role is its name. */
function urlOf(server: string, database: string, role: string): string {
  const login = { pathname: `/${database}`, username: role, password: role };
  return Object.assign(new URL(server), login).href;
}
