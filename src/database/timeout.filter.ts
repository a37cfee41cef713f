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

/**
 * Sends whatever was thrown. No free connection or no response within the limits of the driver is
 * 503; a statement that PostgreSQL itself has ended is 500, as any other error of the database.
 */
@Catch()
export class TimeoutFilter implements ExceptionFilter {
  constructor(private readonly adapterHost: HttpAdapterHost<JsonExpressAdapter>) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const error: unknown = thrown instanceof QueryFailedError ? thrown.driverError : thrown;
    const isOfPostgres = error instanceof DatabaseError;
    // Timeouts of the driver have no class and no code: only their text tells them apart.
    const isTimeout = !isOfPostgres && error instanceof Error && /\btimeout\b/.test(error.message);
    if (isTimeout) timeouts.inc();
    const answer = isTimeout ? new Overloaded() : thrown;
    this.adapterHost.httpAdapter.reject(answer, host.switchToHttp().getResponse());
  }
}
