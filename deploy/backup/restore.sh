#!/usr/bin/env bash
# Restores a dump into an empty database and says how much it holds.
# usage: deploy/backup/restore.sh <dump> postgres://owner:...@host/restored
# The database must exist and be empty; creating it takes a role with CREATEDB: createdb -U postgres -O sales_owner restored
set -euo pipefail
dump=${1:?usage: restore.sh <dump> <database url>}
url=${2:?usage: restore.sh <dump> <database url>}
tables=$(psql "$url" -XAtc "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
if [ "$tables" != 0 ]; then
  echo "the database is not empty: $tables tables" >&2
  exit 1
fi
pg_restore --exit-on-error --no-owner --dbname="$url" "$dump"
psql "$url" -XAtc "SELECT count(*) || ' days, ' || (SELECT count(*) FROM uploads) || ' uploads restored' FROM sales_days"
echo "now prove the figures: DATABASE_URL=$(printf '%s' "$url" | sed 's#://[^@]*@#://...@#') npm run --silent admin -- sales verify"
