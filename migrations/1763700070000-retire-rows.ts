import type { MigrationInterface, QueryRunner } from 'typeorm';

const FAILED_LOGIN = `action = 'login' AND outcome IN ('failure', 'refused')`;

/** Lets the owner delete old audit rows and take old months out; the service's role still deletes none. */
export class RetireRows1763700070000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE archived_months (
        month       date PRIMARY KEY CHECK (extract(day FROM month) = 1),
        uploads     integer NOT NULL CHECK (uploads >= 0),
        sha256      text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'), -- of the exported file
        archived_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`
      CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON archived_months
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`);
    await runner.query(`CREATE INDEX audit_log_failed_logins ON audit_log (at) WHERE ${FAILED_LOGIN}`);
    await runner.query('DROP TRIGGER append_only ON audit_log');
    await runner.query(`
      CREATE TRIGGER append_only BEFORE UPDATE OR TRUNCATE ON audit_log
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`);
    const old = FAILED_LOGIN.replace(/(action|outcome)/g, 'OLD.$1');
    await runner.query(`
      CREATE TRIGGER kept_for_a_year BEFORE DELETE ON audit_log FOR EACH ROW
      WHEN (OLD.at > now() - CASE WHEN ${old} THEN interval '1 month' ELSE interval '1 year' END)
      EXECUTE FUNCTION refuse_change()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER kept_for_a_year ON audit_log');
    await runner.query('DROP TRIGGER append_only ON audit_log');
    await runner.query(`
      CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`);
    await runner.query('DROP INDEX audit_log_failed_logins');
    await runner.query('DROP TABLE archived_months');
  }
}
