import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The contract's rules, repeated by the database. As domains, because PostgreSQL reads the constraints of a table anew for
 * every statement: as such, those of an hour were seen to cost 0.08 of the 0.64 ms of saving an upload.
 */
const DOMAINS = [
  'sales_amount AS numeric CHECK (VALUE >= 0 AND VALUE < 100000000000)', // keeps NaN and Infinity out: both compare above
  'sales_count AS integer CHECK (VALUE >= 0)',
  'hour_of_day AS smallint CHECK (VALUE BETWEEN 0 AND 23)',
  'hour_set AS integer CHECK (VALUE BETWEEN 0 AND 16777215)', // bit h stands for hour h
  'upload_number AS integer CHECK (VALUE >= 1)',
];

export class CreateSales1763700003000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const domain of DOMAINS) await runner.query(`CREATE DOMAIN ${domain}`);
    // Every key begins with restaurant_id, the column by which these three tables could be distributed.
    // A day's row is what uploads of that day queue for; its counter numbers them in the order in which they took effect.
    await runner.query(`
      CREATE TABLE sales_days (
        restaurant_id    integer NOT NULL REFERENCES restaurants,
        date             date NOT NULL CHECK (date BETWEEN '0001-01-01' AND '9999-12-31'),
        uploads          upload_number NOT NULL,
        hours            hour_set NOT NULL, -- those that were uploaded so far
        hours_before     hour_set NOT NULL DEFAULT 0, -- those that were so before the latest upload
        last_uploaded_at timestamptz NOT NULL,
        PRIMARY KEY (restaurant_id, date) INCLUDE (hours) -- who has not uploaded is answered from the index alone
      ) WITH (fillfactor = 80)`);
    // The ledger: who sent what, when, from where. Records are kept as sent, a column of values a field, and are left
    // out where the upload changed nothing; a compressed copy would cost more than the 2 kB that it saves.
    await runner.query(`
      CREATE TABLE uploads (
        restaurant_id  integer NOT NULL,
        date           date NOT NULL,
        number         upload_number NOT NULL,
        user_id        integer NOT NULL REFERENCES users,
        client_address text NOT NULL,
        uploaded_at    timestamptz NOT NULL,
        processed      smallint NOT NULL CHECK (processed BETWEEN 1 AND 24),
        changed_hours  hour_set NOT NULL,
        records        json CHECK ((records IS NULL) = (changed_hours = 0)),
        PRIMARY KEY (restaurant_id, date, number)
      ) WITH (toast_tuple_target = 8160)`);
    await runner.query('ALTER TABLE uploads ALTER COLUMN records SET STORAGE MAIN');
    // No foreign keys among the three, as one statement writes them all: for an hour's upload_number, 24 look-ups would
    // double the price of an upload, and a day's would read all of sales_days while its statistics say that it is empty.
    await runner.query(`
      CREATE TABLE hourly_sales (
        restaurant_id integer NOT NULL,
        date          date NOT NULL,
        hour          hour_of_day NOT NULL,
        orders        sales_count NOT NULL,
        gto           sales_amount NOT NULL,
        gst           sales_amount NOT NULL,
        svc           sales_amount NOT NULL,
        discount      sales_amount NOT NULL,
        pax           sales_count NOT NULL,
        cash          sales_amount NOT NULL,
        nets          sales_amount NOT NULL,
        visa          sales_amount NOT NULL,
        master        sales_amount NOT NULL,
        amex          sales_amount NOT NULL,
        voucher       sales_amount NOT NULL,
        other         sales_amount NOT NULL,
        upload_number upload_number NOT NULL,
        PRIMARY KEY (restaurant_id, date, hour)
      ) WITH (fillfactor = 80)`);
    await runner.query(`
      CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'rows of % are kept: % is refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
      END $$`);
    await runner.query(`
      CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON uploads
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`);
    await runner.query(`
      CREATE TRIGGER never_deleted BEFORE DELETE OR TRUNCATE ON sales_days
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE hourly_sales');
    await runner.query('DROP TABLE uploads');
    await runner.query('DROP TABLE sales_days');
    await runner.query('DROP FUNCTION refuse_change');
    for (const domain of DOMAINS) await runner.query(`DROP DOMAIN ${domain.split(' ', 1)[0]}`);
  }
}
