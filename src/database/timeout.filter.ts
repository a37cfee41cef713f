import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { JsonExpressAdapter } from '../http/adapter/json-express.adapter.js';

/** Sends whatever was thrown. */
@Catch()
export class TimeoutFilter implements ExceptionFilter {
  constructor(private readonly adapterHost: HttpAdapterHost<JsonExpressAdapter>) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    this.adapterHost.httpAdapter.reject(thrown, host.switchToHttp().getResponse());
  }
}
