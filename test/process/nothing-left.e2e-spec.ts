import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
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
  const started = spawnNpm(['start']);
  await eventually(
    () => processesOf(folder).some((pid) => /initdb|postgres/.test(commandOf(pid))),
    'initdb to run',
  );
  started.kill('SIGKILL');
  await expectNothingLeft();
});

test.each(['SIGTERM', 'SIGKILL'] as const)('npm start leaves no process on %s', async (signal) => {
  const started = await start(['start'], 'listening on');
  expect(processesOf(folder).length).toBeGreaterThan(5);
  started.kill(signal);
  await expectNothingLeft();
});

test('The PostgreSQL that test servers share outlives the first of them, and ends with the last', async () => {
  const testServer = (): Promise<ChildProcess> => start(['run', 'test-server'], '"url"');
  const daemons = (): number[] =>
    processesOf(folder).filter((pid) => /postgres-daemon/.test(commandOf(pid)));
  const [first, second] = [await testServer(), await testServer()];
  const before = daemons();
  expect(before).toHaveLength(1);
  first.kill('SIGKILL');
  await once(first, 'exit');
  expect(daemons()).toEqual(before);
  second.kill('SIGTERM');
  await expectNothingLeft();
});

/** Resolves when its output says that it is ready. */
async function start(args: string[], ready: string): Promise<ChildProcess> {
  const child = spawnNpm(args);
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
function spawnNpm(args: string[]): ChildProcess {
  const { PATH, HOME } = process.env;
  const env = {
    PATH,
    HOME,
    PORT: '0',
    DATA_DIR: folder,
    TMPDIR: folder,
    LOG_LEVEL: 'error',
  };
  return spawn('npm', [...args, '--silent', '--ignore-scripts'], {
    cwd: root,
    env,
    detached: true,
  });
}

async function expectNothingLeft(): Promise<void> {
  const left = (): string[] => processesOf(folder).map((pid) => `${pid}: ${commandOf(pid)}`);
  await eventually(
    () => delay(50).then(() => left().length === 0), // each look reads all of /proc
    () => `the end of ${left().join('\n')}`,
  );
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
