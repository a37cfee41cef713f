import type { SalesField } from './sales-fields.js';

/** SQL of the day of the upload `u`, and the name of the function that lists the hours of records. */
interface UploadSql {
  readonly restaurantId: string;
  readonly date: string;
  readonly hoursOf: string;
}

/**
 * Joins to each hour `now` of the upload `u` what it was `before`, and what uploads that lack an optional field kept;
 * those from before the field are not read.
 */
export function joinBefore(fields: readonly SalesField[], { restaurantId, date, hoursOf }: UploadSql): string {
  const joinLatest = (alias: string, columns: string, condition = ''): string => `
      LEFT JOIN LATERAL (
        SELECT ${columns}
        FROM uploads AS e
        CROSS JOIN LATERAL ${hoursOf}(e.records) AS h
        WHERE e.restaurant_id = ${restaurantId} AND e.date = ${date} AND e.number < u.number
          AND (e.changed_hours >> now.hour) & 1 = 1 AND h.hour = now.hour${condition}
        ORDER BY e.number DESC
        LIMIT 1
      ) AS ${alias} ON true`;
  const optional = fields.filter(({ default: value }) => value !== undefined);
  const kept = optional.map(({ name, since }) => {
    const time = `'${new Date(since!).toISOString()}'`;
    const condition = `
          AND u.uploaded_at >= ${time} AND (now.${name} IS NULL OR before.${name} IS NULL)
          AND e.uploaded_at >= ${time} AND h.${name} IS NOT NULL`;
    return joinLatest(`kept_${name}`, `h.${name}`, condition);
  });
  return joinLatest('before', 'e.number AS upload_number, h.*') + kept.join('');
}

/** The value of a field, where `joinBefore` is joined. */
export function valueIn(hour: 'before' | 'now', { name, default: value }: SalesField): string {
  return value === undefined ? `${hour}.${name}` : `coalesce(${hour}.${name}, kept_${name}.${name}, ${value})`;
}
