import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whoever knew the old password may have logged in from an address that is known since. */
export class ForgetAddresses1763700040000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await this.replaceFunction(runner, 'DELETE FROM known_addresses WHERE user_id = NEW.id;');
  }

  async down(runner: QueryRunner): Promise<void> {
    await this.replaceFunction(runner, '');
  }

  /** The function of the trigger on users that are disabled or get another password. */
  private async replaceFunction(runner: QueryRunner, statement: string): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION revoke_tokens_of_account() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE tokens SET revoked_at = now() WHERE user_id = NEW.id AND revoked_at IS NULL;
        ${statement}
        RETURN NULL;
      END $$`);
  }
}
