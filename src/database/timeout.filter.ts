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

/** Sends what was thrown; a timeout of pg as 503, one of PostgreSQL itself like all other errors. */
@Catch()
export class TimeoutFilter implements ExceptionFilter {
  constructor(private readonly adapterHost: HttpAdapterHost<JsonExpressAdapter>) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const error: unknown = thrown instanceof QueryFailedError ? thrown.driverError : thrown;
    const isOfPg = error instanceof Error && !(error instanceof DatabaseError);
    // They have no class and no code: only their text tells them from other errors.
    const isTimeout = isOfPg && /\btimeout\b/.test(error.message);
    if (isTimeout) timeouts.inc();
    const answer = isTimeout ? new Overloaded() : thrown;
    this.adapterHost.httpAdapter.reject(answer, host.switchToHttp().getResponse());
  }
}
