import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { PLAIN_ENVIRONMENT, type Account } from './operating-system.js';

/** Where a cluster and its programs are, and how they are run. */
export interface Site {
  readonly dataDir: string;
  readonly clusterDir: string;
  readonly programs: string;
  readonly account: Account | undefined;
  readonly settings: Readonly<Record<string, string>>;
  readonly onLine: (line: string) => void;
}

/**
 * Ends the program when descriptor 3 gives a line or closes, as it does however this process ends.
 * The guard ignores the signals of a terminal, as requests in flight need PostgreSQL.
 */
const GUARD = `
  trap '' HUP INT TERM
  exec 4<&0
  "$@" <&4 3<&- 4<&- &
  program=$!
  exec 2>/dev/null 4<&-
  {
    if read -r line <&3; then tenths=100; else tenths=10; fi
    for signal in INT QUIT KILL; do
      kill -$signal $program
      left=$tenths
      while [ $left -gt 0 ]; do sleep 0.1; kill -0 $program || exit; left=$((left - 1)); done
    done
  } &
  wait $program
  status=$?
  kill -KILL $!
  exit $status`;

const MAX_OUTPUT_LINES = 100;
const LAST_LINES_TIMEOUT_MS = 500;

/** A program of PostgreSQL that never outlives this process. */
export class GuardedProgram {
  readonly exited: Promise<boolean>;
  private readonly lines: string[] = [];
  private readonly outputEnded: Promise<unknown>;
  private readonly guard: Writable;

  constructor(site: Site, folder: string, name: string, args: readonly string[], input = '') {
    // The account may not be allowed to enter the folders above.
    const data = site.account && existsSync('/proc/self/cwd') ? '/proc/self/cwd' : folder;
    const child = spawn('/bin/sh', ['-c', GUARD, 'sh', join(site.programs, 'bin', name), ...args], {
      cwd: folder,
      env: { ...PLAIN_ENVIRONMENT, PGDATA: data },
      ...site.account,
      detached: true,
      stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    });
    this.guard = child.stdio[3] as Writable;
    for (const pipe of [child.stdin!, this.guard]) pipe.on('error', () => undefined);
    child.stdin!.end(input);
    const reader = createInterface(child.stderr!).on('line', (line) => {
      site.onLine(line);
      if (this.lines.length < MAX_OUTPUT_LINES && line.trim() !== '') this.lines.push(line);
    });
    this.outputEnded = new Promise((resolve) => reader.once('close', resolve));
    this.exited = new Promise<boolean>((resolve) => {
      child.once('exit', (code) => resolve(code === 0)).once('error', () => resolve(false));
    }).finally(() => this.guard.destroy()); // the program ends even if its guard was killed
  }

  async stop(): Promise<void> {
    this.guard.end('stop\n');
    await this.exited;
  }

  async reason(): Promise<string> {
    await Promise.race([this.outputEnded, delay(LAST_LINES_TIMEOUT_MS)]);
    const reason =
      this.lines.find((line) => /error:|FATAL:|PANIC:/.test(line)) ?? this.lines.at(-1);
    return reason?.replace(/^.*?(error|FATAL|PANIC):\s*/, '') ?? 'no reason given';
  }
}
