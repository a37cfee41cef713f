import type { Config } from '../config/config.js';
import { migrate, waitForDatabase } from '../database/migrate.js';
import { openEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.js';
import type { Log } from '../logging/log.js';
import type { Shutdown } from './shutdown.js';

/** Waits for the database, or starts the embedded one, and migrates it; returns its URL. */
export async function prepareDatabase(
  settings: Config,
  log: Log,
  shutdown: Shutdown,
): Promise<string> {
  let { DATABASE_URL } = settings;
  if (DATABASE_URL === '') {
    log.info(`starting PostgreSQL in ${settings.DATA_DIR}`);
    const postgres = await openEmbeddedPostgres(settings.DATA_DIR, {
      // Other lines than these may hold values of rows.
      onLine: (line) => {
        // A stop ends its sessions, of which each says FATAL.
        if (/^(ERROR|FATAL|PANIC|WARNING)/.test(line) && !shutdown.hasBegun)
          log.warn(`PostgreSQL: ${line}`);
      },
    });
    shutdown.add(() => postgres.stop());
    DATABASE_URL = postgres.url;
  }
  const config = { ...settings, DATABASE_URL };
  const missing = await waitForDatabase(config, (reason) => {
    log.warn(`${reason}: waiting for it, ${config.DATABASE_WAIT_SECONDS} seconds at most`);
  });
  if (missing.length > 0 && config.MIGRATE_ON_START) {
    const onRetry = () => log.warn('the migrations wait for a lock on a table: trying again');
    const run = await migrate(config, onRetry);
    log.info({ migrations: run }, `ran ${run.length} pending migrations`);
  }
  return DATABASE_URL;
}
