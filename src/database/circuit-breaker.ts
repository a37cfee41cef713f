import { DatabaseError } from 'pg';
import { counter } from '../metrics/metrics.js';

const COOLDOWN_MS = 500;

/** pg's timeouts have no codes. */
const TIMEOUTS = ['Query read timeout', 'Connection terminated due to connection timeout', 'timeout expired'];

const silences = counter('database_silences_total', 'Statements that the database did not answer in time');

export class CircuitOpen extends Error {
  constructor() {
    super('the database did not answer a moment ago');
  }
}

/** Rejects statements at once after a timeout, so that timeouts do not add up. */
export class CircuitBreaker {
  private openedAt: number | undefined;

  /** Throws `CircuitOpen`. */
  assertClosed(): void {
    if (this.openedAt !== undefined && performance.now() - this.openedAt < COOLDOWN_MS) throw new CircuitOpen();
  }

  /** Returns whether the outcome was a timeout; any response of PostgreSQL closes the circuit. */
  record(error?: unknown): boolean {
    const isTimeout = error instanceof Error && TIMEOUTS.includes(error.message);
    if (isTimeout) {
      silences.add();
      this.openedAt = performance.now();
    } else if (error === undefined || error instanceof DatabaseError) this.openedAt = undefined;
    return isTimeout;
  }
}
