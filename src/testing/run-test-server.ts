import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Command } from 'commander';
import { parse } from 'dotenv';
import { createLog } from '../logging/log.js';
import { Shutdown } from '../server/shutdown.js';
import { startTestServer, type TestServer, type TestServerOptions } from './start-test-server.js';

type Options = TestServerOptions & { set: Record<string, string>; stdin?: true };

const INSTRUCTIONS = ['token', 'admin', 'load', 'setClock'] as const;

const program = new Command('npm run --silent test-server --')
  .description('Runs the service for end-to-end tests; prints one line of JSON when ready')
  .argument('[fixtures]', 'a JSON file of restaurants, users and uploads, see docs/testing.md')
  .option('--set <NAME=value>', 'a setting of .env.example; may be repeated', addSetting, {})
  .option('--now <time>', 'what the clock shows at the start, in ISO 8601')
  .option('--stdin', 'read commands from standard input, one JSON object a line, and end with it')
  .action(run);

function addSetting(text: string, settings: object): object {
  return { ...settings, ...parse(text) };
}

async function run(file: string | undefined, { set, stdin, ...options }: Options): Promise<void> {
  const shutdown = new Shutdown(await createLog({ LOG_LEVEL: 'silent' }));
  shutdown.followParent();
  const content = file === undefined ? '{}' : await readFile(file, 'utf8');
  const fixtures = JSON.parse(content) as TestServerOptions;
  const server = await startTestServer({ ...fixtures, ...options, settings: set });
  shutdown.add(() => server.stop());
  print({ url: server.url, databaseUrl: server.databaseUrl, pid: process.pid });
  if (!stdin) return;
  for await (const line of createInterface(process.stdin)) print(await follow(server, line));
  process.kill(process.pid, 'SIGTERM');
}

/** Calls the method of the server that a line names. */
async function follow(server: TestServer, line: string): Promise<object> {
  try {
    const instruction = JSON.parse(line) as Record<string, never>;
    const name = INSTRUCTIONS.find((each) => each in instruction);
    if (!name) throw new Error(`give one of ${INSTRUCTIONS.join(', ')}`);
    const result = await server[name](instruction[name]!);
    return typeof result === 'string' ? { token: result } : (result ?? instruction);
  } catch (error) {
    return { error: (error as Error).message };
  }
}

function print(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

await program.parseAsync().catch((error: unknown) => program.error((error as Error).message));
