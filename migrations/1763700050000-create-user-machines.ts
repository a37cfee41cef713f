import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateUserMachines1763700050000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // One row per user, so that the list is replaced as a whole and stays bounded.
    await runner.query(`
      CREATE TABLE user_machines (
        user_id  integer PRIMARY KEY REFERENCES users,
        machines json NOT NULL -- [{"machine": "4012345", "restaurant_id": 101}, ...]
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE user_machines');
  }
}
