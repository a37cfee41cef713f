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
      -- Where the money was. For a further word: drop the constraint, add the wider one NOT VALID.
      CREATE DOMAIN cash_count_kind AS text CHECK (VALUE IN ('till', 'safe'));
      -- What was in each drawer.
      CREATE TABLE cash_count_lines (
        restaurant_id integer NOT NULL,
        date          date NOT NULL,
        drawer        text NOT NULL,
        amount        numeric(12, 2) NOT NULL CHECK (amount >= 0),
        kind          cash_count_kind NOT NULL,
        note          text,
        PRIMARY KEY (restaurant_id, date, drawer),
        FOREIGN KEY (restaurant_id, date) REFERENCES cash_counts ON DELETE CASCADE
      );
      -- Users who may read the counts of all restaurants.
      CREATE TABLE cash_count_auditors (
        user_id integer PRIMARY KEY REFERENCES users
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE cash_count_auditors, cash_count_lines, cash_counts;
      DROP DOMAIN cash_count_kind`);
  }
}
