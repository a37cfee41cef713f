import type { MigrationInterface, QueryRunner } from 'typeorm';
import { CreateSalesHistory1763700020000 } from './1763700020000-create-sales-history.js';

const DOMAINS = {
  sales_amount: 'numeric CHECK (VALUE >= 0 AND VALUE < 100000000000)',
  sales_count: 'integer CHECK (VALUE >= 0)',
  hour_of_day: 'smallint CHECK (VALUE BETWEEN 0 AND 23)',
  hour_set: 'integer CHECK (VALUE BETWEEN 0 AND 16777215)',
  upload_number: 'integer CHECK (VALUE >= 1)',
};
const AMOUNTS = ['gto', 'gst', 'svc', 'discount', 'cash', 'nets', 'visa', 'master', 'amex', 'voucher', 'other'];
const TYPES = {
  sales_days: { uploads: 'upload_number', hours: 'hour_set' },
  hourly_sales: {
    hour: 'hour_of_day',
    ...Object.fromEntries(AMOUNTS.map((name) => [name, 'sales_amount'])),
    ...{ orders: 'sales_count', pax: 'sales_count', upload_number: 'upload_number' },
  },
  uploads: { number: 'upload_number', changed_hours: 'hour_set' },
};

/** Gives tables that were created before 1.0.0 the columns and constraints of new ones; writes them anew, once. */
export class AlignTables1763700080000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const [{ aligned }] = (await runner.query(`
      SELECT count(*) = 1 AS aligned FROM pg_attribute
      WHERE attrelid = 'sales_days'::regclass AND attname = 'hours_before'`)) as [{ aligned: boolean }];
    if (aligned) return;
    const history = new CreateSalesHistory1763700020000();
    await runner.query('LOCK TABLE sales_days, hourly_sales, uploads IN ACCESS EXCLUSIVE MODE');
    await history.down(runner);
    await runner.query('ALTER TABLE uploads DROP CONSTRAINT IF EXISTS uploads_restaurant_id_date_fkey');
    await this.useDomains(runner);
    await history.up(runner);
    await runner.query(`
      ALTER TABLE sales_days
        ADD COLUMN hours_before hour_set NOT NULL DEFAULT 0,
        DROP CONSTRAINT sales_days_pkey,
        ADD PRIMARY KEY (restaurant_id, date) INCLUDE (hours)`);
    await runner.query(`
      CREATE TRIGGER never_deleted BEFORE DELETE OR TRUNCATE ON sales_days
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`);
    await runner.query(`
      CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'rows of % are kept: % is refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
      END $$`);
    await runner.query(`
      ALTER TABLE login_failures
        DROP CONSTRAINT login_failures_subject_check,
        ADD CONSTRAINT login_failures_subject_check CHECK (char_length(subject) <= 80)`);
  }

  private async useDomains(runner: QueryRunner): Promise<void> {
    const [{ exist }] = (await runner.query(`SELECT to_regtype('sales_amount') IS NOT NULL AS exist`)) as [
      { exist: boolean },
    ];
    if (exist) return;
    for (const [name, type] of Object.entries(DOMAINS)) await runner.query(`CREATE DOMAIN ${name} AS ${type}`);
    for (const [table, columns] of Object.entries(TYPES)) {
      const changes = Object.entries(columns).map(
        ([name, domain]) => `DROP CONSTRAINT IF EXISTS ${table}_${name}_check, ALTER ${name} TYPE ${domain}`,
      );
      await runner.query(`ALTER TABLE ${table} ${changes.join(', ')}`);
    }
  }

  /** New tables have what it added. */
  async down(): Promise<void> {}
}
