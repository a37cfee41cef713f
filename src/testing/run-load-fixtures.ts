import 'reflect-metadata';
import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { EMBEDDED_OPTION } from '../admin/run-command-line.js';
import { loadConfig } from '../config/load-config.js';
import { openApp } from '../server/open-app.js';
import { loadFixtures } from './load-fixtures.js';

const program = new Command('npm run --silent fixtures --')
  .description('Loads restaurants, users and uploads for tests; not in production')
  .argument('<file>', 'a JSON file as docs/fixtures.schema.json describes it')
  .addOption(EMBEDDED_OPTION)
  .action(async (file: string, { embedded = false }: { embedded?: boolean }) => {
    const fixtures: unknown = JSON.parse(await readFile(file, 'utf8'));
    const { app, close } = await openApp({}, loadConfig('command line'), embedded);
    await loadFixtures(app, fixtures).finally(close);
  });
await program.parseAsync().catch((error: unknown) => program.error((error as Error).message));
process.exit();
