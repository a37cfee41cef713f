-- Distributes the sales of a migrated database over the workers of a Citus cluster; see docs/scaling.md. Run it once by
-- psql on the coordinator, as the owner of the tables, then docs/roles.sql. Rows that are there move along.

-- The triggers of these tables only reject changes.
SELECT format('ALTER DATABASE %I SET citus.enable_unsafe_triggers = on', current_database()) \gexec
SET citus.enable_unsafe_triggers = on;

-- A shard is what can be moved to another worker; see "Where things are" in docs/scaling.md.
SELECT create_distributed_table('sales_days', 'restaurant_id', shard_count := 32);
SELECT create_distributed_table('uploads', 'restaurant_id', colocate_with := 'sales_days');
SELECT create_distributed_table('hourly_sales', 'restaurant_id', colocate_with := 'sales_days');

-- Takes the lock that Citus's own writers take, which waits until a move of the shard has ended.
CREATE OR REPLACE FUNCTION lock_sales_shard(shard bigint) RETURNS void LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS 'SELECT lock_shard_metadata(5, ARRAY[shard])';

-- Runs the service's own statement on the tables of a shard; an upload that it refuses is safe to try again.
CREATE OR REPLACE FUNCTION save_on_shard(p_restaurant integer, p_statement text, p_uploads json, p_records json[])
RETURNS TABLE ("position" integer, live boolean, name text, closed boolean, granted boolean, "replacedHours" integer)
LANGUAGE plpgsql SET lock_timeout = '1500ms' AS $save$
DECLARE
  v_shard bigint := get_shard_id_for_distribution_column('sales_days', p_restaurant);
  v_prepared text := format('save_%s_%s', v_shard, md5(p_statement));
  v_table text;
BEGIN
  BEGIN
    PERFORM lock_sales_shard(v_shard);
  EXCEPTION WHEN lock_not_available THEN
    RAISE EXCEPTION 'shard % is being moved', v_shard USING ERRCODE = 'serialization_failure';
  END;
  IF NOT EXISTS (SELECT FROM pg_dist_placement JOIN pg_dist_local_group USING (groupid) WHERE shardid = v_shard)
    OR EXISTS (
      SELECT FROM json_to_recordset(p_uploads) AS u (restaurant_id integer)
      WHERE get_shard_id_for_distribution_column('sales_days', u.restaurant_id) <> v_shard
    )
  THEN
    RAISE EXCEPTION 'shard % was moved or split', v_shard USING ERRCODE = 'serialization_failure';
  END IF;
  -- Prepared once per session and shard, on the tables of the shard: only PostgreSQL plans it.
  IF NOT EXISTS (SELECT FROM pg_prepared_statements AS p WHERE p.name = v_prepared) THEN
    -- A mark that is left, such as {other_table}, is a syntax error.
    FOREACH v_table IN ARRAY ARRAY['sales_days', 'hourly_sales', 'uploads'] LOOP
      p_statement := replace(p_statement, '{' || v_table || '}',
        v_table || '_' || get_shard_id_for_distribution_column(v_table, p_restaurant));
    END LOOP;
    EXECUTE format('PREPARE %I (json, json[]) AS %s', v_prepared, p_statement);
  END IF;
  RETURN QUERY EXECUTE format('EXECUTE %I (%L, %L)', v_prepared, p_uploads, p_records);
END $save$;
SELECT create_distributed_function('save_on_shard(integer, text, json, json[])', 'p_restaurant', colocate_with := 'sales_days');
