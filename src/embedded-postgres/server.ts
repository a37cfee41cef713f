import { randomInt } from 'node:crypto';
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
const POLL_MS = 10;

export interface EmbeddedPostgres {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts PostgreSQL; if it ends unexpectedly, so does this process. */
export async function startServer(site: Site): Promise<EmbeddedPostgres> {
  const port = randomInt(20_000, 30_000); // below the ephemeral ports
  const settings = Object.entries({ ...SETTINGS, ...site.settings, port });
  const options = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const program = new GuardedProgram(site, site.clusterDir, ['postgres', ...options]);
  let hasEnded = false;
  while (!hasEnded) {
    const { pid, status } = await readPidFile(site.clusterDir);
    if (pid === program.child.pid && status === 'ready') break;
    hasEnded = await Promise.race([program.exited.then(() => true), delay(POLL_MS, false)]);
  }
  if (hasEnded) throw new Error(`PostgreSQL did not start: ${await program.reason()}`);
  let isStopping = false;
  void program.exited.then(() => {
    if (!isStopping) throw new Error('PostgreSQL has ended unexpectedly'); // nobody catches it
  });
  const stop = (): Promise<void> => {
    isStopping = true;
    return program.stop();
  };
  return { url: await urlOf(site.clusterDir, port), stop };
}

/** Reads what PostgreSQL says of itself in postmaster.pid; without that file `pid` is 0. */
export async function readPidFile(clusterDir: string) {
  const text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  return { pid: Number(lines[0]), port: Number(lines[3]), status: lines[7]?.trim() };
}
