import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

/** No PG*, LD_* or locale variables. */
export const PLAIN_ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C' };

const HAS_PROC = existsSync('/proc/self/stat');

/** A process number may be reused. */
export async function startOf(pid: number): Promise<string | undefined> {
  if (!HAS_PROC) return (await ps(pid, 'lstart=')) || undefined;
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // proc(5): after the name in brackets
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (fields.length < 20 || fields[0] === 'Z') return undefined;
  return `${fields[19]}@${(await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')).trim()}`;
}

/** Kills the process after the timeout. */
export async function waitForEndIn(folder: string, pid: number, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (await runsIn(folder, pid)) {
    if (Date.now() > deadline) process.kill(pid, 'SIGKILL');
    await delay(10);
  }
}

async function runsIn(folder: string, pid: number): Promise<boolean> {
  if (!HAS_PROC) return (await ps(pid, 'command=')).includes(folder);
  const [one, other] = await Promise.all([`/proc/${pid}/cwd`, folder].map((path) => stat(path).catch(() => undefined)));
  return one !== undefined && one.dev === other?.dev && one.ino === other.ino;
}

async function ps(pid: number, column: string): Promise<string> {
  const run = promisify(execFile)('ps', ['-ww', '-o', column, '-p', String(pid)], { env: PLAIN_ENVIRONMENT });
  return run.then(({ stdout }) => stdout.trim()).catch(() => '');
}
