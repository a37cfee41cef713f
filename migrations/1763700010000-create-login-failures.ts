import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateLoginFailures1763700010000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // One row a counter: a subject at a network, a subject ('' as network), a network ('' as subject).
    await runner.query(`
      CREATE TABLE login_failures (
        subject          text NOT NULL CHECK (char_length(subject) <= 80),
        network          text NOT NULL CHECK (char_length(network) <= 50),
        failed_at        timestamptz[] NOT NULL DEFAULT '{}', -- oldest first; emptied when the lock falls
        locked_until     timestamptz,
        refusal_recorded boolean NOT NULL DEFAULT false,      -- of this lock, in the audit log
        under_way        integer NOT NULL DEFAULT 0 CHECK (under_way >= 0),
        under_way_until  timestamptz,                         -- an instance that died gives nothing back
        expires_at       timestamptz NOT NULL,
        PRIMARY KEY (subject, network)
      ) WITH (fillfactor = 80)`);
    await runner.query('CREATE INDEX login_failures_expiry ON login_failures (expires_at)');
    await runner.query(`
      CREATE TABLE known_addresses (
        user_id       integer NOT NULL REFERENCES users,
        network       text NOT NULL CHECK (char_length(network) <= 50),
        last_login_at timestamptz NOT NULL, -- to the day
        PRIMARY KEY (user_id, network)
      )`);
    await runner.query('CREATE INDEX known_addresses_age ON known_addresses (last_login_at)');
    await this.letTokensFollowTheAccount(runner);
  }

  /** In the database, so that no order of events, no crash and no hand-written UPDATE leaves a live token behind. */
  private async letTokensFollowTheAccount(runner: QueryRunner): Promise<void> {
    // Counts the passwords that were set; a renewed hash of the same password is the same version.
    await runner.query('ALTER TABLE users ADD COLUMN password_version integer NOT NULL DEFAULT 1');
    await runner.query('CREATE INDEX users_hash_cost ON users (substr(password_hash, 5, 2))');
    await runner.query(`
      CREATE FUNCTION revoke_tokens_of_account() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE tokens SET revoked_at = now() WHERE user_id = NEW.id AND revoked_at IS NULL;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER revoke_tokens AFTER UPDATE OF disabled_at, password_version ON users
      FOR EACH ROW WHEN (NEW.disabled_at IS NOT NULL OR NEW.password_version <> OLD.password_version)
      EXECUTE FUNCTION revoke_tokens_of_account()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER revoke_tokens ON users');
    await runner.query('DROP FUNCTION revoke_tokens_of_account');
    await runner.query('DROP INDEX users_hash_cost');
    await runner.query('ALTER TABLE users DROP COLUMN password_version');
    await runner.query('DROP TABLE known_addresses');
    await runner.query('DROP TABLE login_failures');
  }
}
