import { createInterface } from 'node:readline';
import { Command } from 'commander';
import { createLog } from '../logging/log.js';
import { Shutdown } from '../server/shutdown.js';
import { readJson } from './read-json.js';
import {
  startTestServer,
  type Fixtures,
  type TestServer,
  type TestServerOptions,
} from './start-test-server.js';

interface Options {
  readonly port: string;
  readonly set: Readonly<Record<string, string>>;
  readonly now?: string;
  readonly stdin?: true;
}

const program = new Command('npm run --silent test-server --')
  .description(
    'Runs the service for end-to-end tests on a database of its own; prints one line of JSON when ready',
  )
  .argument('[fixtures]', 'a JSON file of restaurants, users and uploads, see docs/testing.md')
  .option('--port <port>', 'TCP port; 0 takes a free one', '0')
  .option('--set <NAME=value>', 'a setting of .env.example; may be repeated', addSetting, {})
  .option('--now <time>', 'what the clock shows at the start, in ISO 8601')
  .option('--stdin', 'read commands from standard input, one JSON object a line, and end with it');

function addSetting(text: string, settings: Record<string, string>): Record<string, string> {
  const [name = '', ...value] = text.split('=');
  return { ...settings, [name]: value.join('=') };
}

async function run(
  fixtures: string | undefined,
  { port, set, now, stdin }: Options,
): Promise<void> {
  const shutdown = new Shutdown(await createLog({ LOG_LEVEL: 'silent' }));
  shutdown.followParent();
  const content =
    fixtures === undefined ? {} : ((await readJson(fixtures)) as Partial<TestServerOptions>);
  const settings = { PORT: port, ...set };
  const server = await startTestServer({
    ...content,
    settings,
    ...(now === undefined ? {} : { now }),
  });
  shutdown.add(() => server.stop());
  const { url, databaseUrl } = server;
  print({ url, databaseUrl, pid: process.pid });
  if (!stdin) return;
  for await (const line of createInterface(process.stdin)) print(await execute(server, line));
  process.kill(process.pid, 'SIGTERM');
}

async function execute(server: TestServer, line: string): Promise<object> {
  try {
    const command = JSON.parse(line) as {
      token?: string;
      admin?: string[];
      load?: Fixtures;
      setClock?: string;
    };
    if (command.token !== undefined) return { token: await server.token(command.token) };
    if (command.admin !== undefined) return await server.admin(command.admin);
    if (command.load !== undefined) await server.load(command.load);
    else if (command.setClock !== undefined) await server.setClock(command.setClock);
    else throw new Error('give token, load, setClock or admin');
    return command;
  } catch (error) {
    return { error: (error as Error).message };
  }
}

function print(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

program.action(run);
await program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
});
