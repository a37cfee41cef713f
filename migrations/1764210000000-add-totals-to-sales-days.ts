import type { MigrationInterface, QueryRunner } from 'typeorm';

const FIELDS = [
  'orders', 'gto', 'gst', 'svc', 'discount', 'pax', 'cash', 'nets', 'visa', 'master', 'amex', 'voucher', 'other',
]; // prettier-ignore

/** A day keeps its totals, so that reports of many days need not read every hour. */
export class AddTotalsToSalesDays1764210000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Totals are added up some time after an upload. They are true only where totals_upload is
      -- the number of the latest upload, and totals_fields says of how many fields there are any.
      ALTER TABLE sales_days
        ADD COLUMN totals_upload integer,
        ADD COLUMN totals_fields smallint,
        ${FIELDS.map((field) => `ADD COLUMN total_${field} numeric`).join(', ')}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sales_days DROP COLUMN totals_upload, DROP COLUMN totals_fields,
        ${FIELDS.map((field) => `DROP COLUMN total_${field}`).join(', ')}`);
  }
}
