import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { createTestDatabase, ON_CITUS, type TestDatabase } from '../support/test-database.js';

const CITUS_SQL = join(__dirname, '../../src/sales/uploads/distributed/citus.sql');

/** What the service uses of Citus: shard 1 has the odd restaurants and is on node 1, shard 2 the even ones and is on node 2. */
const DOUBLE = `
CREATE TABLE pg_dist_partition ();
CREATE TABLE pg_dist_local_group (groupid integer);
INSERT INTO pg_dist_local_group VALUES (1), (2); -- one server is both nodes
CREATE TABLE pg_dist_shard (logicalrelid regclass, shardid bigint);
INSERT INTO pg_dist_shard VALUES ('sales_days', 2), ('sales_days', 1), ('hourly_sales', 4), ('hourly_sales', 3),
  ('uploads', 6), ('uploads', 5);
CREATE TABLE pg_dist_placement (shardid bigint, groupid integer);
INSERT INTO pg_dist_placement VALUES (1, 1), (2, 2);
CREATE FUNCTION lock_shard_metadata(mode integer, shards bigint[]) RETURNS void LANGUAGE sql
  AS 'SELECT pg_advisory_xact_lock_shared(s) FROM unnest(shards) AS s';
CREATE FUNCTION get_shard_id_for_distribution_column(t regclass, value integer) RETURNS bigint LANGUAGE sql
  AS 'SELECT shardid FROM pg_dist_shard WHERE logicalrelid = t ORDER BY (shardid + value) % 2 LIMIT 1';
DO $$ DECLARE shard record; BEGIN
  FOR shard IN SELECT * FROM pg_dist_shard LOOP
    EXECUTE format('CREATE VIEW %s_%s AS TABLE %1$s', shard.logicalrelid, shard.shardid);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE ON %s_%s TO sales_service', shard.logicalrelid, shard.shardid);
  END LOOP;
END $$;
GRANT SELECT ON pg_dist_partition, pg_dist_local_group, pg_dist_shard, pg_dist_placement TO sales_service;`;

/** On plain PostgreSQL, a database with a double of Citus. */
export async function createCitusDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  if (ON_CITUS) return database;
  await database.query(DOUBLE);
  const ofCitus = /^(SELECT create_|SET citus|.*\\gexec$).*$/gm;
  await database.query(
    readFileSync(CITUS_SQL, 'utf8')
      .replace(ofCitus, '')
      .replace(/^\\.*$/gm, ''),
  );
  return database;
}

/** Runs statements as the owner, in a transaction that ends with the result. */
export async function holding(
  { ownerUrl }: TestDatabase,
  ...statements: string[]
): Promise<() => Promise<void>> {
  const client = new Client(ownerUrl);
  await client.connect();
  for (const statement of ['BEGIN', ...statements]) await client.query(statement);
  return () => client.end();
}
