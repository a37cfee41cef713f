#!/usr/bin/env bash
# Writes how many restaurants have not uploaded all of yesterday, for node_exporter's textfile collector. From cron, at
# nine: 0 9 * * * sales /opt/sales-upload/deploy/prometheus/sales-missing.sh /var/lib/prometheus/node-exporter
set -uo pipefail
folder=${1:?usage: sales-missing.sh <textfile folder>}
cd "$(dirname "$0")/../.." || exit 1
json=$(npm run --silent admin -- sales missing --date yesterday --json)
status=$?
if [ "$status" != 0 ] && [ "$status" != 3 ]; then exit "$status"; fi # 3: some are missing
count=$(printf '%s' "$json" | node -p 'JSON.parse(require("fs").readFileSync(0, "utf8")).missing.length')
cat > "$folder/sales.prom.$$" <<METRIC
# HELP sales_missing_restaurants Restaurants that have not uploaded all hours of yesterday
# TYPE sales_missing_restaurants gauge
sales_missing_restaurants $count
METRIC
mv "$folder/sales.prom.$$" "$folder/sales.prom"
