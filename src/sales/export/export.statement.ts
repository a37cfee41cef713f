import { escapeLiteral } from 'pg';
import { FIELD_NAMES } from '../fields/sales-fields.js';

/** The hours to export. Dates are YYYY-MM-DD, both included. */
export interface ExportRange {
  readonly from: string;
  readonly to: string;
  /** One restaurant; null for all. */
  readonly restaurantId: number | null;
}

/** The list of restaurants makes PostgreSQL read a range of the index for each of them. */
export function exportHours({ from, to, restaurantId }: ExportRange): string {
  const ids = restaurantId === null ? 'ARRAY(SELECT id FROM restaurants)' : `'{${restaurantId}}'`;
  return `
SELECT restaurant_id, date, hour, ${FIELD_NAMES}
FROM hourly_sales
WHERE restaurant_id = ANY(${ids}) AND date BETWEEN ${escapeLiteral(from)} AND ${escapeLiteral(to)}
ORDER BY restaurant_id, date, hour`;
}
