-- Splits hourly_sales and uploads by month while the service runs. See docs/operating.md, "Sizing".
--
-- Three steps, each of which may be run again. first_month is the first day of a month for which nothing was uploaded
-- yet; rows before it stay where they are, as the first partition, and are not copied. Run it as the owner of the tables.

-- Gives every partition of uploads the trigger that refuses changes: a statement trigger is not inherited.
CREATE OR REPLACE FUNCTION protect_sales_partitions() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  partition regclass;
BEGIN
  FOR partition IN
    SELECT inhrelid FROM pg_inherits
    WHERE inhparent = 'uploads'::regclass
      AND NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = inhrelid AND tgname = 'append_only')
  LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %s
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', partition);
  END LOOP;
END $$;

-- Makes the partitions of so many months, where they are missing; for cron, once a month.
CREATE OR REPLACE FUNCTION add_sales_partitions(first_month date, months integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  month date;
BEGIN
  FOR month IN SELECT first_month + make_interval(months => n) FROM generate_series(0, months - 1) AS n LOOP
    EXECUTE format('CREATE TABLE IF NOT EXISTS hourly_sales_%1$s PARTITION OF hourly_sales
      FOR VALUES FROM (%2$L) TO (%3$L) WITH (fillfactor = 80)',
      to_char(month, 'YYYY_MM'), month, month + interval '1 month');
    EXECUTE format('CREATE TABLE IF NOT EXISTS uploads_%1$s PARTITION OF uploads
      FOR VALUES FROM (%2$L) TO (%3$L) WITH (toast_tuple_target = 8160)',
      to_char(month, 'YYYY_MM'), month, month + interval '1 month');
  END LOOP;
  PERFORM protect_sales_partitions();
END $$;

-- Step 1, before the swap: proves that no row is of first_month or later. Reads the tables and keeps nobody waiting.
CREATE OR REPLACE PROCEDURE prepare_sales_partitions(first_month date) LANGUAGE plpgsql AS $$
DECLARE
  table_name text;
BEGIN
  FOREACH table_name IN ARRAY ARRAY['hourly_sales', 'uploads'] LOOP
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT IF EXISTS before_partitions', table_name);
    EXECUTE format('ALTER TABLE %I ADD CONSTRAINT before_partitions CHECK (date < %L) NOT VALID', table_name, first_month);
    COMMIT; -- gives the lock back before the table is read
    EXECUTE format('ALTER TABLE %I VALIDATE CONSTRAINT before_partitions', table_name);
    COMMIT;
  END LOOP;
END $$;

-- Moves the rights to a table on to the one that takes its place; columns may have rights of their own.
CREATE OR REPLACE FUNCTION move_rights(old_table regclass, new_table regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  command text;
BEGIN
  FOR command IN
    SELECT format('GRANT %s ON %s TO %s', privilege_type, new_table, grantee::regrole)
    FROM pg_class, aclexplode(relacl) WHERE oid = old_table AND grantee NOT IN (0, relowner)
    UNION ALL
    SELECT format('GRANT %s (%I) ON %s TO %s', privilege_type, attname, new_table, grantee::regrole)
    FROM pg_attribute, aclexplode(attacl) WHERE attrelid = old_table AND grantee <> 0
    UNION ALL
    SELECT DISTINCT format('REVOKE ALL ON %s FROM %s', old_table, grantee::regrole)
    FROM pg_class, aclexplode(relacl) WHERE oid = old_table AND grantee NOT IN (0, relowner)
  LOOP
    EXECUTE command;
  END LOOP;
END $$;

-- Step 2, the swap: takes the tables for some milliseconds, or gives up after a second. The old tables become the first
-- partitions, without being read, thanks to step 1.
CREATE OR REPLACE PROCEDURE swap_in_sales_partitions(first_month date, months integer) LANGUAGE plpgsql AS $$
DECLARE
  history text := pg_get_viewdef('sales_history'); -- names the tables; the view itself refers to the old ones
BEGIN
  SET LOCAL lock_timeout = '1s';
  -- In the order in which an upload takes them: no deadlock.
  LOCK TABLE hourly_sales, uploads IN ACCESS EXCLUSIVE MODE;

  ALTER TABLE hourly_sales RENAME TO hourly_sales_before;
  ALTER INDEX hourly_sales_pkey RENAME TO hourly_sales_before_pkey;
  CREATE TABLE hourly_sales (LIKE hourly_sales_before INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE,
    PRIMARY KEY (restaurant_id, date, hour)) PARTITION BY RANGE (date);
  ALTER TABLE hourly_sales DROP CONSTRAINT before_partitions;
  EXECUTE format('ALTER TABLE hourly_sales ATTACH PARTITION hourly_sales_before FOR VALUES FROM (MINVALUE) TO (%L)', first_month);
  CREATE TABLE hourly_sales_default PARTITION OF hourly_sales DEFAULT WITH (fillfactor = 80);
  PERFORM move_rights('hourly_sales_before', 'hourly_sales');

  ALTER TABLE uploads RENAME TO uploads_before;
  ALTER INDEX uploads_pkey RENAME TO uploads_before_pkey;
  CREATE TABLE uploads (LIKE uploads_before INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE,
    PRIMARY KEY (restaurant_id, date, number)) PARTITION BY RANGE (date);
  ALTER TABLE uploads DROP CONSTRAINT before_partitions;
  EXECUTE format('ALTER TABLE uploads ATTACH PARTITION uploads_before FOR VALUES FROM (MINVALUE) TO (%L)', first_month);
  CREATE TABLE uploads_default PARTITION OF uploads DEFAULT WITH (toast_tuple_target = 8160);
  CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON uploads
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
  PERFORM move_rights('uploads_before', 'uploads');

  PERFORM add_sales_partitions(first_month, months);
  EXECUTE 'CREATE OR REPLACE VIEW sales_history AS ' || history;
END $$;

-- Tables that an earlier version of this file has split get the triggers that they lack.
SELECT protect_sales_partitions();
