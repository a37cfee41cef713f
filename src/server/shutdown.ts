import { readFileSync } from 'node:fs';
import type { AppConfig } from '../config/app-config.js';
import type { Log } from '../logging/log.js';

/** Ctrl-C arrives twice under npm. */
const REPEATED_SIGNAL_MS = 500;

const PARENT_POLL_MS = 250;

/** The parent of this process, the parent of that, and so on; the parent alone where there is no /proc. */
export function ancestors(pid = process.ppid): number[] {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const parent = Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1]);
    return parent > 0 ? [pid, ...ancestors(parent)] : [pid];
  } catch {
    return [pid];
  }
}

/** Runs the added steps on a signal, last one first, and ends the process. */
export class Shutdown {
  private readonly steps: (() => Promise<void>)[] = [];
  private begunAt: number | undefined;

  constructor(private readonly log: Log) {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => this.onSignal(signal));
  }

  /** A parent may end without a signal; npm and shells outlive theirs, so it may be an ancestor. */
  followParent({ EXIT_WITH_PARENT }: Pick<AppConfig, 'EXIT_WITH_PARENT'>): void {
    if (EXIT_WITH_PARENT === 'false') return;
    const parent = EXIT_WITH_PARENT === 'true' ? process.ppid : Number(EXIT_WITH_PARENT);
    const timer = setInterval(() => {
      if (process.ppid === parent || ancestors().includes(parent)) return;
      clearInterval(timer);
      this.onSignal('the parent process has ended');
    }, PARENT_POLL_MS).unref();
  }

  add(step: () => Promise<void>): void {
    this.steps.push(step);
  }

  async run(): Promise<void> {
    for (let step = this.steps.pop(); step; step = this.steps.pop()) {
      await step().catch((err: unknown) => this.log.error({ err }, 'a step of the shutdown failed'));
    }
  }

  private onSignal(signal: string): void {
    if (this.begunAt === undefined) {
      this.begunAt = Date.now();
      this.log.info(`${signal}: finishing requests in flight; a second signal ends the process at once`);
      void this.run().then(() => process.exit(0));
    } else if (Date.now() - this.begunAt > REPEATED_SIGNAL_MS) {
      this.log.warn(`second ${signal}: ending at once`);
      process.exit(1);
    }
  }
}
