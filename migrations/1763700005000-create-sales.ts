import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createHistory, DROP_HISTORY, FIRST_FIELDS } from './sales-history.js';

/** Keys begin with restaurant_id, so that the tables can be distributed by it. */
export class CreateSales1763700005000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The contract's rules are domains, because PostgreSQL reads the constraints of a table anew
      -- for every statement.
      CREATE DOMAIN sales_date AS date CHECK (VALUE BETWEEN '0001-01-01' AND '9999-12-31');
      CREATE DOMAIN hour_of_day AS smallint CHECK (VALUE BETWEEN 0 AND 23);
      -- Bit h stands for hour h.
      CREATE DOMAIN hour_set AS integer CHECK (VALUE BETWEEN 0 AND 16777215);
      CREATE DOMAIN sales_count AS integer CHECK (VALUE >= 0);
      -- NaN and Infinity compare above the limit of an amount.
      CREATE DOMAIN sales_amount AS numeric CHECK (VALUE >= 0 AND VALUE < 100000000000);
      CREATE DOMAIN upload_number AS integer CHECK (VALUE >= 1);
      CREATE DOMAIN record_count AS smallint CHECK (VALUE BETWEEN 1 AND 24);
      -- Uploads of a day queue for its row, whose counter numbers them in the order in which they
      -- took effect. The index alone tells who has not uploaded.
      CREATE TABLE sales_days (
        restaurant_id    integer NOT NULL,
        date             sales_date NOT NULL,
        uploads          upload_number NOT NULL,
        hours            hour_set NOT NULL, -- the hours that were uploaded so far
        hours_before     hour_set NOT NULL DEFAULT 0, -- the same before the latest upload
        last_uploaded_at timestamptz NOT NULL,
        PRIMARY KEY (restaurant_id, date) INCLUDE (hours)
      ) WITH (fillfactor = 80);
      -- The ledger says who sent what, when and from where. Records are kept as sent, an array per
      -- field, and are null if the upload changed nothing; to compress them would cost more than
      -- the 2 kB that it saves.
      CREATE TABLE uploads (
        restaurant_id  integer NOT NULL,
        date           date NOT NULL,
        number         upload_number NOT NULL,
        user_id        integer NOT NULL,
        client_address text NOT NULL,
        uploaded_at    timestamptz NOT NULL,
        processed      record_count NOT NULL,
        changed_hours  hour_set NOT NULL,
        records        json,
        PRIMARY KEY (restaurant_id, date, number)
      ) WITH (toast_tuple_target = 8160);
      ALTER TABLE uploads ALTER COLUMN records SET STORAGE MAIN;
      -- The latest figures of each hour, and which upload wrote them.
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
      ) WITH (fillfactor = 80);
      -- The ledger is append-only, and a day keeps the counter of its uploads.
      CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON uploads
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
      CREATE TRIGGER never_deleted BEFORE DELETE OR TRUNCATE ON sales_days
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`);
    await runner.query(createHistory(FIRST_FIELDS));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${DROP_HISTORY};
      DROP TABLE hourly_sales, uploads, sales_days;
      DROP DOMAIN sales_date, hour_of_day, hour_set, sales_count, sales_amount, upload_number, record_count`);
  }
}
