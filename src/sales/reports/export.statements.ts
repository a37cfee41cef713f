import { escapeLiteral } from 'pg';
import { HOURS_PER_DAY } from '../../calendar/hour-set.js';
import { listFields, SALES_FIELDS } from '../fields/sales-fields.js';

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

/** Writes a query for COPY, which takes no parameters. */
export function exportHours(restaurants: readonly ExportedRestaurant[], from: string): string {
  const rows = restaurants.map(
    ({ id, name, expected }) =>
      `(${id}, ${escapeLiteral(name)}, '{${expected.join()}}'::integer[])`,
  );
  const ids = restaurants.map(({ id }) => id).join();
  const days = restaurants[0]!.expected.length;
  const first = `${escapeLiteral(from)}::date`;
  return `
SELECT restaurant_id, name, date, hour,
  CASE WHEN upload_number IS NULL THEN 'missing'
    WHEN expected >> hour & 1 = 1 THEN 'sent'
    ELSE 'unexpected'
  END, ${EXPORTED}
FROM (
  -- every hour of the range
  SELECT id AS restaurant_id, name, expected, ${first} + place::integer - 1 AS date, hour
  FROM (VALUES ${rows.join()}) AS restaurant (id, name, hours_by_day)
  CROSS JOIN LATERAL unnest(hours_by_day) WITH ORDINALITY AS of_day (expected, place)
  CROSS JOIN generate_series(0, ${HOURS_PER_DAY - 1}) AS hour
) AS expectation
LEFT JOIN (
  -- a subquery of its own, as Citus reads it before it joins
  SELECT * FROM hourly_sales
  WHERE restaurant_id IN (${ids}) AND date BETWEEN ${first} AND ${first} + ${days - 1}
) AS sold USING (restaurant_id, date, hour)
WHERE upload_number IS NOT NULL OR expected >> hour & 1 = 1
ORDER BY restaurant_id, date, hour`;
}
