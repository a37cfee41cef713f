import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateUploadNotices1800000002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The outbox: an upload of which the receiver has to be told; its row goes once it was.
      CREATE TABLE upload_notices (
        restaurant_id integer NOT NULL,
        date          date NOT NULL,
        number        integer NOT NULL,
        tries         integer NOT NULL DEFAULT 0,
        next_try_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (restaurant_id, date, number)
      );
      CREATE INDEX upload_notices_due ON upload_notices (next_try_at);
      -- A row is written in the transaction that saves the upload: both are kept, or neither.
      CREATE FUNCTION add_upload_notices() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO upload_notices (restaurant_id, date, number)
        SELECT restaurant_id, date, number FROM saved;
        RETURN NULL;
      END $$;
      CREATE TRIGGER add_upload_notices AFTER INSERT ON uploads
        REFERENCING NEW TABLE AS saved FOR EACH STATEMENT EXECUTE FUNCTION add_upload_notices()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER add_upload_notices ON uploads;
      DROP FUNCTION add_upload_notices;
      DROP TABLE upload_notices`);
  }
}
