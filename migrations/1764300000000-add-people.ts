import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddPeople1764300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- password_must_change: an administrator has set it, and nobody else should know it for long.
      ALTER TABLE users
        ADD COLUMN kind text NOT NULL DEFAULT 'till' CHECK (kind IN ('till', 'person')),
        ADD COLUMN password_must_change boolean NOT NULL DEFAULT false,
        ADD COLUMN password_changed_at timestamptz;
      -- Where a session began; unknown for tokens of earlier releases.
      ALTER TABLE tokens ADD COLUMN client_address text;
      DROP INDEX tokens_live_of_user;
      CREATE INDEX tokens_live_of_user ON tokens (user_id, issued_at) WHERE revoked_at IS NULL;
      -- The authenticator app of a person. Its secret is encrypted by SECOND_FACTOR_KEY. last_step
      -- is the latest step of 30 seconds whose code was used: each is good once.
      CREATE TABLE second_factors (
        user_id      integer PRIMARY KEY REFERENCES users,
        secret       bytea NOT NULL,
        confirmed_at timestamptz,
        last_step    integer NOT NULL DEFAULT 0
      );
      -- SHA-256 of the codes that a person uses without the app, each once.
      CREATE TABLE recovery_codes (
        user_id integer NOT NULL REFERENCES users,
        hash    bytea NOT NULL,
        PRIMARY KEY (user_id, hash)
      );
      -- The account of a person at the company's OpenID Connect provider. An administrator links it
      -- by what the claim of COMPANY_LOGIN_CLAIM says; the first sign-in binds it to the subject,
      -- which stays where a name or an address is given to somebody else.
      CREATE TABLE company_accounts (
        user_id   integer PRIMARY KEY REFERENCES users,
        issuer    text NOT NULL CHECK (char_length(issuer) BETWEEN 1 AND 500),
        account   text NOT NULL CHECK (char_length(account) BETWEEN 1 AND 320),
        subject   text CHECK (char_length(subject) BETWEEN 1 AND 255),
        linked_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (issuer, account),
        UNIQUE (issuer, subject)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE company_accounts, recovery_codes, second_factors;
      DROP INDEX tokens_live_of_user;
      CREATE INDEX tokens_live_of_user ON tokens (user_id) WHERE revoked_at IS NULL;
      ALTER TABLE tokens DROP COLUMN client_address;
      ALTER TABLE users DROP COLUMN kind, DROP COLUMN password_must_change,
        DROP COLUMN password_changed_at`);
  }
}
