import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateSalesTargets1800000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE sales_targets (
        restaurant_id integer PRIMARY KEY REFERENCES restaurants,
        amount        numeric(14, 2) NOT NULL CHECK (amount >= 0)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sales_targets');
  }
}
