import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { AppConfig } from './config/app-config.js';
import { loadConfig } from './config/load-config.js';
import { withSecret } from './config/generated-secret.js';
import { createApp } from './configure-app.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './database/embedded-postgres.js';
import { migrate } from './database/migrate.js';
import { addDemoData, demoCommands } from './demo.js';

/** Starts the HTTP server, and the embedded database where no other is configured. */
async function main(): Promise<void> {
  const config = withSecret(loadConfig());
  const embedded = config.DATABASE_URL === '' ? await startEmbeddedPostgres(config.DATA_DIR) : undefined;
  try {
    const app = await start(embedded ? Object.assign(config, { DATABASE_URL: embedded.url }) : config, embedded);
    stopOnSignals(app, embedded);
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}

async function start(config: AppConfig, embedded: EmbeddedPostgres | undefined): Promise<NestExpressApplication> {
  if (config.MIGRATE_ON_START) await migrate(config);
  const app = await createApp(config);
  if (embedded) await addDemoData(app);
  await app.listen(config.PORT, config.HOST);
  const { port } = app.getHttpServer().address() as AddressInfo;
  const host = config.HOST === '0.0.0.0' || config.HOST === '::' ? '127.0.0.1' : config.HOST;
  const baseUrl = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  process.stdout.write(`listening on ${baseUrl}\n${embedded ? `${demoCommands(baseUrl)}\n` : ''}`);
  return app;
}

function stopOnSignals(app: NestExpressApplication, embedded: EmbeddedPostgres | undefined): void {
  const stop = async (): Promise<void> => {
    await app.close();
    await embedded?.stop();
    process.exit(0);
  };
  process.once('SIGINT', () => void stop()).once('SIGTERM', () => void stop());
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
