import { escapeLiteral } from 'pg';
import { HOURS_PER_DAY } from '../../calendar/hour-set.js';
import { FIELD_NAMES, listFields, SALES_FIELDS } from '../fields/sales-fields.js';

/** The first line of an export. */
export const EXPORT_HEAD = `restaurant_id,restaurant,date,hour,status,${SALES_FIELDS.map(({ name }) => name).join()}\n`;

/** A restaurant with the set of hours that is expected of it, by days since the first. */
interface ExportedRestaurant {
  readonly id: number;
  readonly name: string;
  readonly expected: readonly number[];
}

/** A spreadsheet with a decimal comma would take 0.125 for 125, and 0.1250 for a text. */
const EXPORTED = listFields(({ name, kind }) =>
  kind === 'count' ? name : `CASE scale(${name}) WHEN 3 THEN round(${name}, 4) ELSE ${name} END`,
);

/** Writes a query for COPY, which takes no parameters; it reads an index range for each day. */
export function exportHours(restaurants: readonly ExportedRestaurant[], from: string): string {
  const rows = restaurants.map(
    ({ id, name, expected }) =>
      `(${id}, ${escapeLiteral(name)}, '{${expected.join()}}'::integer[])`,
  );
  return `
SELECT id, name, date, hour,
  CASE WHEN NOT is_sent THEN 'missing' WHEN expected >> hour & 1 = 1 THEN 'sent' ELSE 'unexpected' END,
  ${EXPORTED}
FROM (VALUES ${rows.join()}) AS restaurant (id, name, hours_by_day)
CROSS JOIN LATERAL unnest(hours_by_day) WITH ORDINALITY AS of_day (expected, place)
CROSS JOIN LATERAL (SELECT ${escapeLiteral(from)}::date + place::integer - 1 AS date OFFSET 0) AS day
CROSS JOIN LATERAL (
  SELECT hour, sold.hour IS NOT NULL AS is_sent, ${FIELD_NAMES}
  FROM generate_series(0, ${HOURS_PER_DAY - 1}) AS hour
  LEFT JOIN (
    SELECT * FROM hourly_sales AS h WHERE h.restaurant_id = id AND h.date = day.date OFFSET 0
  ) AS sold USING (hour)
) AS of_hour
WHERE is_sent OR expected >> hour & 1 = 1
ORDER BY id, date, hour`;
}
