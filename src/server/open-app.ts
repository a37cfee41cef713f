import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { AdminModule } from '../admin/admin.module.js';
import type { RegisteredCommand } from '../admin/admin-command.decorator.js';
import { AppModule } from '../app.module.js';
import type { Config } from '../config/config.js';
import { ConfigModule } from '../config/config.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { migrate, missingMigrations } from '../database/migrate.js';
import {
  findEmbeddedPostgres,
  openEmbeddedPostgres,
} from '../embedded-postgres/embedded-postgres.js';

/** What a command waits in place of RESPONSE_TIMEOUT_MS: half a minute of it for a connection. */
const COMMAND_TIMEOUT_MS = 200_000;

/** Opens the application for a command, without a port; `embedded` allows a new database. */
export async function openApp(
  command: Pick<RegisteredCommand, 'onAnySchema'>,
  settings: Config,
  embedded = false,
) {
  const { url: DATABASE_URL, stop } = await openDatabase(settings, embedded);
  try {
    const RESPONSE_TIMEOUT_MS = Math.max(settings.RESPONSE_TIMEOUT_MS, COMMAND_TIMEOUT_MS);
    const config = { ...settings, DATABASE_URL, RESPONSE_TIMEOUT_MS };
    const missing = command.onAnySchema ? [] : await missingMigrations(config);
    const mayMigrate = settings.DATABASE_URL === '' && config.MIGRATE_ON_START;
    if (missing.length > 0 && !mayMigrate)
      throw new Error(
        `the database is not migrated (${missing.join(', ')}): run the command "migration run"`,
      );
    if (missing.length > 0) await migrate(config);
    // Features may read their tables when they start, which an unmigrated database lacks.
    const bare = [ConfigModule.forRoot(config), DatabaseModule];
    const app = await NestFactory.createApplicationContext(
      command.onAnySchema ? { module: AdminModule, imports: bare } : AppModule.forRoot(config),
      { logger: false, abortOnError: false },
    );
    return { app, close: () => app.close().then(stop) };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Opens the database; only `embedded` creates one, as DATABASE_URL may have been forgotten. */
async function openDatabase({ DATABASE_URL, DATA_DIR }: Config, embedded: boolean) {
  if (DATABASE_URL !== '' && embedded)
    throw new Error('--embedded contradicts DATABASE_URL: unset one of them');
  const url = DATABASE_URL || (await findEmbeddedPostgres(DATA_DIR));
  if (url !== undefined) return { url, stop: () => Promise.resolve() };
  if (!embedded && !existsSync(join(DATA_DIR, 'postgres')))
    throw new Error(
      `DATABASE_URL is not set and ${DATA_DIR} holds no embedded database: ` +
        "set DATABASE_URL to the service's database, or give --embedded to create one there",
    );
  return openEmbeddedPostgres(DATA_DIR, { role: 'command' });
}
