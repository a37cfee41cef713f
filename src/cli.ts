import 'reflect-metadata';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { findCommands, type FoundCommand } from './admin/find-commands.js';
import { runCommandLine } from './admin/run-command-line.js';
import { AppModule } from './app.module.js';
import { AppConfig } from './config/app-config.js';
import { loadConfig } from './config/load-config.js';
import { openEmbeddedPostgres } from './database/embedded-postgres.js';
import { migrate } from './database/migrate.js';
import { ServiceError } from './http/service-error.js';

/** Runs one administrator's command, on the database of the running service, and leaves. */
async function main(): Promise<number> {
  const commands = await findCommands(AppModule.of(new AppConfig()));
  return runCommandLine(commands, process.argv.slice(2), process, {
    open,
    isRefusal: (error) => error instanceof ServiceError,
    record: () => Promise.resolve(),
  });
}

async function open(command: FoundCommand): Promise<{ app: INestApplicationContext; close(): Promise<void> }> {
  const config = loadConfig();
  const embedded = config.DATABASE_URL === '' ? await openEmbeddedPostgres(config.DATA_DIR) : undefined;
  if (embedded) Object.assign(config, { DATABASE_URL: embedded.url });
  if (embedded && config.MIGRATE_ON_START && !command.onAnySchema) await migrate(config);
  const app = await NestFactory.createApplicationContext(AppModule.of(config), { logger: false, abortOnError: false });
  const close = async (): Promise<void> => {
    await app.close();
    await embedded?.stop();
  };
  return { app, close };
}

void main().then((status) => process.exit(status));
