import type { AppConfig } from '../config/app-config.js';
import { startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.js';
import { migrate } from '../database/migrate.js';
import { waitForDatabase } from '../database/schema-version.js';
import type { Log } from '../logging/log.js';
import type { Shutdown } from './shutdown.js';

/** PostgreSQL's log quotes values in these lines, which the service's log must not hold. */
const QUOTING = /^(DETAIL|CONTEXT|STATEMENT|QUERY):|^\t/;

/** The settings with a database that can be reached and is migrated; an embedded one where no other is configured. */
export async function prepareDatabase(
  config: AppConfig,
  log: Log,
  shutdown: Shutdown,
): Promise<{ config: AppConfig; embedded: boolean }> {
  const embedded = config.DATABASE_URL === '';
  if (embedded) {
    const postgres = await startEmbeddedPostgres(config.DATA_DIR, { onLine: (line) => logLine(log, line) });
    shutdown.add(() => postgres.stop());
    config = Object.assign(config, { DATABASE_URL: postgres.url });
  }
  const missing = await waitForDatabase(config, (reason) => {
    log.warn(`${reason}: waiting for it, ${config.DATABASE_WAIT_SECONDS} seconds at most`);
  });
  if (missing.length > 0 && config.MIGRATE_ON_START) {
    const run = await migrate(config);
    log.info({ migrations: run }, `migrated the database: ${run.length} of its changes were new`);
  }
  return { config, embedded };
}

function logLine(log: Log, line: string): void {
  if (QUOTING.test(line)) return;
  log[/^(ERROR|FATAL|PANIC|WARNING):|unexpectedly|left behind/.test(line) ? 'warn' : 'debug'](`PostgreSQL: ${line}`);
}
