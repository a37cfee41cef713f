import type { Log } from '../logging/log.js';

/** A terminal's Ctrl-C reaches us twice under npm: from the terminal, and passed on by npm. */
const SAME_SIGNAL_MS = 500;

/** Ends the process on SIGTERM and SIGINT: undoes what was begun, the last thing first. A second signal ends it at once. */
export class Shutdown {
  private readonly steps: (() => Promise<void>)[] = [];
  private begunAt: number | undefined;

  constructor(private readonly log: Log) {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => this.onSignal(signal));
  }

  /** What is to be undone before the process ends. */
  add(step: () => Promise<void>): void {
    this.steps.push(step);
  }

  /** Undoes everything. A step that fails keeps none of the others from being taken. */
  async run(): Promise<void> {
    for (let step = this.steps.pop(); step; step = this.steps.pop()) {
      await step().catch((err: unknown) => this.log.error({ err }, 'a part of the shutdown failed'));
    }
  }

  private onSignal(signal: string): void {
    if (this.begunAt === undefined) {
      this.begunAt = Date.now();
      this.log.info(`${signal}: finishing what was begun; once more ends it at once`);
      void this.run().then(() => process.exit(0));
    } else if (Date.now() - this.begunAt > SAME_SIGNAL_MS) {
      this.log.warn(`${signal} again: ending at once`);
      process.exit(1);
    }
  }
}
