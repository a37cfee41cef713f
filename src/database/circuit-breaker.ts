import { DatabaseError } from 'pg';
import { counter } from '../metrics/metrics.js';

const COOLDOWN_MS = 500;

/** pg's timeouts have no codes. */
const TIMEOUT_MESSAGES = ['Query read timeout', 'Connection terminated due to connection timeout', 'timeout expired'];

const timeouts = counter('database_silences_total', 'Statements that the database did not answer in time');

export class CircuitOpen extends Error {
  constructor() {
    super('the database did not answer a moment ago');
  }
}

/** Keeps timeouts from adding up. */
export class CircuitBreaker {
  private openedAt: number | undefined;

  assertClosed(): void {
    if (this.openedAt !== undefined && performance.now() - this.openedAt < COOLDOWN_MS) throw new CircuitOpen();
  }

  /** Any response of PostgreSQL closes the circuit. */
  record(error?: unknown): boolean {
    const isTimeout = error instanceof Error && TIMEOUT_MESSAGES.includes(error.message);
    if (isTimeout) {
      timeouts.add();
      this.openedAt = performance.now();
    } else if (error === undefined || error instanceof DatabaseError) this.openedAt = undefined;
    return isTimeout;
  }
}
