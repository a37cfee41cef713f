import { counter } from '../observability/metrics/tallies.js';

const silences = counter('database_silences_total', 'Statements that the database did not answer in time');

/** The database did not answer a moment ago; nobody else waits for it now. */
export class DatabaseSilent extends Error {
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
export class Silence {
  private since: number | undefined;

  /** Throws `DatabaseSilent`. */
  assertNone(): void {
    if (this.since !== undefined && performance.now() - this.since < REST_MS) throw new DatabaseSilent();
  }

  /** Any answer ends it, a refusal included. true where there was none. */
  learn(error?: unknown): boolean {
    const silent = error instanceof Error && NO_ANSWER.includes(error.message);
    if (silent) silences.add();
    this.since = silent ? performance.now() : undefined;
    return silent;
  }
}
