import { counter } from '../metrics/metrics.js';

const silences = counter('database_silences_total', 'Statements that the database did not answer in time');

/** The database did not answer a moment ago, so that nothing is sent to it now. */
export class CircuitOpen extends Error {
  constructor() {
    super('the database did not answer a moment ago');
  }
}

/** After which the database is tried again. */
const COOLDOWN_MS = 500;

/** The texts of pg's timeouts, which have no codes. */
const TIMEOUTS = ['Query read timeout', 'Connection terminated due to connection timeout', 'timeout expired'];

/** Fails statements at once for a while after the database did not answer one, so that timeouts do not add up in queues. */
export class CircuitBreaker {
  private openedAt: number | undefined;

  /** Throws `CircuitOpen`. */
  assertClosed(): void {
    if (this.openedAt !== undefined && performance.now() - this.openedAt < COOLDOWN_MS) throw new CircuitOpen();
  }

  /** Records an outcome and returns whether it opened the circuit; any response closes it, an error included. */
  record(error?: unknown): boolean {
    const opened = error instanceof Error && TIMEOUTS.includes(error.message);
    if (opened) silences.add();
    this.openedAt = opened ? performance.now() : undefined;
    return opened;
  }
}
