import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresError, reasonIn } from './embedded-postgres.errors.js';
import { endProcess, runsIn } from './process.js';
import { ownName, spawnOptions, type Site } from './site.js';

/** A running PostgreSQL server (its postmaster). */
export type Server = ChildProcessByStdio<null, null, Readable>;

/** The server ended before it was ready. */
export class ServerDidNotStart extends EmbeddedPostgresError {
  constructor(private readonly output: string) {
    super(`PostgreSQL did not start: ${reasonIn(output)}`);
  }

  get portIsTaken(): boolean {
    return this.output.includes('could not bind');
  }

  /** Its predecessor was killed, and the sessions of that one have not all noticed yet. */
  get predecessorLingers(): boolean {
    return this.output.includes('pre-existing shared memory block');
  }
}

/** What a server writes into postmaster.pid about itself. */
export interface PidFile {
  readonly pid: number;
  readonly port: number;
  readonly ready: boolean;
}

const SETTINGS = {
  max_connections: '100',
  shared_buffers: '128MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '',
  log_checkpoints: 'off',
  // After a crash everything is synced first: by one call where the system has it, not file by file.
  ...(process.platform === 'linux' ? { recovery_init_sync_method: 'syncfs' } : {}),
};
/** SIGINT: cut the sessions and write everything out. SIGQUIT: leave at once; the next start recovers from the log. */
const STOP_SIGNALS = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
] as const;
const READY_TIMEOUT_MS = 300_000; // recovery after a crash reads up to a gigabyte of log
const READY_POLL_MS = 10;

/** Resolves when the server takes connections. Throws ServerDidNotStart; aborting the signal stops the server. */
export async function launchServer(site: Site, port: number, signal: AbortSignal): Promise<Server> {
  const server = spawnServer(site, port);
  const output: string[] = [];
  createInterface(server.stderr).on('line', (line) => {
    site.onLine(line);
    if (output.length < 100) output.push(line);
  });
  server.on('error', (error) => output.push(error.message)); // it could not even be spawned
  const ended = serverEnded(server);
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (isRunning(server) && !(await isReady(site.clusterDir, server.pid))) {
    if (signal.aborted || Date.now() > deadline) await stopServer(server);
    await Promise.race([ended, delay(READY_POLL_MS)]);
  }
  if (isRunning(server)) return server;
  await Promise.race([new Promise((done) => server.once('close', done)), delay(200)]); // for its last lines
  throw new ServerDidNotStart(output.join('\n'));
}

/** Resolves when the server has ended. */
export async function stopServer(server: Server): Promise<void> {
  if (server.pid === undefined || !isRunning(server)) return;
  await endProcess(server.pid, STOP_SIGNALS);
  await serverEnded(server);
}

export async function serverEnded(server: Server): Promise<void> {
  if (isRunning(server)) await new Promise((done) => server.once('exit', done));
}

/** Ends the server that outlived a killed service, and removes what would be mistaken for one. */
export async function clearPredecessor(site: Site): Promise<void> {
  const file = await readPidFile(site.clusterDir);
  if (!file) return;
  if (await runsIn(file.pid, site.clusterDir)) {
    site.onLine(`Stopping the PostgreSQL that a killed service left behind (process ${file.pid}).`);
    await endProcess(file.pid, STOP_SIGNALS);
  }
  // PostgreSQL takes any process of that number for the server: a stranger's, or a dead one that nobody collected.
  // Sessions of the dead one that still run are known to it by their shared memory, without this file.
  await rm(pidFile(site.clusterDir), { force: true });
}

export async function readPidFile(clusterDir: string): Promise<PidFile | undefined> {
  const lines = (await readFile(pidFile(clusterDir), 'utf8').catch(() => '')).split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  return pid > 0 ? { pid, port, ready: lines[7]?.trim() === 'ready' } : undefined;
}

function spawnServer(site: Site, port: number): Server {
  const fixed = { port: String(port), listen_addresses: '127.0.0.1', unix_socket_directories: '' };
  const settings = Object.entries({ ...SETTINGS, ...site.settings, ...fixed });
  const args = [
    '-D',
    ownName(site, site.clusterDir),
    ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  const server = spawn(join(site.programs, 'bin', 'postgres'), args, {
    ...spawnOptions(site, site.clusterDir),
    detached: true, // Ctrl-C in a terminal reaches all processes of its session, but when PostgreSQL stops is ours to say
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // The last resort when our process leaves without stopping it: nothing asynchronous happens any more.
  const stopWithUs = (): boolean => server.kill('SIGINT');
  process.once('exit', stopWithUs);
  server.once('exit', () => process.off('exit', stopWithUs));
  return server;
}

function isRunning(server: Server): boolean {
  return server.pid !== undefined && server.exitCode === null && server.signalCode === null;
}

async function isReady(clusterDir: string, pid: number | undefined): Promise<boolean> {
  const file = await readPidFile(clusterDir);
  return file !== undefined && file.pid === pid && file.ready;
}

function pidFile(clusterDir: string): string {
  return join(clusterDir, 'postmaster.pid');
}
