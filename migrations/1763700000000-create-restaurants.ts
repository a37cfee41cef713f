import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateRestaurants1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE restaurants (
        id         integer PRIMARY KEY CHECK (id >= 1),
        name       text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
        -- The days on which it is closed: no upload is taken for them and none is missed.
        closed     datemultirange NOT NULL DEFAULT '{}',
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE restaurants');
  }
}
