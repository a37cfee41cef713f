import type { QueryRunner } from 'typeorm';

const FIELDS = [
  'orders', 'gto', 'gst', 'svc', 'discount', 'pax', 'cash', 'nets', 'visa', 'master', 'amex', 'voucher', 'other',
]; // prettier-ignore
const COUNTS = ['orders', 'pax'];

const typeOf = (field: string): string => (COUNTS.includes(field) ? 'integer' : 'numeric');

const list = (write: (field: string) => string): string => FIELDS.map(write).join(', ');

/** Creates what reads the ledger. */
export async function createHistory(runner: QueryRunner): Promise<void> {
  await runner.query(`
    CREATE FUNCTION upload_hours(records json)
    RETURNS TABLE (hour smallint, ${list((field) => `${field} ${typeOf(field)}`)})
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT unnest(sent.hour), ${list((field) => `unnest(sent.${field})`)}
      FROM json_to_record(records)
        AS sent (hour smallint[], ${list((field) => `${field} ${typeOf(field)}[]`)})
    $$;
    -- What an hour was before is what the latest earlier upload that changed it says. A look-up for every changed hour,
    -- not a window over the day: a page of a day of very many uploads costs no more than a page.
    CREATE VIEW sales_history AS
    SELECT u.restaurant_id, u.date, now.hour, u.number AS upload_number, u.uploaded_at, users.username,
      before.upload_number AS replaced_upload_number,
      ${list((field) => `before.${field} AS ${field}_before, now.${field} AS ${field}_after`)}
    FROM uploads AS u
    JOIN users ON users.id = u.user_id
    CROSS JOIN LATERAL upload_hours(u.records) AS now
    LEFT JOIN LATERAL (
      SELECT e.number AS upload_number, h.*
      FROM uploads AS e
      CROSS JOIN LATERAL upload_hours(e.records) AS h
      WHERE e.restaurant_id = u.restaurant_id AND e.date = u.date
        AND e.number BETWEEN u.number - 5000 AND u.number - 1 -- no till sends so many in a day
        AND (e.changed_hours >> now.hour) & 1 = 1 AND h.hour = now.hour
      ORDER BY e.number DESC
      LIMIT 1
    ) AS before ON true
    WHERE (u.changed_hours >> now.hour) & 1 = 1;
    COMMENT ON VIEW sales_history IS
    'A row for every change of an hour: which upload wrote it, by whom and when, which upload it replaced, and the values before (null: none, or none of the 5,000 uploads before) and after'`);
}

export async function dropHistory(runner: QueryRunner): Promise<void> {
  await runner.query('DROP VIEW sales_history; DROP FUNCTION upload_hours');
}
