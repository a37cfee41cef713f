import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The ledger keeps the file profile and the tills of an import, to which its hours belong. Profiles
 * that are there keep their behaviour until they are saved again, and are marked.
 */
export class AddImportSourceToUploads1764230000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE uploads ADD COLUMN import_source jsonb;
      UPDATE file_profiles SET profile = profile || '{"unchecked": true}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE file_profiles SET profile = profile - 'unchecked';
      ALTER TABLE uploads DROP COLUMN import_source`);
  }
}
