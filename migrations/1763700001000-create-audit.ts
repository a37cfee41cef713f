import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateAudit1763700001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- It has no foreign keys, so that events are kept whatever becomes of their users.
      CREATE TABLE audit_log (
        at             timestamptz NOT NULL DEFAULT clock_timestamp(),
        id             bigint GENERATED ALWAYS AS IDENTITY,
        actor          text NOT NULL,
        action         text NOT NULL,
        subject        text,
        client_address text,
        outcome        text NOT NULL,
        details        jsonb NOT NULL DEFAULT '{}',
        PRIMARY KEY (at, id)
      );
      CREATE INDEX audit_log_actor ON audit_log (actor, at);
      CREATE INDEX audit_log_subject ON audit_log (subject, at) WHERE subject IS NOT NULL;
      CREATE INDEX audit_log_failed_logins ON audit_log (at)
        WHERE action = 'login' AND outcome IN ('failure', 'refused');
      CREATE TRIGGER append_only BEFORE UPDATE OR TRUNCATE ON audit_log
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
      -- The owner may delete failed logins after a month, and all else after a year; the service's
      -- role may delete nothing.
      CREATE TRIGGER kept_for_a_year BEFORE DELETE ON audit_log FOR EACH ROW
        WHEN (OLD.at > now() - CASE WHEN OLD.action = 'login' AND OLD.outcome IN ('failure', 'refused')
          THEN interval '1 month' ELSE interval '1 year' END)
        EXECUTE FUNCTION refuse_change()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit_log');
  }
}
