import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The contract's rules on an amount, repeated by the database. NaN and Infinity are no amounts: both compare above 10^11. */
function amount(column: string): string {
  return `${column} numeric NOT NULL CHECK (${column} >= 0 AND ${column} < 100000000000)`;
}

export class CreateSales1763700003000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Every key begins with restaurant_id, the column by which these three tables could be distributed.
    // A day's row is what uploads of that day queue for; its counter numbers them in the order in which they took effect.
    await runner.query(`
      CREATE TABLE sales_days (
        restaurant_id    integer NOT NULL REFERENCES restaurants,
        date             date NOT NULL CHECK (date BETWEEN '0001-01-01' AND '9999-12-31'),
        uploads          integer NOT NULL CHECK (uploads >= 1),
        hours            integer NOT NULL CHECK (hours BETWEEN 1 AND 16777215), -- bit h is set once hour h was uploaded
        last_uploaded_at timestamptz NOT NULL,
        PRIMARY KEY (restaurant_id, date) INCLUDE (hours) -- who has not uploaded is answered from the index alone
      ) WITH (fillfactor = 80)`);
    // The ledger: who sent what, when, from where. Records are kept as sent, a column of values a field, and are left
    // out where the upload changed nothing; a compressed copy would cost more than the 2 kB that it saves.
    await runner.query(`
      CREATE TABLE uploads (
        restaurant_id  integer NOT NULL,
        date           date NOT NULL,
        number         integer NOT NULL CHECK (number >= 1),
        user_id        integer NOT NULL REFERENCES users,
        client_address text NOT NULL,
        uploaded_at    timestamptz NOT NULL,
        processed      smallint NOT NULL CHECK (processed BETWEEN 1 AND 24),
        changed_hours  integer NOT NULL CHECK (changed_hours BETWEEN 0 AND 16777215),
        records        json CHECK ((records IS NULL) = (changed_hours = 0)),
        PRIMARY KEY (restaurant_id, date, number),
        FOREIGN KEY (restaurant_id, date) REFERENCES sales_days
      ) WITH (toast_tuple_target = 8160)`);
    await runner.query('ALTER TABLE uploads ALTER COLUMN records SET STORAGE MAIN');
    // upload_number points to uploads without a foreign key: 24 look-ups an upload would double its price, and one
    // statement writes both.
    await runner.query(`
      CREATE TABLE hourly_sales (
        restaurant_id integer NOT NULL,
        date          date NOT NULL,
        hour          smallint NOT NULL CHECK (hour BETWEEN 0 AND 23),
        orders        integer NOT NULL CHECK (orders >= 0),
        ${['gto', 'gst', 'svc', 'discount'].map(amount).join(',\n')},
        pax           integer NOT NULL CHECK (pax >= 0),
        ${['cash', 'nets', 'visa', 'master', 'amex', 'voucher', 'other'].map(amount).join(',\n')},
        upload_number integer NOT NULL CHECK (upload_number >= 1),
        PRIMARY KEY (restaurant_id, date, hour)
      ) WITH (fillfactor = 80)`);
    await runner.query(`
      CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'rows of % are never changed or deleted', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
      END $$`);
    await runner.query(`
      CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON uploads
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE hourly_sales');
    await runner.query('DROP TABLE uploads');
    await runner.query('DROP TABLE sales_days');
    await runner.query('DROP FUNCTION refuse_change');
  }
}
