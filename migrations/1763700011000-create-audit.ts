import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateAudit1763700011000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // No foreign key: what happened is kept whatever becomes of those it happened to.
    await runner.query(`
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
      )`);
    await runner.query('CREATE INDEX audit_log_actor ON audit_log (actor, at)');
    await runner.query('CREATE INDEX audit_log_subject ON audit_log (subject, at) WHERE subject IS NOT NULL');
    await runner.query(`
      CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit_log');
  }
}
