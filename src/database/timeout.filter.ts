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
    const error: unknown = thrown instanceof QueryFailedError ? thrown.driverError : thrown;
    const isOfPg = error instanceof Error && !(error instanceof DatabaseError);
    // They have no class and no code: only their text tells them from other errors.
    const isTimeout = isOfPg && /\btimeout\b/.test(error.message);
    if (isTimeout) timeouts.inc();
    super.catch(isTimeout ? new Overloaded() : thrown, host);
  }
}
