import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** Empties all tables, without the triggers that keep the history. */
const EMPTY = `
  SET session_replication_role = replica;
  DO $$ BEGIN
    EXECUTE (SELECT 'TRUNCATE ' || string_agg(tablename, ', ') || ' RESTART IDENTITY CASCADE'
      FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migrations');
  END $$`;

/** The owner migrates; the service has the rights of docs/roles.sql. */
const ROLES = `
  DO $$ BEGIN
    CREATE ROLE sales_owner; CREATE ROLE sales_service;
  EXCEPTION WHEN duplicate_object THEN NULL; END $$;
  ALTER ROLE sales_owner LOGIN PASSWORD 'sales_owner';
  ALTER ROLE sales_service LOGIN PASSWORD 'sales_service';
  GRANT pg_monitor, pg_signal_backend TO sales_owner; -- tests watch and end connections`;

export const TEMPLATE = 'template_migrated';

/** Creates the roles, and an empty database to be migrated and cloned; returns its owner's URL. */
export async function createTemplate(server: string): Promise<string> {
  await execute(server, ROLES);
  await execute(server, `DROP DATABASE IF EXISTS ${TEMPLATE}`); // a Citus cluster may be used again
  await execute(server, `CREATE DATABASE ${TEMPLATE} OWNER sales_owner`);
  return urlOf(server, TEMPLATE, 'sales_owner');
}

export type TestDatabase = Awaited<ReturnType<typeof createTestDatabase>>;

/** Clones the template for one test server; a cluster has the database on each of its servers. */
export async function createTestDatabase(server: string, template = TEMPLATE, given?: string) {
  const name = given ?? `test_${randomBytes(6).toString('hex')}`;
  await execute(server, `CREATE DATABASE ${name} TEMPLATE ${template} OWNER sales_owner`);
  return {
    url: urlOf(server, name, 'sales_service'),
    ownerUrl: urlOf(server, name, 'sales_owner'),
    empty: () => execute(Object.assign(new URL(server), { pathname: `/${name}` }).href, EMPTY),
    drop: () => execute(server, `DROP DATABASE ${name} WITH (FORCE)`),
  };
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
