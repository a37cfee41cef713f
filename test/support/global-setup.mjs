import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { AppConfig } from '../../dist/src/config/app-config.js';
import { startEmbeddedPostgres } from '../../dist/src/embedded-postgres/embedded-postgres.js';
import { migrate } from '../../dist/src/database/migrate.js';

/** One PostgreSQL for the whole run, with a migrated database that every test file clones. */
export default async function setUp() {
  const dataDir = await mkdtemp(join(tmpdir(), 'sales-upload-test-'));
  // Nothing here outlives the run, so nothing needs to reach the disk.
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' };
  const postgres = await startEmbeddedPostgres(dataDir, { settings });
  globalThis.testPostgres = { dataDir, postgres };
  const admin = new pg.Client(postgres.url);
  await admin.connect();
  await admin.query('CREATE DATABASE template_migrated');
  await admin.end();
  const template = new URL(postgres.url);
  template.pathname = '/template_migrated';
  await migrate(Object.assign(new AppConfig(), { DATABASE_URL: template.href }));
  process.env.TEST_POSTGRES_URL = postgres.url;
}
