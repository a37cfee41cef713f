import type { Log } from '../logging/log.js';

/** Milliseconds in which another signal counts as the same: under npm Ctrl-C arrives twice. */
const REPEATED_SIGNAL_MS = 500;

const PARENT_POLL_MS = 250;

/** Runs the added steps on a signal, last one first, and ends the process. */
export class Shutdown {
  private readonly steps: (() => Promise<void>)[] = [];
  private begunAt: number | undefined;

  constructor(private readonly log: Log) {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
      process.on(signal, () => this.onSignal(signal));
  }

  /** Ends the process with the one that started it, which may end without a signal. */
  followParent(): void {
    const parent = process.ppid;
    const timer = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(timer);
      this.onSignal('the parent process has ended');
    }, PARENT_POLL_MS).unref();
  }

  get hasBegun(): boolean {
    return this.begunAt !== undefined;
  }

  add(step: () => Promise<void>): void {
    this.steps.push(step);
  }

  async run(): Promise<void> {
    while (this.steps.length > 0) {
      const step = this.steps.pop()!;
      await step().catch((err: unknown) =>
        this.log.error({ err }, 'a step of the shutdown failed'),
      );
    }
  }

  private onSignal(signal: string): void {
    if (this.begunAt === undefined) {
      this.begunAt = Date.now();
      this.log.info(
        `${signal}: finishing requests in flight; a second signal ends the process at once`,
      );
      void this.run().then(() => {
        this.log.info('stopped');
        process.exit(0);
      });
    } else if (Date.now() - this.begunAt > REPEATED_SIGNAL_MS) {
      this.log.warn(`second ${signal}: ending at once`);
      process.exit(1);
    }
  }
}
