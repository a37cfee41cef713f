import type { Config } from '../config/config.js';
import type { DatabaseConfig } from '../config/database.config.js';
import { startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.js';
import { migrate, waitForDatabase } from '../database/migrate.js';
import type { Log } from '../logging/log.js';
import type { Shutdown } from './shutdown.js';

/** Matches lines of PostgreSQL's log that may hold values of rows. */
const LINE_WITH_VALUES = /^(DETAIL|CONTEXT|STATEMENT|QUERY):|^\t/;

/** Waits for the database, or starts the embedded one, and migrates it; returns its URL. */
export async function prepareDatabase(
  settings: Config,
  log: Log,
  shutdown: Shutdown,
): Promise<string> {
  const DATABASE_URL = settings.DATABASE_URL || (await startEmbedded(settings, log, shutdown));
  const config = { ...settings, DATABASE_URL };
  const missing = await waitForDatabase(config, (reason) => {
    log.warn(`${reason}: waiting for it, ${config.DATABASE_WAIT_SECONDS} seconds at most`);
  });
  if (missing.length > 0 && config.MIGRATE_ON_START) {
    const run = await migrate(config);
    log.info({ migrations: run }, `ran ${run.length} pending migrations`);
  }
  return DATABASE_URL;
}

async function startEmbedded(
  { DATA_DIR }: DatabaseConfig,
  log: Log,
  shutdown: Shutdown,
): Promise<string> {
  const postgres = await startEmbeddedPostgres(DATA_DIR, { onLine: (line) => logLine(log, line) });
  shutdown.add(() => postgres.stop());
  return postgres.url;
}

function logLine(log: Log, line: string): void {
  if (LINE_WITH_VALUES.test(line)) return;
  log[/^(ERROR|FATAL|PANIC|WARNING):|unexpectedly/.test(line) ? 'warn' : 'debug'](
    `PostgreSQL: ${line}`,
  );
}
