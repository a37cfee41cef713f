#!/usr/bin/env bash
# Moves the sales of old days out of the database into files. See docs/operating.md, "Dropping old years".
#   archive.sh copy <folder> 2020-01-01   copies all days before the date, and reads the files again; as the owner
#   archive.sh delete <folder>            deletes from the database what the files hold; as a superuser
#   archive.sh back <folder>              writes it into the database again, but for days that the database holds; as the owner
# DATABASE_URL names the database; passwords come from ~/.pgpass or the file of PGPASSFILE. To look into the files, make a
# database of any name, and in their folder: psql -d NAME -v ON_ERROR_STOP=1 -f read.sql
set -euo pipefail
umask 077
usage='usage: archive.sh copy <folder> <date> | delete <folder> | back <folder>'
: "${DATABASE_URL:?set DATABASE_URL}"
if [[ $DATABASE_URL == *://*:*@* || $DATABASE_URL == *[?\&]password=* ]]; then
  echo 'DATABASE_URL holds a password: write it into ~/.pgpass or the file of PGPASSFILE instead' >&2
  exit 2
fi
# The days that a query finds, a line each.
NAMES="string_agg(format(E'\\n  restaurant %s on %s', restaurant_id, date), '' ORDER BY date, restaurant_id)"
run() { PGOPTIONS='-c timezone=UTC -c datestyle=ISO' psql "$DATABASE_URL" -qXAt -v ON_ERROR_STOP=1 -v folder="${PWD##*/}"; }

# SQL that writes the rows of a query to a file, reads them again, and fails where they are others; `read.sql` gets the
# table that the file is read into.
copy_file() { # name, query, order
  cat <<SQL
CREATE TEMP VIEW stored AS $2;
\copy (SELECT * FROM stored ORDER BY $3) TO PROGRAM 'gzip > $1.csv.gz' CSV HEADER
CREATE TEMP TABLE written AS TABLE stored WITH NO DATA;
\copy written FROM PROGRAM 'gzip -dc $1.csv.gz' CSV HEADER
DO \$\$ BEGIN
  IF (SELECT (count(*), sum(hashtextextended(stored::text, 0))) FROM stored)
    IS DISTINCT FROM (SELECT (count(*), sum(hashtextextended(written::text, 0))) FROM written)
  THEN RAISE '$1.csv.gz does not hold what the database holds'; END IF;
END \$\$;
SELECT count(*) || ' $1' FROM written \g (format=unaligned tuples_only=on) |tee -a counts
SELECT format(E'CREATE TABLE $1 (%s);\n\\\\copy $1 FROM PROGRAM ''gzip -dc $1.csv.gz'' CSV HEADER\nSELECT count(*) || '' $1'' FROM $1;',
  string_agg(attname || ' ' || format_type(coalesce(nullif(typbasetype, 0), atttypid), NULL), ', ' ORDER BY attnum))
FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid
WHERE attrelid = 'written'::regclass AND attnum > 0 \g (format=unaligned tuples_only=on) |cat >> read.sql
DROP TABLE written;
DROP VIEW stored;
SQL
}

copy() {
  mkdir -p "$1"
  cd "$1"
  if [ -n "$(ls)" ]; then
    echo "$1 is not empty" >&2
    exit 2
  fi
  [[ $2 =~ ^[0-9]{4}-[0-9]{2}-[0-9]{2}$ ]] || { echo "$usage" >&2; exit 2; }
  local old="date < '$2'"
  {
    echo 'BEGIN ISOLATION LEVEL REPEATABLE READ;' # all files show the same moment
    copy_file days "SELECT * FROM sales_days WHERE $old" 'date, restaurant_id'
    copy_file hours "SELECT * FROM hourly_sales WHERE $old" 'date, restaurant_id, hour'
    copy_file uploads "SELECT * FROM uploads WHERE $old" 'date, restaurant_id, number'
    # What an upload replaced; it follows from the uploads, but not at a glance.
    copy_file corrections "SELECT * FROM sales_history WHERE $old AND upload_number > 1 AND replaced_upload_number IS NOT NULL" \
      'date, restaurant_id, hour, upload_number'
    copy_file restaurants 'SELECT id, name FROM restaurants' id
    copy_file users 'SELECT id, username FROM users' id
    echo 'ROLLBACK;'
  } | run
  sha256sum ./*.csv.gz counts read.sql > SHA256SUMS
}

delete() {
  cd "$1"
  sha256sum --check --quiet SHA256SUMS
  run <<SQL
-- Silences the triggers that keep the ledger, for this session alone; nobody but a superuser may set it.
SET session_replication_role = replica;
CREATE TEMP TABLE archived AS
SELECT restaurant_id, date, uploads, hours, hours_before, last_uploaded_at FROM sales_days WITH NO DATA;
\copy archived FROM PROGRAM 'gzip -dc days.csv.gz | cut -d , -f 1-6' CSV HEADER
CREATE INDEX ON archived (date);
ANALYZE archived;
CREATE TEMP TABLE deleted (days bigint, hours bigint, uploads bigint);
DO \$\$
DECLARE
  batch date;
BEGIN
  -- A date at a time. Whoever uploads for one of its days meanwhile waits for it; a day that was uploaded
  -- since it was copied stays.
  FOR batch IN SELECT DISTINCT date FROM archived ORDER BY date LOOP
    WITH gone AS (
      DELETE FROM sales_days AS d USING archived AS a
      WHERE a.date = batch AND d.restaurant_id = a.restaurant_id AND d.date = a.date
        AND (d.uploads, d.last_uploaded_at) = (a.uploads, a.last_uploaded_at)
      RETURNING d.restaurant_id, d.date
    ), hour AS (
      DELETE FROM hourly_sales AS h USING gone
      WHERE h.restaurant_id = gone.restaurant_id AND h.date = gone.date AND h.date = batch
      RETURNING 1
    ), upload AS (
      DELETE FROM uploads AS u USING gone
      WHERE u.restaurant_id = gone.restaurant_id AND u.date = gone.date AND u.date = batch
      RETURNING 1
    )
    INSERT INTO deleted
    SELECT (SELECT count(*) FROM gone), (SELECT count(*) FROM hour), (SELECT count(*) FROM upload);
    COMMIT;
  END LOOP;
END \$\$;
INSERT INTO audit_log (actor, action, outcome, details)
SELECT 'administrator:$(id -un)', 'sales archive', 'success', jsonb_build_object('folder', :'folder',
  'days', sum(days), 'hours', sum(hours), 'uploads', sum(uploads)) FROM deleted;
SELECT format('%s days, %s hours, %s uploads deleted', sum(days), sum(hours), sum(uploads)) FROM deleted;
SELECT format('%s days stay, as they were uploaded after they were copied: copy them into another folder', count(*)) || $NAMES
FROM archived JOIN sales_days USING (restaurant_id, date) HAVING count(*) > 0;
VACUUM (ANALYZE) sales_days, hourly_sales, uploads;
SQL
}

back() {
  cd "$1"
  sha256sum --check --quiet SHA256SUMS
  local load='' write='' pair file columns
  for pair in sales_days=days hourly_sales=hours uploads=uploads; do
    file=${pair#*=}
    IFS= read -r columns < <(gzip -dc "$file.csv.gz")
    load+="CREATE TEMP TABLE archived_$file AS SELECT $columns FROM ${pair%=*} WITH NO DATA;"$'\n'
    load+="\\copy archived_$file FROM PROGRAM 'gzip -dc $file.csv.gz' CSV HEADER"$'\n'
    write+="DELETE FROM archived_$file USING held WHERE (archived_$file.restaurant_id, archived_$file.date) = (held.restaurant_id, held.date);"$'\n'
    write+="INSERT INTO ${pair%=*} ($columns) SELECT $columns FROM archived_$file;"$'\n'
  done
  run <<SQL
BEGIN;
$load
CREATE TEMP TABLE held AS SELECT restaurant_id, date FROM archived_days JOIN sales_days USING (restaurant_id, date);
$write
CREATE TEMP TABLE written AS SELECT (SELECT count(*) FROM archived_days) AS days,
  (SELECT count(*) FROM archived_hours) AS hours, (SELECT count(*) FROM archived_uploads) AS uploads;
INSERT INTO audit_log (actor, action, outcome, details)
SELECT 'administrator:$(id -un)', 'sales archive back', 'success', jsonb_build_object('folder', :'folder') || to_jsonb(written) FROM written;
SELECT format('%s days, %s hours, %s uploads written', days, hours, uploads) FROM written;
SELECT format('%s days stay as the database holds them', count(*)) || $NAMES FROM held HAVING count(*) > 0;
COMMIT;
SQL
}

case "${1-} $#" in
  'copy 3') copy "$2" "$3" ;;
  'delete 2') delete "$2" ;;
  'back 2') back "$2" ;;
  *) echo "$usage" >&2; exit 2 ;;
esac
