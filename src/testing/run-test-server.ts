import { createInterface } from 'node:readline';
import { Command } from 'commander';
import { openLog } from '../logging/log.js';
import { ancestors, Shutdown } from '../server/shutdown.js';
import { readJson } from './fixtures/fixtures.commands.js';
import { startTestServer, type TestServer, type TestServerOptions } from './start-test-server.js';

interface Options {
  readonly port: string;
  readonly set: Readonly<Record<string, string>>;
  readonly now?: string;
  readonly stdin?: true;
  readonly parent?: string;
}

const ANCESTORS_POLL_MS = 250;

const program = new Command('npm run --silent test-server --')
  .description('Runs the service for end-to-end tests on a database of its own; prints one line of JSON when ready')
  .argument('[fixtures]', 'a JSON file of restaurants, users and uploads, see docs/testing.md')
  .option('--port <port>', 'TCP port; 0 takes a free one', '0')
  .option('--set <NAME=value>', 'a setting of .env.example; may be repeated', addSetting, {})
  .option('--now <time>', 'what the clock shows at the start, in ISO 8601')
  .option('--stdin', 'read commands from standard input, one JSON object a line, and end with it')
  .option('--parent <pid>', 'npm, given by the script of package.json');

function addSetting(text: string, settings: Record<string, string>): Record<string, string> {
  const [name = '', ...value] = text.split('=');
  return { ...settings, [name]: value.join('=') };
}

async function run(fixtures: string | undefined, { port, set, now, stdin, parent = 'true' }: Options): Promise<void> {
  const shutdown = new Shutdown(await openLog({ LOG_LEVEL: 'silent' }));
  shutdown.followParent({ EXIT_WITH_PARENT: parent });
  endWithAncestors();
  const content = fixtures === undefined ? {} : ((await readJson(fixtures)) as Partial<TestServerOptions>);
  const settings = { PORT: port, ...set };
  const server = await startTestServer({ ...content, settings, ...(now === undefined ? {} : { now }) });
  shutdown.add(() => server.stop());
  const { url, databaseUrl } = server;
  print({ url, databaseUrl, pid: process.pid });
  if (!stdin) return;
  for await (const line of createInterface(process.stdin)) print(await execute(server, line));
  process.kill(process.pid, 'SIGTERM');
}

async function execute(server: TestServer, line: string): Promise<object> {
  try {
    const { token, setClock, admin } = JSON.parse(line) as { token?: string; setClock?: string; admin?: string[] };
    if (token !== undefined) return { token: await server.token(token) };
    if (admin !== undefined) return await server.admin(admin);
    if (setClock === undefined) throw new Error('give token, setClock or admin');
    await server.setClock(setClock);
    return { setClock };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

function print(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** npm and shells outlive a killed runner. */
function endWithAncestors(): void {
  const initial = ancestors().join();
  const timer = setInterval(() => {
    if (ancestors().join() === initial) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, ANCESTORS_POLL_MS).unref();
}

program.action(run);
await program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
});
