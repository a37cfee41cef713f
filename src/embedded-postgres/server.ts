import { randomInt } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { GuardedProgram, type Site } from './guarded-program.js';
import { runsIn } from './operating-system.js';

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '128MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '',
  log_checkpoints: 'off',
  ...(process.platform === 'linux' ? { recovery_init_sync_method: 'syncfs' } : {}),
};
/** Reasons for a failed start that pass by themselves: a taken port, sessions that remain. */
const TRANSIENT = /could not create any TCP\/IP sockets|pre-existing shared memory block/;
const MAX_FIRST_ATTEMPTS = 50;
const RETRY_MS = 200;
const RESTART_PAUSE_MS = 1000;
const POLL_MS = 10;
const PREDECESSOR_TIMEOUT_MS = 4000;

export interface Server {
  readonly port: number;
  readonly stopped: Promise<void>;
}

export async function startServer(site: Site, stop: AbortSignal): Promise<Server> {
  for (let attempt = 1; ; attempt++) {
    const port = randomInt(20_000, 30_000); // is below the ephemeral ports
    try {
      return { port, stopped: keepRunning(site, port, stop, await launch(site, port, stop)) };
    } catch (error) {
      if (attempt === MAX_FIRST_ATTEMPTS || !TRANSIENT.test((error as Error).message)) throw error;
      await delay(RETRY_MS);
    }
  }
}

/** Starts PostgreSQL again whenever it ends; never throws, since the service responds 500. */
async function keepRunning(
  site: Site,
  port: number,
  stop: AbortSignal,
  program: GuardedProgram,
): Promise<void> {
  const stopRequested = new Promise((resolve) => stop.addEventListener('abort', resolve));
  for (;;) {
    await Promise.race([program.exited, stopRequested]);
    if (stop.aborted) return program.stop();
    site.onLine('PostgreSQL has ended unexpectedly; starting it again.');
    await delay(RESTART_PAUSE_MS, undefined, { signal: stop }).catch(() => undefined);
    program = await launch(site, port, stop).catch((error: unknown) => {
      site.onLine(String(error));
      return program;
    });
  }
}

async function launch(site: Site, port: number, stop: AbortSignal): Promise<GuardedProgram> {
  await endPredecessor(site);
  const settings = Object.entries({ ...SETTINGS, ...site.settings, port });
  const args = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const program = new GuardedProgram(site, site.clusterDir, 'postgres', args);
  for (let hasEnded = false; !hasEnded;) {
    if ((await pidFileOf(site.clusterDir))[7]?.trim() === 'ready') return program;
    if (stop.aborted) await program.stop();
    hasEnded = await Promise.race([program.exited.then(() => true), delay(POLL_MS, false)]);
  }
  throw new Error(`PostgreSQL did not start: ${await program.reason()}`);
}

/** Waits until the guard of a killed process has stopped its PostgreSQL. */
export async function endPredecessor({ clusterDir }: Site): Promise<void> {
  const pid = Number((await pidFileOf(clusterDir))[0]);
  const deadline = Date.now() + PREDECESSOR_TIMEOUT_MS;
  while (pid > 0 && (await runsIn(clusterDir, pid))) {
    if (Date.now() > deadline) process.kill(pid, 'SIGKILL');
    await delay(POLL_MS);
  }
  // PostgreSQL would take any process of that number for its predecessor.
  await rm(join(clusterDir, 'postmaster.pid'), { force: true });
}

async function pidFileOf(clusterDir: string): Promise<string[]> {
  return (await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
}
