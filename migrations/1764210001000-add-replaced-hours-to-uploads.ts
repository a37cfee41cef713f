import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The ledger says which hours an upload replaced, so that corrections are found without the rest. */
export class AddReplacedHoursToUploads1764210001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Null in rows that were written before: the hours follow from the earlier uploads of the day.
      ALTER TABLE uploads ADD COLUMN replaced_hours hour_set;
      -- The first upload of a day replaces nothing, and most days have one: the index stays small.
      -- With what a page of corrections is chosen by, as the rows themselves are large.
      CREATE INDEX uploads_that_replaced ON uploads (restaurant_id, date, number)
        INCLUDE (uploaded_at, replaced_hours)
        WHERE number > 1 AND replaced_hours IS DISTINCT FROM 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE uploads DROP COLUMN replaced_hours');
  }
}
