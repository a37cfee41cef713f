import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';
import { InternalError, RequestRejected } from './http.errors.js';
import { ServiceError } from './service-error.js';

/** Makes an error for clients of what was thrown; an exception of Nest keeps status and text. */
export function asServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (thrown instanceof HttpException) return rejection(thrown.getStatus(), textOf(thrown));
  const status = clientErrorStatus(thrown);
  return status === undefined ? new InternalError() : rejection(status, nameOf(status));
}

/** Reads the status that Express gives an error of the client, such as bad percent-encoding. */
function clientErrorStatus(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error) || !('status' in thrown)) return undefined;
  const { status } = thrown;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined;
}

function textOf(exception: HttpException): string {
  const response = exception.getResponse();
  const hasMessage = typeof response === 'object' && 'message' in response;
  return [hasMessage ? response.message : exception.message].flat().join('; ');
}

function rejection(status: number, text: string): ServiceError {
  const code = nameOf(status).replace(/[^a-z]+/g, '_');
  const headers = status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {};
  return Object.assign(new RequestRejected(text), { status, code, headers });
}

function nameOf(status: number): string {
  return (STATUS_CODES[status] ?? 'bad request').toLowerCase();
}
