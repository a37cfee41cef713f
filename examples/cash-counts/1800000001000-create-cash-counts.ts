import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateCashCounts1800000001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The count of a day; a new one replaces it.
      CREATE TABLE cash_counts (
        restaurant_id integer NOT NULL REFERENCES restaurants,
        date          date NOT NULL,
        user_id       integer NOT NULL REFERENCES users,
        PRIMARY KEY (restaurant_id, date)
      );
      -- What was in each drawer.
      CREATE TABLE cash_count_lines (
        restaurant_id integer NOT NULL,
        date          date NOT NULL,
        drawer        text NOT NULL,
        amount        numeric(12, 2) NOT NULL CHECK (amount >= 0),
        note          text,
        PRIMARY KEY (restaurant_id, date, drawer),
        FOREIGN KEY (restaurant_id, date) REFERENCES cash_counts ON DELETE CASCADE
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE cash_count_lines; DROP TABLE cash_counts');
  }
}
