import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

/** A running process. Its number alone is not enough: the system gives numbers again. */
export interface ProcessFacts {
  readonly parent: number;
  /** Differs between any two processes that ever had the same number. */
  readonly startedAt: string;
}

/** For programs we start: none of our variables (PG*, locale, LD_*) may change what they do. */
export const PLAIN_ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C' };

/** Undefined when no such process runs. One that ended and was not yet collected by its parent does not run. */
export async function findProcess(pid: number): Promise<ProcessFacts | undefined> {
  return existsSync('/proc/self/stat') ? findInProc(pid) : findWithPs(pid);
}

/** Whether the process runs in that folder, as every PostgreSQL process does in the folder of its cluster. */
export async function runsIn(pid: number, folder: string): Promise<boolean> {
  if (!existsSync('/proc/self/cwd')) return (await ps(pid, 'command=')).includes(folder);
  try {
    const [one, other] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(folder)]);
    return one.dev === other.dev && one.ino === other.ino;
  } catch {
    return false; // it has ended, or belongs to another user and is none of ours
  }
}

/** Sends the signals one after the other, each with its time in milliseconds, until the process has ended. */
export async function endProcess(pid: number, signals: readonly (readonly [NodeJS.Signals, number])[]): Promise<void> {
  const facts = await findProcess(pid);
  for (const [signal, milliseconds] of signals) {
    if (!facts || !(await isStill(pid, facts))) return;
    sendSignal(pid, signal);
    const deadline = Date.now() + milliseconds;
    while (Date.now() < deadline && (await isStill(pid, facts))) await delay(10);
  }
}

/** Sends the signal; does nothing when the process has just ended. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function isStill(pid: number, facts: ProcessFacts): Promise<boolean> {
  return (await findProcess(pid))?.startedAt === facts.startedAt;
}

async function findInProc(pid: number): Promise<ProcessFacts | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name in brackets may hold blanks and brackets. After it: state, parent, ..., start in ticks since boot (19th).
  const [state, parent, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = rest[17];
  if (!state || !ticks || state === 'Z' || state === 'X') return undefined;
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  return { parent: Number(parent), startedAt: `${ticks}@${boot.trim()}` };
}

async function findWithPs(pid: number): Promise<ProcessFacts | undefined> {
  const [state, parent, ...started] = (await ps(pid, 'state=,ppid=,lstart=')).trim().split(/\s+/);
  if (!state || state.startsWith('Z')) return undefined;
  return { parent: Number(parent), startedAt: started.join(' ') };
}

async function ps(pid: number, columns: string): Promise<string> {
  const args = ['-ww', '-o', columns, '-p', String(pid)];
  const run = promisify(execFile)('ps', args, { env: PLAIN_ENVIRONMENT });
  return run.then(({ stdout }) => stdout).catch(() => ''); // ps fails when there is no such process
}
