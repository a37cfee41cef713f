import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { watchPieces } from '../body/read-body.js';
import { asServiceError } from '../errors/http.errors.js';

/** Answers whatever is thrown with `{"error": "..."}`; its status follows from its class. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    sendError(thrown, host.switchToHttp().getResponse<Response>());
  }
}

/** Ends the work on a request by an error. */
export function sendError(thrown: unknown, response: Response): void {
  response.locals.releaseSlot?.();
  writeError(thrown, response);
}

/** Writes an error, or cuts a response that fails halfway: ended, it would be taken for whole. */
export function writeError(thrown: unknown, response: Response): void {
  const error = asServiceError(thrown);
  if (error.getStatus() >= 500) response.locals.failure = error.cause ?? error;
  if (response.headersSent) {
    if (!response.writableEnded) response.destroy();
    return;
  }
  response.removeHeader('Content-Type');
  response.status(error.getStatus()).set(error.getHeaders());
  if (response.req.complete) response.json(error.getResponse());
  else endAfterRequest(response, JSON.stringify(error.getResponse()));
}

/** Ends the response after the request: a close with unread bytes could lose the response. */
function endAfterRequest(response: Response, text: string): void {
  const request: Request = response.req;
  response.type('json').set('Content-Length', String(Buffer.byteLength(text)));
  if (request.method === 'HEAD') response.flushHeaders();
  response.write(text);
  watchPieces(request, () => request.destroy());
  request.resume().once('close', () => response.end());
}
