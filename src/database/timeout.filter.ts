import { Catch, type ArgumentsHost } from '@nestjs/common';
import { DatabaseError } from 'pg';
import { Counter } from 'prom-client';
import { QueryFailedError } from 'typeorm';
import { ErrorFilter } from '../http/adapter/error.filter.js';
import { Overloaded } from '../http/errors/http.errors.js';

const timeouts = new Counter({
  name: 'database_timeouts_total',
  help: 'Requests for which no connection became free, or to which PostgreSQL did not respond',
});

/** Sends timeouts of pg as 503; those of PostgreSQL itself are errors like all others. */
@Catch()
export class TimeoutFilter extends ErrorFilter {
  override catch(thrown: unknown, host: ArgumentsHost): void {
    const isLate = isTimeout(thrown);
    if (isLate) timeouts.inc();
    super.catch(isLate ? new Overloaded() : thrown, host);
  }
}

/** The timeouts of pg have no class and no code: only their text tells them from other errors. */
function isTimeout(thrown: unknown): boolean {
  const error: unknown = thrown instanceof QueryFailedError ? thrown.driverError : thrown;
  return (
    error instanceof Error && !(error instanceof DatabaseError) && /\btimeout\b/.test(error.message)
  );
}
