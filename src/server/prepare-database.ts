import type { AppConfig } from '../config/app-config.js';
import { startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.js';
import { migrate } from '../database/migrate.js';
import { waitForDatabase } from '../database/schema-version.js';
import type { Log } from '../logging/log.js';
import type { Shutdown } from './shutdown.js';

/** These lines of PostgreSQL's log may hold values of rows. */
const LINE_WITH_VALUES = /^(DETAIL|CONTEXT|STATEMENT|QUERY):|^\t/;

/** Waits for the database, and runs pending migrations. Without DATABASE_URL, starts the embedded one and sets it. */
export async function prepareDatabase(config: AppConfig, log: Log, shutdown: Shutdown): Promise<void> {
  if (config.DATABASE_URL === '') {
    const postgres = await startEmbeddedPostgres(config.DATA_DIR, { onLine: (line) => logLine(log, line) });
    shutdown.add(() => postgres.stop());
    Object.assign(config, { DATABASE_URL: postgres.url });
  }
  const missing = await waitForDatabase(config, (reason) => {
    log.warn(`${reason}: waiting for it, ${config.DATABASE_WAIT_SECONDS} seconds at most`);
  });
  if (missing.length > 0 && config.MIGRATE_ON_START) {
    const run = await migrate(config);
    log.info({ migrations: run }, `ran ${run.length} pending migrations`);
  }
}

function logLine(log: Log, line: string): void {
  if (LINE_WITH_VALUES.test(line)) return;
  log[/^(ERROR|FATAL|PANIC|WARNING):|unexpectedly/.test(line) ? 'warn' : 'debug'](`PostgreSQL: ${line}`);
}
