import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateUsers1763700001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE users (
        id              integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        username        text NOT NULL UNIQUE CHECK (char_length(username) BETWEEN 1 AND 200),
        password_hash   text NOT NULL,
        all_restaurants boolean NOT NULL DEFAULT false,
        disabled_at     timestamptz,
        created_at      timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`
      CREATE TABLE restaurant_grants (
        user_id       integer NOT NULL REFERENCES users,
        restaurant_id integer NOT NULL REFERENCES restaurants,
        granted_at    timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (user_id, restaurant_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE restaurant_grants');
    await runner.query('DROP TABLE users');
  }
}
