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
import { openEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.js';

/** Opens the application for a command, without a port; `embedded` allows a new database. */
export async function openApp(
  command: Pick<RegisteredCommand, 'onAnySchema'>,
  settings: Config,
  embedded: boolean,
) {
  const postgres = await openEmbedded(settings, embedded);
  const stop = async (): Promise<void> => postgres?.stop();
  try {
    const config = postgres ? { ...settings, DATABASE_URL: postgres.url } : settings;
    const missing = await missingMigrations(config);
    if (missing.length > 0 && !command.onAnySchema) {
      if (!postgres || !config.MIGRATE_ON_START)
        throw new Error(
          `the database is not migrated (${missing.join(', ')}): run the command "migration run"`,
        );
      await migrate(config);
    }
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

/** Opens the embedded database. Only --embedded creates one: DATABASE_URL may be forgotten. */
async function openEmbedded({ DATABASE_URL, DATA_DIR }: Config, embedded: boolean) {
  if (DATABASE_URL !== '' && embedded)
    throw new Error('--embedded contradicts DATABASE_URL: unset one of them');
  if (DATABASE_URL !== '') return undefined;
  if (!embedded && !existsSync(join(DATA_DIR, 'postgres'))) {
    throw new Error(
      `DATABASE_URL is not set and ${DATA_DIR} holds no embedded database: ` +
        "set DATABASE_URL to the service's database, or give --embedded to create one there",
    );
  }
  return openEmbeddedPostgres('command', DATA_DIR);
}
