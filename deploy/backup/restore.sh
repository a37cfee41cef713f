#!/usr/bin/env bash
# Restores a dump into an empty database and says how much it holds.
# usage: deploy/backup/restore.sh <dump> postgres://sales_owner@host/restored
# The server must have the roles that the dump names (docs/create-roles.sql makes them), and the database must exist and
# be empty: createdb -U postgres -O sales_owner restored. Passwords come from ~/.pgpass or the file of PGPASSFILE.
# JOBS connections (2) load tables and make indexes at once.
set -euo pipefail
dump=${1:?usage: restore.sh <dump> <database url>}
url=${2:?usage: restore.sh <dump> <database url>}
if [[ $url == *://*:*@* || $url == *[?\&]password=* ]]; then
  echo 'the URL holds a password: write it into ~/.pgpass or the file of PGPASSFILE instead' >&2
  exit 2
fi
tables=$(psql "$url" -XAtc "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
if [ "$tables" != 0 ]; then
  echo "the database is not empty: $tables tables" >&2
  exit 1
fi
# Found out now, as rights come last in a dump, after all rows.
for role in $(pg_restore --schema-only --file=- "$dump" | sed -nE 's/^GRANT .* TO ([^ ;]+).*;$/\1/p' | sort -u); do
  if [ "$role" != PUBLIC ] && [ -z "$(psql "$url" -XAtc "SELECT to_regrole('$role')")" ]; then
    echo "the server lacks the role $role: make it first, those of the service with docs/create-roles.sql" >&2
    exit 1
  fi
done
pg_restore --exit-on-error --no-owner --jobs="${JOBS:-2}" --dbname="$url" "$dump"
# A dump holds no statistics, without which the first reports are slow. Of the catalogs, which are not the owner's, nothing is said.
psql "$url" -Xqc 'SET client_min_messages = error; ANALYZE'
psql "$url" -XAtc "SELECT count(*) || ' days, ' || (SELECT count(*) FROM uploads) || ' uploads restored' FROM sales_days"
echo "now prove the figures: DATABASE_URL='$url' sales-admin sales verify"
