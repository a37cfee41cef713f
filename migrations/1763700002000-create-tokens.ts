import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateTokens1763700002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE tokens (
        jti        uuid PRIMARY KEY,
        user_id    integer NOT NULL REFERENCES users,
        issued_at  timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        revoked_at timestamptz
      )`);
    await runner.query('CREATE INDEX tokens_live_of_user ON tokens (user_id) WHERE revoked_at IS NULL');
    await runner.query('CREATE INDEX tokens_expiry ON tokens (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE tokens');
  }
}
