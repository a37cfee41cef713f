import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { AdminModule } from './admin/admin.module.js';
import { findCommands, type FoundCommand } from './admin/find-commands.js';
import { runCommandLine, type CliContext } from './admin/run-command-line.js';
import { AppModule } from './app.module.js';
import { AuditModule } from './audit/audit.module.js';
import { configWith, type Config } from './config/config.js';
import { ConfigModule } from './config/config.module.js';
import { loadConfig } from './config/load-config.js';
import { readOnly } from './database/connections.js';
import { DatabaseModule } from './database/database.module.js';
import { migrate, missingMigrations } from './database/migrate.js';
import {
  attachEmbeddedPostgres,
  type EmbeddedPostgres,
} from './embedded-postgres/embedded-postgres.js';
import { recordCommand } from './server/record-command.js';

async function main(): Promise<number> {
  const commands = await findCommands(AppModule.forRoot(configWith()));
  return runCommandLine(commands, process.argv.slice(2), process, createContext());
}

function createContext(): CliContext {
  let logLevel = '';
  return {
    open: (command, embedded) => {
      const config = loadConfig('command line');
      logLevel = config.LOG_LEVEL;
      return openApp(command, config, embedded);
    },
    record: recordCommand,
    showsStacks: () => ['trace', 'debug'].includes(logLevel),
  };
}

async function openApp(
  command: FoundCommand,
  settings: Config,
  embedded: boolean,
): ReturnType<CliContext['open']> {
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

/** A missing DATABASE_URL may be a mistake: only --embedded creates a database. */
async function openEmbedded(
  config: Config,
  embedded: boolean,
): Promise<EmbeddedPostgres | undefined> {
  const { DATABASE_URL, DATA_DIR } = config;
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

// process.exit() also stops a database that was started for this command.
process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));
process.once('SIGHUP', () => process.exit(129));
process.stdout.on('error', () => undefined); // the failed write reports it
main().then(
  (status) => process.exit(status),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
