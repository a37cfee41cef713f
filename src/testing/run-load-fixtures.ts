import 'reflect-metadata';
import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { loadConfig } from '../config/load-config.js';
import { openApp } from '../server/open-app.js';
import { loadFixtures } from './load-fixtures.js';

const program = new Command('npm run --silent fixtures --')
  .description('Loads restaurants, users and uploads for tests; never in production')
  .argument('<file>', 'a JSON file, see docs/testing.md')
  .action(async (file: string) => {
    const config = loadConfig('command line');
    if (config.NODE_ENV === 'production')
      throw new Error('fixtures are never loaded in production');
    const { app, close } = await openApp({}, config);
    await loadFixtures(app, JSON.parse(await readFile(file, 'utf8'))).finally(close);
  });

await program.parseAsync().catch((error: unknown) => program.error((error as Error).message));
