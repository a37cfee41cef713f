import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Response } from 'express';
import { asServiceError } from '../errors/http.errors.js';
import type { JsonExpressAdapter } from './json-express.adapter.js';
import type { TrackedFields } from './tracked-response.js';

/** Sends errors as `{"error": "..."}`. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly adapterHost: HttpAdapterHost<JsonExpressAdapter>) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response & TrackedFields>();
    const error = asServiceError(thrown);
    if (error.status >= 500 && error !== thrown) response.failure = thrown;
    this.adapterHost.httpAdapter.reject(error, response);
  }
}
