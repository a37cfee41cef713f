#!/bin/sh
# Runs once in a new database's container: the role that migrates and the one that serves, see docs/operating.md.
set -eu
psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB" \
  -v owner_password="$OWNER_PASSWORD" -v service_password="$SERVICE_PASSWORD" -v database="$POSTGRES_DB" <<'SQL'
CREATE ROLE sales_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE sales_service LOGIN PASSWORD :'service_password' CONNECTION LIMIT 40;
GRANT pg_read_all_stats TO sales_owner;
ALTER DATABASE :"database" OWNER TO sales_owner;
SQL
