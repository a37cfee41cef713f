import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endProcesses, eventually } from '../support/service-process.js';

const root = join(__dirname, '../..');
let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'sales-upload-nothing-left-'))));
afterEach(() => endProcesses(processesOf(folder)));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('Killing a start half-way leaves no process', async () => {
  const started = spawnIn(folder, 'npm', ['start', '--silent', '--ignore-scripts']);
  await eventually(
    () => processesOf(folder).some((pid) => /initdb|postgres/.test(commandOf(pid))),
    'initdb to run',
  );
  started.kill('SIGKILL');
  await expectNothingLeft();
});

const TEST_SERVER = ['run', '--silent', '--ignore-scripts', 'test-server'];

test('Ending a test server, or npm that runs it, leaves no process; the PostgreSQL that they share ends with the last', async () => {
  const startFor = async (name: string): Promise<number> =>
    (await start('npm', TEST_SERVER, { STARTED_FOR: markOf(name) }, '"url"')).pid!;
  const [killed, stopped] = [await startFor('SIGKILL'), await startFor('SIGTERM')];
  expect(processesOf(folder).some((each) => /postgres-daemon/.test(commandOf(each)))).toBe(true);
  process.kill(killed, 'SIGKILL'); // npm
  await expectNothingLeft(markOf('SIGKILL'));
  process.kill(childrenOf(stopped).at(-1)!, 'SIGTERM');
  await expectNothingLeft();
});

test.each([
  ['npm start', 'SIGTERM', (started: number) => started],
  ['npm start', 'SIGKILL', (started: number) => started],
  ['the service', 'SIGHUP', (started: number) => childrenOf(started).at(-1)!],
] as const)('Ending %s with %s leaves no process', async (_name, signal, victimOf) => {
  const { pid } = await start('npm', ['start', '--silent', '--ignore-scripts']);
  const victim = victimOf(pid!);
  expect(processesOf(folder).length).toBeGreaterThan(5);
  process.kill(victim, signal);
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
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk: Buffer) => (output += String(chunk)));
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
  const env = {
    PATH,
    HOME,
    PORT: '0',
    DATA_DIR: dataDir,
    TMPDIR: dataDir,
    LOG_LEVEL: 'error',
    ...settings,
  };
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
