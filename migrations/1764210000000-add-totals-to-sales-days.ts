import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A day keeps its totals, so that reports of many days need not read every hour. */
export class AddTotalsToSalesDays1764210000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sales_days
        ADD COLUMN totals        numeric[], -- of each field of a record, in their order
        ADD COLUMN totals_upload integer -- the number of the upload up to which they are true
    `);
    await runner.query(`
      COMMENT ON COLUMN sales_days.totals IS
        'Added up after an upload; true only where totals_upload = uploads'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sales_days DROP COLUMN totals, DROP COLUMN totals_upload');
  }
}
