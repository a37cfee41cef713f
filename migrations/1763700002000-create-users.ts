import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateUsers1763700002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- password_version counts the passwords that were set; hashing the same one again keeps it.
      CREATE TABLE users (
        id               integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        username         text NOT NULL UNIQUE CHECK (char_length(username) BETWEEN 1 AND 200),
        password_hash    text NOT NULL,
        password_version integer NOT NULL DEFAULT 1,
        all_restaurants  boolean NOT NULL DEFAULT false,
        disabled_at      timestamptz,
        created_at       timestamptz NOT NULL DEFAULT now()
      );
      -- A foreign key of uploads would lock the user's row for each upload. There is none: instead,
      -- users are never deleted.
      CREATE TRIGGER never_deleted BEFORE DELETE OR TRUNCATE OR UPDATE OF id ON users
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE users');
  }
}
