import type { MigrationInterface, QueryRunner } from 'typeorm';

const COUNTS = ['orders', 'pax'];
const FIELDS = [
  'orders', 'gto', 'gst', 'svc', 'discount', 'pax', 'cash', 'nets', 'visa', 'master', 'amex', 'voucher', 'other',
]; // prettier-ignore

function typed(suffix: string): string {
  return FIELDS.map((field) => `${field} ${COUNTS.includes(field) ? 'integer' : 'numeric'}${suffix}`).join(', ');
}

export class CreateSalesHistory1763700020000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION upload_hours(records json) RETURNS TABLE (hour smallint, ${typed('')})
      LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT unnest(c.hour), ${FIELDS.map((field) => `unnest(c.${field})`).join(', ')}
        FROM json_to_record(records) AS c (hour smallint[], ${typed('[]')})
      $$`);
    // A look-up for every changed hour, not a window over the day, so that a page of a day of very many uploads costs
    // no more than a page. What an hour was before is what the latest earlier upload that changed it says.
    await runner.query(`
      CREATE VIEW sales_history AS
      SELECT u.restaurant_id, u.date, now.hour, u.number AS upload_number, u.uploaded_at, users.username,
        before.upload_number AS replaced_upload_number,
        ${FIELDS.map((field) => `before.${field} AS ${field}_before, now.${field} AS ${field}_after`).join(', ')}
      FROM uploads AS u
      JOIN users ON users.id = u.user_id
      CROSS JOIN LATERAL upload_hours(u.records) AS now
      LEFT JOIN LATERAL (
        SELECT e.number AS upload_number, h.*
        FROM uploads AS e
        CROSS JOIN LATERAL upload_hours(e.records) AS h
        WHERE e.restaurant_id = u.restaurant_id AND e.date = u.date AND e.number < u.number
          AND (e.changed_hours >> now.hour) & 1 = 1 AND h.hour = now.hour
        ORDER BY e.number DESC
        LIMIT 1
      ) AS before ON true
      WHERE (u.changed_hours >> now.hour) & 1 = 1`);
    await runner.query(`
      COMMENT ON VIEW sales_history IS
      'A row for every change of an hour: which upload wrote it, by whom and when, which upload it replaced, and the values before (null: none) and after'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP VIEW sales_history');
    await runner.query('DROP FUNCTION upload_hours');
  }
}
