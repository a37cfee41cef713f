import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endProcesses, eventually } from '../support/service-process.js';

const root = join(__dirname, '../..');
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const;

/** Which process of a running service is ended, given the one that was started. */
const VICTIMS = {
  'npm start': (started: number) => started,
  'the service': (started: number) => childrenOf(started).at(-1)!,
  'the process group of npm start, as Playwright does': (started: number) => -started,
} as const;

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'sales-upload-nothing-left-'))));
afterEach(() => endProcesses(processesOf(folder)));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('Killing a start half-way leaves no process', async () => {
  const started = spawnIn(folder, 'npm', ['start', '--silent', '--ignore-scripts']);
  await eventually(() => processesOf(folder).some((pid) => /initdb|postgres/.test(commandOf(pid))), 'initdb to run');
  started.kill('SIGKILL');
  await expectNothingLeft();
});

const TEST_SERVER = ['run', '--silent', '--ignore-scripts', 'test-server'];

/** A runner starts npm by a shell; neither gets a signal when the runner is killed. */
const TEST_SERVER_VICTIMS = {
  'the runner of a test server': (runner: number) => runner,
  'the shell that runs a test server': (runner: number) => childrenOf(runner)[0]!,
  'npm run test-server': (runner: number) => childrenOf(childrenOf(runner)[0]!)[0]!,
  'the test server': (runner: number) => childrenOf(childrenOf(childrenOf(runner)[0]!)[0]!).at(-1)!,
} as const;

test('Ending a test server, or what runs it, leaves no process; the PostgreSQL that five of them share ends with the last', async () => {
  const ends = [
    ...Object.entries(TEST_SERVER_VICTIMS).map(([name, victimOf]) => ({ name, victimOf, signal: 'SIGKILL' }) as const),
    { name: 'SIGTERM', victimOf: TEST_SERVER_VICTIMS['the test server'], signal: 'SIGTERM' } as const,
  ];
  const runner = ['-c', `sh -c 'npm ${TEST_SERVER.join(' ')}; exit'; exit`];
  const startFor = async ({ name }: { name: string }): Promise<number> =>
    (await start('sh', runner, { STARTED_FOR: markOf(name) }, '"url"')).pid!;
  const pids = [await startFor(ends[0]!), ...(await Promise.all(ends.slice(1).map(startFor)))];
  expect(processesOf(folder).some((each) => /postgres-daemon/.test(commandOf(each)))).toBe(true);
  for (const [index, { name, victimOf, signal }] of ends.entries()) {
    expect(processesOf(markOf(name)).length).toBeGreaterThan(3);
    process.kill(victimOf(pids[index]!), signal);
    await expectNothingLeft(markOf(name));
  }
  await expectNothingLeft();
});

describe.each(Object.entries(VICTIMS))('Ending %s', (_name, victimOf) => {
  test.each(SIGNALS)('with %s leaves no process', async (signal) => {
    const { pid } = await start('npm', ['start', '--silent', '--ignore-scripts']);
    const victim = victimOf(pid!);
    expect(processesOf(folder).length).toBeGreaterThan(5);
    process.kill(victim, signal);
    await expectNothingLeft();
  });
});

test.each(['the runner', 'the shell'])(
  'Killing %s of npm start leaves no process if the runner asked so',
  async (name) => {
    const { pid } = await start('sh', [
      '-c',
      'export EXIT_WITH_PARENT=$$; sh -c "npm start --silent --ignore-scripts; exit"; exit',
    ]);
    process.kill(name === 'the runner' ? pid! : childrenOf(pid!)[0]!, 'SIGKILL');
    await expectNothingLeft();
  },
);

test.each(['npm start', 'the service'] as const)('With workers, killing %s leaves no process', async (name) => {
  const { pid } = await start('npm', ['start', '--silent', '--ignore-scripts'], { WORKERS: '2' });
  process.kill(VICTIMS[name](pid!), 'SIGKILL');
  await expectNothingLeft();
});

test('Killing a test runner leaves no process', async () => {
  const jest = spawnIn(folder, process.execPath, [
    join(root, 'node_modules/jest/bin/jest.js'),
    ...['--maxWorkers=2', '--silent', 'test/operation/health', 'test/operation/start'],
  ]);
  const spawnedServices = () => processesOf(folder).filter((pid) => /dist\/src\/main\.js/.test(commandOf(pid)));
  await eventually(() => spawnedServices().length > 0, 'a test to start a service', 180_000);
  jest.kill('SIGKILL');
  await expectNothingLeft();
});

/** Resolves when its output says that it is ready. */
async function start(
  command: string,
  args: string[],
  settings: Record<string, string> = {},
  ready = 'listening on',
): Promise<ChildProcess> {
  const child = spawnIn(folder, command, args, settings);
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
  await eventually(
    () => output.includes(ready),
    () => `the service to start: ${output}`,
    60_000,
  );
  return child;
}

/** The folder in the environment marks all that is started from here. */
function spawnIn(
  dataDir: string,
  command: string,
  args: string[],
  settings: Record<string, string> = {},
): ChildProcess {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, PORT: '0', DATA_DIR: dataDir, TMPDIR: dataDir, LOG_LEVEL: 'error', ...settings };
  return spawn(command, args, { cwd: root, env, detached: true });
}

async function expectNothingLeft(mark = folder): Promise<void> {
  const left = (): string[] => processesOf(mark).map((pid) => `${pid}: ${commandOf(pid)}`);
  await eventually(
    () => delay(50).then(() => left().length === 0), // each look reads all of /proc
    () => `the end of what has ${mark}: ${left().join('\n')}`,
  );
}

/** In the environment of one start. */
function markOf(name: string): string {
  return `${folder} ${name}.`;
}

/** The processes that have the folder in their environment, or run in it as PostgreSQL's do. */
function processesOf(dataDir: string): number[] {
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  return pids.filter((pid) => {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      return environment.includes(dataDir) || readlinkSync(`/proc/${pid}/cwd`).startsWith(dataDir);
    } catch {
      return false; // it has just ended
    }
  });
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return children === '' ? [] : children.split(' ').map(Number);
}
