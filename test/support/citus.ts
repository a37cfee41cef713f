import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { SAVE_UPLOADS } from '../../src/sales/uploads/save-uploads.statement.js';
import { SHARD_FUNCTION } from '../../src/sales/uploads/sharded-uploads.repository.js';
import { createTestDatabase, ON_CITUS, type TestDatabase } from './test-database.js';

export const CITUS_SQL = join(__dirname, '../../docs/citus.sql');
export const GENERATED = '-- Generated from the statement that saves uploads: UPDATE_CITUS_SQL=1 npx jest test/citus';

/** In the order of the parameters %1 to %7 of the prepared text. */
const TABLES = [
  ['INSERT INTO sales_days AS', 'sales_days'],
  ['INSERT INTO hourly_sales AS', 'hourly_sales'],
  ['INSERT INTO uploads (', 'uploads'],
  ['FROM restaurant_grants AS', 'restaurant_grants'],
  ['FROM users WHERE', 'users'],
  ['FROM restaurants WHERE', 'restaurants'],
  ['FROM archived_months WHERE', 'archived_months'],
] as const;
const LIVE = '(SELECT revoked_at IS NULL FROM tokens AS t WHERE t.jti = u.token_id AND t.user_id = u.user_id) AS live';

function replaceOnce(text: string, from: string, to: string): string {
  if (text.split(from).length !== 2) throw new Error(`SAVE_UPLOADS has "${from}" not once: mend test/support/citus.ts`);
  return text.replace(from, to);
}

/** The statement on the tables of a shard, as a format; the service checks tokens before. */
function shardStatement(): string {
  const text = replaceOnce(SAVE_UPLOADS.text.trim(), LIVE, 'true AS live');
  if (text.includes('%')) throw new Error('SAVE_UPLOADS has a %, which format() takes as its own');
  return TABLES.reduce(
    (result, [words, table], index) => replaceOnce(result, words, words.replace(table, `%${index + 1}$s`)),
    text,
  );
}

/** The part of docs/citus.sql that follows from SAVE_UPLOADS. */
export function saveUploadsFunction(): string {
  return `${GENERATED}
CREATE OR REPLACE FUNCTION ${SHARD_FUNCTION}(p_restaurant integer, p_heads json, p_records json[])
RETURNS TABLE (place integer, live boolean, name text, closed boolean, archived boolean, granted boolean,
  number upload_number, "overwrittenHours" integer)
LANGUAGE plpgsql SET lock_timeout = '1500ms' AS $save$
#variable_conflict use_column
DECLARE
  v_shard bigint := get_shard_id_for_distribution_column('sales_days', p_restaurant);
  t text[];
BEGIN
  BEGIN
    PERFORM lock_sales_shard(v_shard);
  EXCEPTION WHEN lock_not_available THEN
    RAISE EXCEPTION 'shard % is being moved', v_shard USING ERRCODE = 'serialization_failure';
  END;
  IF NOT EXISTS (
    SELECT FROM pg_dist_placement
    WHERE shardid = v_shard AND groupid = (SELECT groupid FROM pg_dist_local_group)
  ) THEN
    RAISE EXCEPTION 'shard % was moved', v_shard USING ERRCODE = 'serialization_failure';
  END IF;
  IF EXISTS (
    SELECT FROM json_to_recordset(p_heads) AS u (restaurant_id integer)
    WHERE get_shard_id_for_distribution_column('sales_days', u.restaurant_id) <> v_shard
  ) THEN
    RAISE EXCEPTION 'uploads of several shards' USING ERRCODE = 'serialization_failure';
  END IF;
  -- Prepared once per session and shard, on the tables of the shard: only PostgreSQL plans it.
  IF NOT EXISTS (SELECT FROM pg_prepared_statements AS p WHERE p.name = '${SHARD_FUNCTION}_' || v_shard) THEN
    t := ARRAY(
      SELECT x.name || '_' || get_shard_id_for_distribution_column(x.name, p_restaurant)
      FROM unnest(ARRAY['sales_days', 'hourly_sales', 'uploads']) WITH ORDINALITY AS x (name, place) ORDER BY x.place
    ) || ARRAY(
      SELECT x.name || '_' || s.shardid
      FROM unnest(ARRAY['restaurant_grants', 'users', 'restaurants', 'archived_months']) WITH ORDINALITY AS x (name, place)
      JOIN pg_dist_shard AS s ON s.logicalrelid = x.name::regclass ORDER BY x.place
    );
    EXECUTE format($text$PREPARE ${SHARD_FUNCTION}_%8$s (json, json[]) AS
${shardStatement()}
$text$, t[1], t[2], t[3], t[4], t[5], t[6], t[7], v_shard);
  END IF;
  RETURN QUERY EXECUTE format('EXECUTE ${SHARD_FUNCTION}_%s (%L, %L)', v_shard, p_heads, p_records);
END $save$;

SELECT create_distributed_function('${SHARD_FUNCTION}(integer, json, json[])', 'p_restaurant', colocate_with := 'sales_days');
`;
}

/** What the service uses of Citus: shard 1 has the odd restaurants and is on node 1, shard 2 the even ones and is on node 2. */
const DOUBLE = `
CREATE TABLE pg_dist_partition ();
CREATE TABLE pg_dist_local_group (groupid integer);
INSERT INTO pg_dist_local_group VALUES (1);
CREATE TABLE pg_dist_shard (logicalrelid regclass, shardid bigint);
INSERT INTO pg_dist_shard VALUES ('sales_days', 2), ('sales_days', 1), ('hourly_sales', 4), ('hourly_sales', 3), ('uploads', 6),
  ('uploads', 5), ('restaurant_grants', 7), ('users', 8), ('restaurants', 9), ('archived_months', 10);
CREATE TABLE pg_dist_placement (shardid bigint, groupid integer);
INSERT INTO pg_dist_placement VALUES (1, 1), (2, 2), (2, 1); -- one server is both nodes
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
export async function holding({ ownerUrl }: TestDatabase, ...statements: string[]): Promise<() => Promise<void>> {
  const client = new Client(ownerUrl);
  await client.connect();
  for (const statement of ['BEGIN', ...statements]) await client.query(statement);
  return () => client.end();
}
