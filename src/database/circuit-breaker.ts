import { DatabaseError } from 'pg';
import { counter } from '../metrics/metrics.js';

const COOLDOWN_MS = 500;

/** pg's timeouts have no codes. */
const TIMEOUT_MESSAGES = ['Query read timeout', 'Connection terminated due to connection timeout', 'timeout expired'];

const timeouts = counter('database_timeouts_total', 'Statements and connections that timed out');

export class CircuitOpen extends Error {
  constructor() {
    super('the database did not answer a moment ago');
  }
}

/** Keeps timeouts from adding up: after one, one caller at a time tries again. */
export class CircuitBreaker {
  private nextTrialAt: number | undefined;

  /** `trialMs` is what a connection and a statement may take. */
  constructor(private readonly trialMs: number) {}

  get isOpen(): boolean {
    return this.nextTrialAt !== undefined;
  }

  assertClosed(): void {
    if (this.nextTrialAt === undefined) return;
    const now = performance.now();
    if (now < this.nextTrialAt) throw new CircuitOpen();
    this.nextTrialAt = now + this.trialMs;
  }

  /** Any response of PostgreSQL closes the circuit. */
  record(error?: unknown): boolean {
    const isTimeout = error instanceof Error && TIMEOUT_MESSAGES.includes(error.message);
    if (isTimeout) timeouts.add();
    if (error === undefined || error instanceof DatabaseError) this.nextTrialAt = undefined;
    else if (isTimeout || this.isOpen) this.nextTrialAt = performance.now() + COOLDOWN_MS;
    return isTimeout;
  }
}
