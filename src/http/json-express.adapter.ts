import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Request, Response } from 'express';
import { refuseRawRequest } from './raw-refusal.js';
import { errorHeaders, NoSuchPath, RefusedByRouter } from './router.errors.js';

/** Time limits of a connection, in milliseconds. */
export interface ConnectionLimits {
  /** Until the headers, and until the whole request, must have come: a slow sender is cut. */
  readonly requestMs: number;
  /** For which an idle connection is kept; longer than the proxy in front keeps its side. */
  readonly keepAliveMs: number;
}

/** Express as this service speaks through it: JSON bodies in and out, and nothing done for a request that no route needs. */
export class JsonExpressAdapter extends ExpressAdapter {
  constructor(private readonly limits: ConnectionLimits) {
    super();
    const express = this.getInstance<Express>();
    express.set('etag', false).set('x-powered-by', false).set('query parser', 'simple');
    express.set('case sensitive routing', true).set('strict routing', true);
  }

  /** Writes the answer in one piece. Express' own `json()` was seen to cost a sixth of the uploads a second. */
  override reply(response: Response, body: unknown, statusCode?: number): void {
    if (response.headersSent || response.destroyed) return;
    const text = typeof body === 'string' ? body : JSON.stringify(body ?? {});
    if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(text));
    response.writeHead(statusCode ?? response.statusCode).end(text);
  }

  override initHttpServer(): void {
    const { requestMs, keepAliveMs } = this.limits;
    const server = createServer({
      headersTimeout: requestMs,
      requestTimeout: requestMs,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: Math.min(1000, requestMs / 4),
      requireHostHeader: false, // Node would answer with an empty body; the listener below says what is missing
    });
    server.on('request', (request, response) => this.receive(request, response));
    server.on('checkExpectation', (request, response) => this.refuse(417, request, response));
    this.answerWhatIsNoRequest(server);
    this.setHttpServer(server);
  }

  private receive(request: IncomingMessage, response: ServerResponse): void {
    const express = this.getInstance<Express>();
    if (request.headers.host === undefined && request.httpVersion === '1.1') this.refuse(400, request, response);
    else
      express(request as Request, response as Response, (error?: unknown) =>
        this.refuse(error ? 400 : 404, request, response),
      );
  }

  /** For requests that never reach the router: Express would answer them with a page of HTML. */
  private refuse(status: number, request: IncomingMessage, response: ServerResponse): void {
    const error = status === 404 ? new NoSuchPath() : new RefusedByRouter(status);
    response.setHeaders(new Map(Object.entries(errorHeaders(error))));
    this.reply(Object.assign(response as Response, { req: request as Request }), { error: error.message }, status);
  }

  private answerWhatIsNoRequest(server: Server): void {
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => refuseRawRequest(error.code, socket));
    server.on('connect', (_request, socket: Socket) => refuseRawRequest('CONNECT', socket));
  }
}
