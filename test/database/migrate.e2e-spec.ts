import type { QueryRunner } from 'typeorm';
import { migrations } from '../../migrations/index.js';
import { migrate } from '../../src/database/migrate.js';
import { givenTill } from '../support/given.js';
import { record } from '../support/records.js';
import { createTestApp, testConfig } from '../support/test-app.js';

/** Takes a lock on a table that every upload writes. */
class AddNote9999999999999 {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE hourly_sales ADD COLUMN note text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE hourly_sales DROP COLUMN note');
  }
}

test('A migration that waits for a reader lets uploads pass, and runs once the reader has ended', async () => {
  const service = await createTestApp();
  const till = await givenTill(service);
  const { ownerUrl } = service.database;
  const query = (sql: string) => service.database.query(sql);
  migrations.push(AddNote9999999999999);
  try {
    await query('BEGIN; SELECT FROM hourly_sales');
    let retries = 0;
    const migrating = migrate(testConfig({ DATABASE_URL: ownerUrl }), () => retries++);
    for (let hour = 0; retries < 2; hour = (hour + 1) % 24)
      expect((await service.client.upload(till.token, [record({ hour })])).status).toBe(200);
    await query('COMMIT');
    expect(await migrating).toEqual(['AddNote9999999999999']);
    const note = `SELECT FROM pg_attribute WHERE attname = 'note' AND attrelid = 'hourly_sales'::regclass`;
    expect(await query(note)).toHaveLength(1);
  } finally {
    migrations.pop();
    await service.close();
  }
});
