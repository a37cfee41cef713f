import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateAuth1763700003000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE tokens (
        jti        uuid PRIMARY KEY,
        user_id    integer NOT NULL REFERENCES users,
        issued_at  timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        revoked_at timestamptz
      );
      CREATE INDEX tokens_live_of_user ON tokens (user_id) WHERE revoked_at IS NULL;
      CREATE INDEX tokens_expiry ON tokens (expires_at);
      -- Each row counts for a user at an address ('user:17 at 192.0.2.1'), a user, or an address.
      -- Its failures include attempts whose password is being compared; ends_at is the end of the
      -- lock, or else of the window.
      CREATE TABLE login_counters (
        key      text PRIMARY KEY CHECK (char_length(key) <= 80),
        failures integer NOT NULL CHECK (failures >= 0),
        locked   boolean NOT NULL,
        ends_at  timestamptz NOT NULL
      ) WITH (fillfactor = 80);
      CREATE INDEX login_counters_end ON login_counters (ends_at);
      CREATE TABLE known_addresses (
        user_id       integer NOT NULL REFERENCES users,
        network       text NOT NULL CHECK (char_length(network) <= 50),
        last_login_at timestamptz NOT NULL,
        PRIMARY KEY (user_id, network)
      );
      CREATE INDEX known_addresses_age ON known_addresses (last_login_at)`);
    // Triggers revoke tokens, so that no crash and no hand-written UPDATE leaves a live one behind.
    // They also forget known addresses: whoever knew the old password may have used one of them.
    await runner.query(`
      CREATE FUNCTION revoke_tokens_of_account() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE tokens SET revoked_at = now() WHERE user_id = NEW.id AND revoked_at IS NULL;
        DELETE FROM known_addresses WHERE user_id = NEW.id;
        RETURN NULL;
      END $$;
      CREATE TRIGGER revoke_tokens AFTER UPDATE OF disabled_at, password_version ON users
        FOR EACH ROW WHEN (NEW.disabled_at IS NOT NULL OR NEW.password_version <> OLD.password_version)
        EXECUTE FUNCTION revoke_tokens_of_account()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER revoke_tokens ON users;
      DROP FUNCTION revoke_tokens_of_account;
      DROP TABLE known_addresses, login_counters, tokens`);
  }
}
