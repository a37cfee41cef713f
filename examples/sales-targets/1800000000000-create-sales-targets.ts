import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateSalesTargets1800000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE DOMAIN sales_target_state AS text CHECK (VALUE IN ('proposed', 'approved'))`);
    await runner.query(`
      CREATE TABLE sales_targets (
        restaurant_id integer PRIMARY KEY REFERENCES restaurants,
        amount        numeric(14, 2) NOT NULL CHECK (amount >= 0),
        state         sales_target_state NOT NULL DEFAULT 'proposed'
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sales_targets');
    await runner.query('DROP DOMAIN sales_target_state');
  }
}
