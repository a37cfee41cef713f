import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { Command } from 'commander';
import { AppModule } from '../app.module.js';
import { loadConfig } from '../config/load-config.js';
import { migrate } from '../database/migrate.js';
import { attachEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.js';
import { loadFixtures } from './load-fixtures.js';
import { readJson } from './read-json.js';

/** Loads a file into the database that the settings name, or else into the embedded one. */
async function run(file: string): Promise<void> {
  const fixtures = await readJson(file);
  const settings = loadConfig('command line');
  const embedded =
    settings.DATABASE_URL === '' ? await attachEmbeddedPostgres(settings.DATA_DIR) : undefined;
  const config = { ...settings, DATABASE_URL: embedded?.url ?? settings.DATABASE_URL };
  try {
    if (embedded) await migrate(config);
    const app = await NestFactory.createApplicationContext(AppModule.forRoot(config), {
      logger: false,
      abortOnError: false,
    });
    await loadFixtures(app, fixtures).finally(() => app.close());
  } finally {
    await embedded?.stop();
  }
}

const program = new Command('npm run --silent fixtures --')
  .description('Loads restaurants, users and uploads for tests; not in production')
  .argument('<file>', 'a JSON file as docs/fixtures.schema.json describes it')
  .action(run);
await program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
});
process.exit();
