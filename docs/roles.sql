-- The rights of the service's role, sales_service. See docs/operating.md, "Two database roles".
--
-- Run it as the owner of the tables after every migration; running it again is harmless. The role gets no table by
-- default: a new one is closed to the service until it has its line here, so that each right is reviewed.
BEGIN;

GRANT USAGE ON SCHEMA public TO sales_service;
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM sales_service;

GRANT SELECT ON migrations, sales_history TO sales_service;

GRANT SELECT, INSERT, UPDATE (name, first_day, weekly_hours) ON restaurants TO sales_service;
GRANT SELECT, INSERT, DELETE ON restaurant_closures TO sales_service;
GRANT SELECT, INSERT, UPDATE (username, password_hash, password_version, all_restaurants, disabled_at, kind,
    password_must_change, password_changed_at) ON users TO sales_service;
GRANT SELECT, INSERT, DELETE ON restaurant_grants TO sales_service;

GRANT SELECT, INSERT, UPDATE, DELETE ON file_profiles TO sales_service;

GRANT SELECT, INSERT, UPDATE, DELETE ON second_factors, company_accounts TO sales_service;
GRANT SELECT, INSERT, DELETE ON recovery_codes TO sales_service;

-- a new table goes here

-- Deleted by housekeeping once they have expired.
GRANT SELECT, INSERT, UPDATE (revoked_at), DELETE ON tokens TO sales_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON login_counters TO sales_service;
GRANT SELECT, INSERT, UPDATE (last_login_at), DELETE ON known_addresses TO sales_service;

-- Append-only.
GRANT SELECT, INSERT ON uploads TO sales_service;
-- The time of an event is when it was recorded.
GRANT SELECT, INSERT (actor, action, subject, client_address, outcome, details) ON audit_log TO sales_service;

-- Every column but the key, so that a new figure needs no line here.
DO $$
DECLARE
  command text;
BEGIN
  FOR command IN
    SELECT format('GRANT SELECT, INSERT, UPDATE (%s) ON %s TO sales_service',
      string_agg(quote_ident(attname), ', '), attrelid::regclass)
    FROM pg_attribute
    WHERE attrelid IN ('sales_days'::regclass, 'hourly_sales'::regclass) AND attnum > 0 AND NOT attisdropped
      AND attname NOT IN ('restaurant_id', 'date', 'hour')
    GROUP BY attrelid
  LOOP
    EXECUTE command;
  END LOOP;
END $$;

COMMIT;
