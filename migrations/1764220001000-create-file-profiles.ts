import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateFileProfiles1764220001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE file_profiles (
        name    text PRIMARY KEY,
        profile jsonb NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE file_profiles');
  }
}
