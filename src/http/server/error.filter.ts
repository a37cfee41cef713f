import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { InternalError, NoSuchPath, RejectedByRouter, WrongMethod } from '../errors/http.errors.js';
import { ServiceError } from '../errors/service-error.js';
import { allowedMethods } from '../routes.js';
import type { JsonExpressAdapter } from './json-express.adapter.js';
import type { Tracking } from './tracked-response.js';

/** Sends errors as `{"error": "..."}`. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly adapter: JsonExpressAdapter) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response & Tracking>();
    const error = asServiceError(thrown, request);
    if (error.status >= 500 && error !== thrown) response.failure = thrown;
    this.adapter.reject(error, request, response);
  }
}

function asServiceError(thrown: unknown, request: Request): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  const status = statusOf(thrown);
  if (status === 404) {
    const methods = allowedMethods(request.app, request.path);
    return methods.length > 0 ? new WrongMethod(request.method, methods) : new NoSuchPath();
  }
  return status >= 400 && status < 500 ? Object.assign(new RejectedByRouter(status), { status }) : new InternalError();
}

/** Returns the status of what was thrown; Express rejects bad percent-encoding with plain errors. */
export function statusOf(thrown: unknown): number {
  if (thrown instanceof HttpException) return thrown.getStatus();
  return thrown instanceof Error && 'status' in thrown && typeof thrown.status === 'number' ? thrown.status : 500;
}
