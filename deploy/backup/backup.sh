#!/usr/bin/env bash
# Dumps the database and proves that the dump can be restored.
# usage: DATABASE_URL=postgres://sales_owner@host/sales deploy/backup/backup.sh /var/backups/sales
# Passwords come from ~/.pgpass or PGPASSFILE: in a URL everyone on the machine would see them. Keeps the newest KEEP
# dumps (14), each a folder that JOBS connections (2) write at once. RESTORE_TEST_URL names a database whose name ends with
# _test: what it holds is dropped. METRICS_FILE, if set, tells Prometheus when a run succeeded last.
# Exit status 0: the dump is whole and was restored; anything else: alert.
set -euo pipefail
folder=${1:?usage: backup.sh <folder>}
: "${DATABASE_URL:?set DATABASE_URL}"
keep=${KEEP:-14}
for url in "$DATABASE_URL" "${RESTORE_TEST_URL:-}"; do
  if [[ $url == *://*:*@* || $url == *[?\&]password=* ]]; then
    echo 'a URL holds a password: write it into ~/.pgpass or the file of PGPASSFILE instead' >&2
    exit 2
  fi
done
umask 077
mkdir -p "$folder"
dump="$folder/sales-$(date -u +%Y%m%dT%H%M%SZ).dump"
trap 'rm -rf "$dump.part"' EXIT
pg_dump --format=directory --jobs="${JOBS:-2}" --file="$dump.part" "$DATABASE_URL"
pg_restore --list "$dump.part" > /dev/null
mv "$dump.part" "$dump"
find "$folder" -maxdepth 1 -name 'sales-*.dump' | sort | head -n "-$keep" | xargs -r rm -rf --
if [ -n "${RESTORE_TEST_URL:-}" ]; then
  name=$(psql "$RESTORE_TEST_URL" -XAtc 'SELECT current_database()')
  if [[ $name != *_test ]]; then
    echo "RESTORE_TEST_URL leads to the database $name: its name must end with _test, as it is emptied" >&2
    exit 2
  fi
  psql "$RESTORE_TEST_URL" -Xqc 'SET client_min_messages = warning; DROP SCHEMA public CASCADE; CREATE SCHEMA public'
  "$(dirname "$0")/restore.sh" "$dump" "$RESTORE_TEST_URL"
fi
if [ -n "${METRICS_FILE:-}" ]; then
  echo "sales_backup_last_success_timestamp_seconds $(date +%s)" > "$METRICS_FILE"
fi
echo "$dump"
