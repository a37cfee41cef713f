import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The ledger keeps where the figures of an upload come from, such as the name of a file. */
export class AddSourceToUploads1764220000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE uploads ADD COLUMN source text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE uploads DROP COLUMN source');
  }
}
