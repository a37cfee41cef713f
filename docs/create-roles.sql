-- The roles of the service, with the limits of production. See docs/operating.md, "Two database roles".
--
-- Run it by psql as a superuser, before there are tables or a dump is restored. The passwords come from the environment, as
-- arguments are seen by everyone on the machine; where one is empty nothing is done. Roles that exist stay as they are: a
-- login that was closed would be open again.
\set ON_ERROR_STOP on
\set owner_password `printf %s "$OWNER_PASSWORD"`
\set service_password `printf %s "$SERVICE_PASSWORD"`
SELECT '' IN (:'owner_password', :'service_password') AS lacks_password \gset
\if :lacks_password
  DO $$ BEGIN
    RAISE 'set OWNER_PASSWORD and SERVICE_PASSWORD in the environment: nothing was changed';
  END $$;
\endif

BEGIN;
CREATE TEMP TABLE new_roles ON COMMIT DROP AS
SELECT name FROM unnest('{sales_owner, sales_service, sales_service_b}'::name[]) AS name
WHERE to_regrole(name::text) IS NULL;
SELECT format('CREATE ROLE %I LOGIN', name) FROM new_roles \gexec
SELECT format('ALTER ROLE %I PASSWORD %L', name, password)
FROM new_roles
JOIN (VALUES ('sales_owner', :'owner_password'), ('sales_service', :'service_password')) AS passwords (name, password)
  USING (name) \gexec
GRANT pg_read_all_stats TO sales_owner;

-- The second login of the service, with the rights of the first. It has no password, so nobody can log in as it, until
-- the password of the first is rotated: see docs/operating.md.
GRANT sales_service TO sales_service_b;

SELECT format('ALTER ROLE %I %s', name, setting)
FROM new_roles
CROSS JOIN (VALUES
  -- Connections: the processes of the service times DATABASE_POOL_MAX, times 2.
  ('CONNECTION LIMIT 40'),
  -- Ends sessions whose client a firewall has forgotten, which would use up the limit. The service itself closes
  -- a connection after a minute without work.
  ('SET idle_session_timeout = ''90s'''),
  -- Ends a transaction that holds its locks although its client does no more.
  ('SET idle_in_transaction_session_timeout = ''10s'''),
  -- The service sets these for its sessions by RESPONSE_TIMEOUT_MS; behind PgBouncer it cannot.
  ('SET statement_timeout = ''2500ms'''),
  ('SET lock_timeout = ''1500ms''')
) AS limits (setting)
WHERE name <> 'sales_owner' \gexec
COMMIT;
