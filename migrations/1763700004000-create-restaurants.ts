import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateRestaurants1763700004000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE restaurants (
        id         integer PRIMARY KEY CHECK (id >= 1),
        name       text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
        -- The closed days: no upload is accepted for them, and none is missing.
        closed     datemultirange NOT NULL DEFAULT '{}',
        created_at timestamptz NOT NULL DEFAULT now()
      );
      -- Restaurants are never deleted, for the reason given at users.
      CREATE TRIGGER never_deleted BEFORE DELETE OR TRUNCATE OR UPDATE OF id ON restaurants
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
      CREATE TABLE restaurant_grants (
        user_id       integer NOT NULL REFERENCES users,
        restaurant_id integer NOT NULL REFERENCES restaurants,
        granted_at    timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (user_id, restaurant_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE restaurant_grants, restaurants');
  }
}
