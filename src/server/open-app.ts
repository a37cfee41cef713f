import { NestFactory } from '@nestjs/core';
import { AdminModule } from '../admin/admin.module.js';
import type { RegisteredCommand } from '../admin/admin-command.decorator.js';
import { AppModule } from '../app.module.js';
import type { Config } from '../config/config.js';
import { ConfigModule } from '../config/config.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { missingMigrations } from '../database/migrate.js';
import { findEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.js';

/** Opens the application for a command, without a port; also beside a service on its own database. */
export async function openApp(command: Pick<RegisteredCommand, 'onAnySchema'>, settings: Config) {
  const { DATA_DIR } = settings;
  const DATABASE_URL = settings.DATABASE_URL || (await findEmbeddedPostgres(DATA_DIR));
  if (DATABASE_URL === undefined)
    throw new Error(
      `DATABASE_URL is not set and no service runs with ${DATA_DIR}: ` +
        "set DATABASE_URL to the service's database, or start the service first",
    );
  const config = { ...settings, DATABASE_URL };
  const missing = command.onAnySchema ? [] : await missingMigrations(config);
  if (missing.length > 0)
    throw new Error(
      `the database is not migrated (${missing.join(', ')}): run the command "migration run"`,
    );
  // Features may read their tables when they start, which an unmigrated database lacks.
  const bare = [ConfigModule.forRoot(config), DatabaseModule];
  const app = await NestFactory.createApplicationContext(
    command.onAnySchema ? { module: AdminModule, imports: bare } : AppModule.forRoot(config),
    { logger: false, abortOnError: false },
  );
  return { app, close: () => app.close() };
}
