-- Distributes the tables of a migrated database over the workers of a Citus cluster. See docs/scaling.md.
--
-- Run it once by psql on the coordinator, as the owner of the tables; then docs/roles.sql. Rows that are there move along.

-- Rows of reference tables are written on every node; their triggers only reject changes.
SELECT format('ALTER DATABASE %I SET citus.enable_unsafe_triggers = on', current_database()) \gexec
SET citus.enable_unsafe_triggers = on;

-- Tables of logins stay on the coordinator. A foreign key to a table of all nodes would take them there. Users are never deleted.
ALTER TABLE tokens DROP CONSTRAINT IF EXISTS tokens_user_id_fkey;
ALTER TABLE known_addresses DROP CONSTRAINT IF EXISTS known_addresses_user_id_fkey;
ALTER TABLE user_machines DROP CONSTRAINT IF EXISTS user_machines_user_id_fkey;

-- It would write tokens from every node; the commands that disable users and set passwords revoke the tokens themselves.
DROP TRIGGER IF EXISTS revoke_tokens ON users;

SELECT create_reference_table('restaurants');
SELECT create_reference_table('users');
SELECT create_reference_table('restaurant_grants');
SELECT create_reference_table('archived_months');

-- Several shards a worker, so that they can be moved to workers that are added; see "How many shards" in docs/scaling.md.
SELECT create_distributed_table('sales_days', 'restaurant_id', shard_count := 32);
SELECT create_distributed_table('uploads', 'restaurant_id', colocate_with := 'sales_days');
SELECT create_distributed_table('hourly_sales', 'restaurant_id', colocate_with := 'sales_days');

-- Citus's own writers take this lock. Who waited in it for a move of the shard finds the shard gone.
CREATE OR REPLACE FUNCTION lock_sales_shard(shard bigint) RETURNS void LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS 'SELECT lock_shard_metadata(5, ARRAY[shard])';
SELECT create_distributed_function('lock_sales_shard(bigint)');

-- Generated from the statement that saves uploads: UPDATE_CITUS_SQL=1 npx jest test/citus
CREATE OR REPLACE FUNCTION save_uploads_107d28c5(p_restaurant integer, p_heads json, p_records json[])
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
  IF NOT EXISTS (SELECT FROM pg_prepared_statements AS p WHERE p.name = 'save_uploads_107d28c5_' || v_shard) THEN
    t := ARRAY(
      SELECT x.name || '_' || get_shard_id_for_distribution_column(x.name, p_restaurant)
      FROM unnest(ARRAY['sales_days', 'hourly_sales', 'uploads']) WITH ORDINALITY AS x (name, place) ORDER BY x.place
    ) || ARRAY(
      SELECT x.name || '_' || s.shardid
      FROM unnest(ARRAY['restaurant_grants', 'users', 'restaurants', 'archived_months']) WITH ORDINALITY AS x (name, place)
      JOIN pg_dist_shard AS s ON s.logicalrelid = x.name::regclass ORDER BY x.place
    );
    EXECUTE format($text$PREPARE save_uploads_107d28c5_%8$s (json, json[]) AS
WITH upload AS MATERIALIZED (
  SELECT u.*, ($2::json[])[u.place] AS records, r.name, u.date <@ r.closed AS closed,
    (SELECT true FROM %7$s WHERE month = date_trunc('month', u.date::timestamp)::date) AS archived,
    (SELECT true FROM %4$s AS g WHERE g.user_id = u.user_id AND g.restaurant_id = u.restaurant_id)
      OR (SELECT all_restaurants FROM %5$s WHERE id = u.user_id) AS granted,
    true AS live
  FROM json_to_recordset($1) AS u (
    place integer, restaurant_id integer, date date, user_id integer, token_id uuid, client_address text, processed smallint, hours integer)
  LEFT JOIN LATERAL (SELECT name, closed FROM %6$s WHERE id = u.restaurant_id OFFSET 0) AS r ON true
), day AS (
  INSERT INTO %1$s AS d (restaurant_id, date, uploads, hours, last_uploaded_at)
  SELECT restaurant_id, date, 1, hours, clock_timestamp()
  FROM upload
  WHERE live AND granted AND NOT closed AND archived IS NULL
  ORDER BY restaurant_id, date
  ON CONFLICT (restaurant_id, date) DO UPDATE
    SET uploads = d.uploads + 1, hours = d.hours | excluded.hours, hours_before = d.hours, last_uploaded_at = clock_timestamp()
  RETURNING restaurant_id, date, uploads AS number, hours_before, last_uploaded_at AS uploaded_at
), taken AS MATERIALIZED (
  SELECT place, restaurant_id, date, number, hours_before, user_id, client_address, uploaded_at, processed, records
  FROM day
  JOIN upload USING (restaurant_id, date)
), hour AS (
  INSERT INTO %2$s AS h (restaurant_id, date, hour, orders, gto, gst, svc, discount, pax, cash, nets, visa, master, amex, voucher, other, upload_number)
  SELECT restaurant_id, date, r.hour, r.orders, r.gto, r.gst, r.svc, r.discount, r.pax, r.cash, r.nets, r.visa, r.master, r.amex, r.voucher, r.other, number
  FROM taken,
  LATERAL (
    SELECT unnest(c.hour) AS hour, unnest(c.orders) AS orders, unnest(c.gto) AS gto, unnest(c.gst) AS gst, unnest(c.svc) AS svc, unnest(c.discount) AS discount, unnest(c.pax) AS pax, unnest(c.cash) AS cash, unnest(c.nets) AS nets, unnest(c.visa) AS visa, unnest(c.master) AS master, unnest(c.amex) AS amex, unnest(c.voucher) AS voucher, unnest(c.other) AS other
    FROM json_to_record(records) AS c (hour smallint[], orders integer[], gto numeric[], gst numeric[], svc numeric[], discount numeric[], pax integer[], cash numeric[], nets numeric[], visa numeric[], master numeric[], amex numeric[], voucher numeric[], other numeric[])
  ) AS r
  ON CONFLICT (restaurant_id, date, hour) DO UPDATE
    SET orders = excluded.orders, gto = excluded.gto, gst = excluded.gst, svc = excluded.svc, discount = excluded.discount, pax = excluded.pax, cash = excluded.cash, nets = excluded.nets, visa = excluded.visa, master = excluded.master, amex = excluded.amex, voucher = excluded.voucher, other = excluded.other, upload_number = excluded.upload_number
    WHERE (h.orders, h.gto, h.gst, h.svc, h.discount, h.pax, h.cash, h.nets, h.visa, h.master, h.amex, h.voucher, h.other) IS DISTINCT FROM (excluded.orders, excluded.gto, excluded.gst, excluded.svc, excluded.discount, excluded.pax, excluded.cash, excluded.nets, excluded.visa, excluded.master, excluded.amex, excluded.voucher, excluded.other)
  RETURNING restaurant_id, date, hour
), saved AS MATERIALIZED (
  SELECT taken.*, coalesce(changed_hours, 0) AS changed_hours
  FROM taken
  LEFT JOIN (SELECT restaurant_id, date, bit_or(1 << hour) AS changed_hours FROM hour GROUP BY restaurant_id, date) AS c
    USING (restaurant_id, date)
), ledger AS (
  INSERT INTO %3$s (restaurant_id, date, number, user_id, client_address, uploaded_at, processed, changed_hours, records)
  SELECT restaurant_id, date, number, user_id, client_address, uploaded_at, processed, changed_hours,
    CASE WHEN changed_hours <> 0 THEN records END
  FROM saved
)
SELECT place, live, name, closed, archived, granted, number, coalesce(changed_hours & hours_before, 0) AS "overwrittenHours"
FROM upload
LEFT JOIN saved USING (place)
$text$, t[1], t[2], t[3], t[4], t[5], t[6], t[7], v_shard);
  END IF;
  RETURN QUERY EXECUTE format('EXECUTE save_uploads_107d28c5_%s (%L, %L)', v_shard, p_heads, p_records);
END $save$;

SELECT create_distributed_function('save_uploads_107d28c5(integer, json, json[])', 'p_restaurant', colocate_with := 'sales_days');
