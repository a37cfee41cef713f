import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateTargets1800000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE targets (
        restaurant_id integer PRIMARY KEY REFERENCES restaurants,
        amount        numeric(14, 2) NOT NULL CHECK (amount >= 0)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE targets');
  }
}
