import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Account } from './account.js';

/** Where a cluster and its programs are, and how they are run. */
export interface Site {
  readonly clusterDir: string;
  readonly programs: string;
  readonly account: Account | undefined;
  readonly settings: Readonly<Record<string, string>>;
  readonly onLine: (line: string) => void;
}

/** The environment of PostgreSQL's programs, without PG*, LD_* and locale variables. */
export const PLAIN_ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C' };

/** Ends the program when descriptor 3 closes, as it does however this process ends. */
const GUARD = `
  ( {
    trap '' HUP INT TERM
    read -r line <&3
    for signal in INT QUIT KILL; do
      kill -$signal $$
      for tenth in $(seq 100); do sleep 0.1; kill -0 $$ || exit; done
    done
  } 2>/dev/null & )
  exec "$@" 3<&-`;

const FAILURE = /(?:error|FATAL|PANIC):\s*/;

/** Runs a program of PostgreSQL, which never outlives this process. */
export class GuardedProgram {
  readonly exited: Promise<boolean>;
  readonly child: ChildProcess;
  private readonly outputEnded: Promise<unknown>;
  /** The first line that names a failure, or else the last line. */
  private reasonLine = 'no reason given';

  constructor(site: Site, folder: string, [name = '', ...args]: string[], input = '') {
    const program = join(site.programs, 'bin', name);
    this.child = spawn('/bin/sh', ['-c', GUARD, 'sh', program, ...args], {
      cwd: folder,
      // The account may not be allowed to enter the folders above.
      env: { ...PLAIN_ENVIRONMENT, PGDATA: site.account ? '/proc/self/cwd' : folder },
      ...site.account,
      detached: true, // keeps Ctrl-C from it: requests in flight need PostgreSQL
      stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    });
    const { stdin, stderr } = this.child;
    stdin!.on('error', () => undefined).end(input);
    const reader = createInterface(stderr!).on('line', (line) => {
      site.onLine(line);
      if (!FAILURE.test(this.reasonLine) && line.trim() !== '') this.reasonLine = line;
    });
    this.outputEnded = once(reader, 'close');
    this.exited = once(this.child, 'exit')
      .then(([code]) => code === 0)
      .catch(() => false)
      .finally(() => this.child.stdio[3]!.destroy());
  }

  async stop(): Promise<void> {
    this.child.kill('SIGINT');
    this.child.stdio[3]!.destroy(); // the guard ends a program that ignores the signal
    await this.exited;
  }

  async reason(): Promise<string> {
    await this.outputEnded;
    return this.reasonLine.split(FAILURE).at(-1)!;
  }
}
