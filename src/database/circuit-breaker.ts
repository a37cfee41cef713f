import { counter } from '../metrics/metrics.js';

const silences = counter('database_silences_total', 'Statements that the database did not answer in time');

/** The database did not answer a moment ago; nobody else waits for it now. */
export class CircuitOpen extends Error {
  constructor() {
    super('the database did not answer a moment ago');
  }
}

/** After which somebody tries again. */
const REST_MS = 500;

/** What the driver says when there is no answer; it has no codes for it. */
const NO_ANSWER = ['Query read timeout', 'Connection terminated due to connection timeout'];

/**
 * Remembers that the database is frozen or out of reach, so that requests do not wait one after the other for the same
 * silence: what queued behind a statement that was not answered would wait for its own as long again.
 */
export class CircuitBreaker {
  private since: number | undefined;

  /** Throws `CircuitOpen`. */
  assertClosed(): void {
    if (this.since !== undefined && performance.now() - this.since < REST_MS) throw new CircuitOpen();
  }

  /** Any answer ends it, a refusal included. true where there was none. */
  learn(error?: unknown): boolean {
    const silent = error instanceof Error && NO_ANSWER.includes(error.message);
    if (silent) silences.add();
    this.since = silent ? performance.now() : undefined;
    return silent;
  }
}
