import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { allowedMethods } from './allowed-methods.js';
import { InternalError, NoSuchPath, RejectedByRouter, WrongMethod } from './http.errors.js';
import type { JsonExpressAdapter } from '../server/json-express.adapter.js';
import { errorHeaders, ServiceError } from './service-error.js';
import type { Tracking } from '../server/tracked-response.js';

/** Sends whatever is thrown, in whichever layer, as `{"error": "..."}` with the status and headers of its class. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly adapter: JsonExpressAdapter) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response & Tracking>();
    const error = asServiceError(thrown, request);
    if (error.status >= 500 && error !== thrown) response.failure = thrown; // for the log line
    if (!response.headersSent) response.removeHeader('Content-Type');
    if (!response.headersSent) response.set(errorHeaders(error));
    this.adapter.reply(response, { error: error.message }, error.status);
  }
}

function asServiceError(thrown: unknown, request: Request): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  const status = thrown instanceof HttpException ? thrown.getStatus() : statusOf(thrown);
  if (status === 404) {
    const methods = allowedMethods(request);
    return methods.length > 0 ? new WrongMethod(request.method, methods) : new NoSuchPath();
  }
  return status >= 400 && status < 500 ? new RejectedByRouter(status) : new InternalError();
}

/** Express rejects requests (bad percent-encoding in a path) with plain errors that have a status. */
function statusOf(thrown: unknown): number {
  return thrown instanceof Error && 'status' in thrown && typeof thrown.status === 'number' ? thrown.status : 500;
}
