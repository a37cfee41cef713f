import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { DatabaseError } from 'pg';
import { Counter } from 'prom-client';
import { QueryFailedError } from 'typeorm';
import type { JsonExpressAdapter } from '../http/adapter/json-express.adapter.js';
import { Overloaded } from '../http/errors/http.errors.js';

const timeouts = new Counter({
  name: 'database_timeouts_total',
  help: 'Requests for which no connection became free, or to which PostgreSQL did not respond',
});

/** Sends errors; a timeout of pg becomes a 503, one of PostgreSQL itself is as all others. */
@Catch()
export class TimeoutFilter implements ExceptionFilter {
  constructor(private readonly adapterHost: HttpAdapterHost<JsonExpressAdapter>) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const isLate = isTimeout(thrown);
    if (isLate) timeouts.inc();
    const error = isLate ? new Overloaded() : thrown;
    this.adapterHost.httpAdapter.reject(error, host.switchToHttp().getResponse());
  }
}

/** The timeouts of pg have no class and no code: only their text tells them from other errors. */
function isTimeout(thrown: unknown): boolean {
  const error: unknown = thrown instanceof QueryFailedError ? thrown.driverError : thrown;
  return (
    error instanceof Error && !(error instanceof DatabaseError) && /\btimeout\b/.test(error.message)
  );
}
