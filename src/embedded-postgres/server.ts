import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { urlOf } from './cluster.js';
import { GuardedProgram, type Site } from './guarded-program.js';

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  log_line_prefix: '',
};
const RESTART_PAUSE_MS = 1000;
const POLL_MS = 10;

export interface EmbeddedPostgres {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts PostgreSQL, and again whenever it ends. */
export async function startServer(site: Site): Promise<EmbeddedPostgres> {
  const port = randomInt(20_000, 30_000); // below the ephemeral ports
  const url = await urlOf(site.clusterDir, port);
  const stopping = new AbortController();
  const stopped = keepRunning(site, port, stopping.signal, await launch(site, port));
  const stop = (): Promise<void> => {
    stopping.abort();
    return stopped;
  };
  return { url, stop };
}

/** Restarts PostgreSQL until it is to stop. Never throws: meanwhile the service responds 500. */
async function keepRunning(
  site: Site,
  port: number,
  stop: AbortSignal,
  program: GuardedProgram,
): Promise<void> {
  const stopRequested = once(stop, 'abort');
  for (;;) {
    await Promise.race([program.exited, stopRequested]);
    if (stop.aborted) return program.stop();
    site.onLine('PostgreSQL has ended unexpectedly; starting it again.');
    await delay(RESTART_PAUSE_MS, undefined, { signal: stop }).catch(() => undefined);
    program = await launch(site, port).catch((error: unknown) => {
      site.onLine(String(error));
      return program;
    });
  }
}

async function launch(site: Site, port: number): Promise<GuardedProgram> {
  const settings = Object.entries({ ...SETTINGS, ...site.settings, port });
  const options = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const program = new GuardedProgram(site, site.clusterDir, ['postgres', ...options]);
  let hasEnded = false;
  while (!hasEnded) {
    const { pid, status } = await readPidFile(site.clusterDir);
    if (pid === program.child.pid && status === 'ready') return program;
    hasEnded = await Promise.race([program.exited.then(() => true), delay(POLL_MS, false)]);
  }
  throw new Error(`PostgreSQL did not start: ${await program.reason()}`);
}

/** Reads what PostgreSQL says of itself in postmaster.pid; without that file `pid` is 0. */
export async function readPidFile(clusterDir: string) {
  const text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  return { pid: Number(lines[0]), port: Number(lines[3]), status: lines[7]?.trim() };
}
