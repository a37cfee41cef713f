-- The two roles of the service, with the limits of production. See docs/operating.md, "Two database roles".
--
-- Run it by psql as a superuser, before there are tables or a dump is restored; running it again is harmless. It reads
-- the passwords from the environment, as arguments are seen by everyone on the machine.
\set ON_ERROR_STOP on
\set owner_password `printf %s "$OWNER_PASSWORD"`
\set service_password `printf %s "$SERVICE_PASSWORD"`

SELECT format('CREATE ROLE %I', name) FROM unnest('{sales_owner, sales_service}'::name[]) AS name
WHERE to_regrole(name::text) IS NULL \gexec
ALTER ROLE sales_owner LOGIN PASSWORD :'owner_password';
ALTER ROLE sales_service LOGIN PASSWORD :'service_password';
GRANT pg_read_all_stats TO sales_owner;

-- Connections: the processes of the service times DATABASE_POOL_MAX, times 2.
ALTER ROLE sales_service CONNECTION LIMIT 40;
-- Ends sessions whose client a firewall has forgotten, which would use up the limit. The service itself closes
-- a connection after a minute without work.
ALTER ROLE sales_service SET idle_session_timeout = '90s';
-- Ends a transaction that holds its locks although its client does no more.
ALTER ROLE sales_service SET idle_in_transaction_session_timeout = '10s';
-- The service sets these for its sessions by RESPONSE_TIMEOUT_MS; behind PgBouncer it cannot.
ALTER ROLE sales_service SET statement_timeout = '2500ms';
ALTER ROLE sales_service SET lock_timeout = '1500ms';
