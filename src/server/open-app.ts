import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { CommandDescription } from '../admin/admin-command.decorator.js';
import { AdminModule } from '../admin/admin.module.js';
import { AppModule } from '../app.module.js';
import { AuditModule } from '../audit/audit.module.js';
import type { Config } from '../config/config.js';
import { ConfigModule } from '../config/config.module.js';
import { readOnly } from '../database/connections.js';
import { DatabaseModule } from '../database/database.module.js';
import { migrate, missingMigrations } from '../database/migrate.js';
import {
  attachEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../embedded-postgres/embedded-postgres.js';

export interface OpenApp {
  readonly app: INestApplicationContext;
  readonly close: () => Promise<void>;
}

/** Opens the application for a command, without a port; `embedded` may create the database. */
export async function openApp(
  command: Pick<CommandDescription, 'readOnly' | 'onAnySchema'>,
  settings: Config,
  embedded: boolean,
): Promise<OpenApp> {
  const postgres = await openEmbedded(settings, embedded);
  const config = postgres ? { ...settings, DATABASE_URL: postgres.url } : settings;
  try {
    const missing = await missingMigrations(config);
    if (missing.length > 0 && !command.onAnySchema) {
      if (!postgres || !config.MIGRATE_ON_START)
        throw new Error(
          `the database is not migrated (${missing.join(', ')}): run npm run migration:run`,
        );
      await migrate(config);
    }
    const settled = command.readOnly ? readOnly(config) : config;
    const root = command.onAnySchema ? withoutFeatures(settled) : AppModule.forRoot(settled);
    const app = await NestFactory.createApplicationContext(root, {
      logger: false,
      abortOnError: false,
    });
    const close = async (): Promise<void> => {
      await app.close();
      await postgres?.stop();
    };
    return { app, close };
  } catch (error) {
    await postgres?.stop();
    throw error;
  }
}

/** Opens the embedded database. Only --embedded creates one: DATABASE_URL may be forgotten. */
async function openEmbedded(
  { DATABASE_URL, DATA_DIR }: Config,
  embedded: boolean,
): Promise<EmbeddedPostgres | undefined> {
  if (DATABASE_URL !== '' && embedded)
    throw new Error('--embedded contradicts DATABASE_URL: unset one of them');
  if (DATABASE_URL !== '') return undefined;
  if (!embedded && !existsSync(join(DATA_DIR, 'postgres'))) {
    throw new Error(
      `DATABASE_URL is not set and ${DATA_DIR} holds no embedded database: ` +
        "set DATABASE_URL to the service's database, or give --embedded to create one there",
    );
  }
  return attachEmbeddedPostgres(DATA_DIR);
}

/** Features may read their tables when they start. */
function withoutFeatures(config: Config): ReturnType<typeof AppModule.forRoot> {
  return {
    module: AdminModule,
    imports: [ConfigModule.forRoot(config), DatabaseModule, AuditModule],
  };
}
