#!/bin/sh
# Runs once in a new database's container: the role that migrates and the one that serves, see docs/operating.md.
set -eu
psql -U "$POSTGRES_USER" -d "$POSTGRES_DB" -f /create-roles.sql
psql -U "$POSTGRES_USER" -d "$POSTGRES_DB" -c "ALTER DATABASE \"$POSTGRES_DB\" OWNER TO sales_owner"
