import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AdminModule } from './admin/admin.module.js';
import { findCommands, type FoundCommand } from './admin/find-commands.js';
import { runCommandLine } from './admin/run-command-line.js';
import type { CommandRun, CliContext } from './admin/run-recorded.js';
import { AppModule } from './app.module.js';
import type { AuditEvent } from './audit/audit-event.js';
import { AuditModule } from './audit/audit.module.js';
import { AuditService } from './audit/audit.service.js';
import { AppConfig } from './config/app-config.js';
import { ConfigModule } from './config/config.module.js';
import { loadConfig } from './config/load-config.js';
import { DatabaseModule } from './database/database.module.js';
import { openEmbeddedPostgres } from './embedded-postgres/embedded-postgres.js';
import { migrate } from './database/migrate.js';
import { missingMigrations } from './database/schema-version.js';

/** Runs one administrator's command, on the database of the running service, and leaves. */
async function main(): Promise<number> {
  const commands = await findCommands(AppModule.of(new AppConfig()));
  return runCommandLine(commands, process.argv.slice(2), process, surroundings());
}

function surroundings(): CliContext {
  let logLevel = '';
  return {
    open: (command) => {
      const config = loadConfig('command line');
      logLevel = config.LOG_LEVEL;
      return open(command, config);
    },
    record: async (app, run) => {
      const recorded = app.get(AuditService, { strict: false }).record(eventOf(run));
      await (run.command.onAnySchema ? recorded.catch(() => undefined) : recorded); // the table may not be there
    },
    showsStacks: () => ['trace', 'debug'].includes(logLevel),
  };
}

/** The database is that of DATABASE_URL, else the embedded one: a running service's, or one started for this command. */
async function open(command: FoundCommand, config: AppConfig): ReturnType<CliContext['open']> {
  const embedded = config.DATABASE_URL === '' ? await openEmbeddedPostgres(config.DATA_DIR) : undefined;
  if (embedded) Object.assign(config, { DATABASE_URL: embedded.url });
  try {
    const missing = await missingMigrations(config);
    if (missing.length > 0 && !command.onAnySchema) {
      if (!embedded || !config.MIGRATE_ON_START) throw new NotMigrated(missing);
      await migrate(config);
    }
    const root = command.onAnySchema ? withoutTables(config) : AppModule.of(config);
    const app = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
    const close = async (): Promise<void> => {
      await app.close();
      await embedded?.stop();
    };
    return { app, close };
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}

/** The application without the features, which may look into their tables as soon as they start. */
function withoutTables(config: AppConfig): ReturnType<typeof AppModule.of> {
  return { module: AppModule, imports: [ConfigModule.of(config), DatabaseModule, AdminModule, AuditModule] };
}

const OUTCOMES = { done: 'success', refused: 'refused', failed: 'failure' } as const;

function eventOf({ operatingSystemUser, command, subject, typed, outcome, reason }: CommandRun): AuditEvent {
  const isRestaurant = command.name.startsWith('restaurant '); // a user may have a number for its name
  return {
    actor: `administrator:${operatingSystemUser}`,
    action: command.name,
    ...(subject === undefined ? {} : { subject: isRestaurant ? `restaurant:${subject}` : subject }),
    outcome: OUTCOMES[outcome],
    details: { typed, ...(reason === undefined ? {} : { reason }) },
  };
}

class NotMigrated extends Error {
  constructor(missing: readonly string[]) {
    super(`the database is not migrated (${missing.join(', ')}): run npm run migration:run`);
  }
}

// Leaving stops a database that was started for this command; the signal itself would leave it behind.
process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));
process.once('SIGHUP', () => process.exit(129));
process.stdout.on('error', () => undefined); // told by the write that failed
main().then(
  (status) => process.exit(status),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
