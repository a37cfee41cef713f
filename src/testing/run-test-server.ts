#!/usr/bin/env node
import { fstatSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { parse } from 'dotenv';
import { createLog } from '../logging/log.js';
import { Shutdown } from '../server/shutdown.js';
import { startTestServer, type TestServerOptions } from './start-test-server.js';

type Options = TestServerOptions & { set: Record<string, string>; port?: string; stdin: boolean };

const program = new Command('sales-test-server')
  .description('Runs the service for end-to-end tests; prints one line of JSON when ready')
  .argument('[fixtures]', 'a JSON file of restaurants, users and uploads, see docs/testing.md')
  .option('--set <NAME=value>', 'a setting of .env.example; may be repeated', addSetting, {})
  .addOption(new Option('--port <number>', 'its port, if not a free one').env('PORT'))
  .option('--now <time>', 'what the clock shows at the start, in ISO 8601')
  .option('--no-stdin', 'go on when a pipe as standard input ends')
  .action(run);

/** Standard input that is a pipe ends with the process that started this one, however it ends. */
function isPipe(descriptor: number): boolean {
  const input = fstatSync(descriptor);
  return input.isFIFO() || input.isSocket();
}

function addSetting(text: string, settings: object): object {
  return { ...settings, ...parse(text) };
}

async function run(
  file: string | undefined,
  { set, port, stdin, ...options }: Options,
): Promise<void> {
  const shutdown = new Shutdown(await createLog({ LOG_LEVEL: 'silent' }));
  shutdown.followParent();
  const content = file === undefined ? '{}' : await readFile(file, 'utf8');
  const fixtures = JSON.parse(content) as TestServerOptions;
  const settings = { ...(port && { PORT: port }), ...set };
  const server = await startTestServer({ ...fixtures, ...options, settings });
  shutdown.add(() => server.stop());
  const { url, controlUrl, databaseUrl } = server;
  const started = { url, controlUrl, databaseUrl, pid: process.pid };
  process.stdout.write(`${JSON.stringify(started)}\n`);
  if (!stdin || !isPipe(0)) return;
  process.stdin.resume().once('end', () => process.kill(process.pid, 'SIGTERM'));
}

await program.parseAsync().catch((error: unknown) => program.error((error as Error).message));
