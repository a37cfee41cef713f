import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { AppConfig } from '../../config/app-config.js';
import { parseTrustedProxies } from '../../config/trusted-proxies.js';
import { contextOf, runInContext, traceparentOf } from '../../metrics/tracing.js';
import {
  InternalError,
  InvalidHost,
  NoSuchPath,
  Overloaded,
  UnknownExpectation,
  WrongMethod,
} from '../errors/http.errors.js';
import { discard } from '../body/discard.js';
import { errorContent } from '../errors/error-content.js';
import type { ServiceError } from '../errors/service-error.js';
import { allowedMethods, isProbe } from '../routes.js';
import { sendClientErrorResponse, type ClientError } from './client-error-response.js';
import { ConcurrencyLimiter, releaseSlot, releaseSlotAfterClose } from './concurrency-limiter.js';
import type { Exchange } from './connection.js';
import { ConnectionDrain } from './connection-drain.js';
import { ConnectionTable } from './connection-table.js';
import { guardSockets } from './listen.js';
import { hasValidHost, requestIdFrom, setConstantHeaders, setContentHeaders } from './headers.js';
import {
  expressMessageClasses,
  type ClientErrorResponse,
  type RequestObserver,
  type TrackedResponse,
  type Tracking,
} from './tracked-response.js';

const OVERLOADED = new Overloaded();

const INCOMPLETE: ClientError = { code: 'ERR_HTTP_REQUEST_TIMEOUT' };

/** Express with JSON responses and client limits. */
export class JsonExpressAdapter extends ExpressAdapter {
  readonly slots: ConcurrencyLimiter;
  readonly publicSlots: ConcurrencyLimiter;
  /** Handles requests that match no route. */
  fallback: ((request: Request, response: Response & Tracking, next: NextFunction) => Promise<void>) | undefined;
  /** Whether a body may arrive in any number of small pieces. */
  isSigned: (request: IncomingMessage) => boolean = () => false;
  private readonly connections: ConnectionTable;
  private drain: ConnectionDrain | undefined;
  private readonly onClose: (this: TrackedResponse) => void;

  constructor(
    private readonly config: AppConfig,
    private readonly observers: readonly RequestObserver[],
  ) {
    const app = express();
    app.set('etag', false).set('x-powered-by', false).set('query parser', 'simple');
    app.set('case sensitive routing', true).set('strict routing', true);
    const isTrustedProxy = parseTrustedProxies(config.TRUST_PROXY)!;
    app.set('trust proxy', isTrustedProxy);
    super(app); // makes the settings final
    this.slots = new ConcurrencyLimiter(config.MAX_IN_FLIGHT);
    this.publicSlots = new ConcurrencyLimiter(config.MAX_PUBLIC_IN_FLIGHT, 0.8);
    const rejectIncomplete = (socket: Socket): void => this.rejectSocket(INCOMPLETE, socket, 0);
    const connections = (this.connections = new ConnectionTable(config, isTrustedProxy, rejectIncomplete));
    this.onClose = function () {
      releaseSlotAfterClose(this);
      for (const observer of observers) observer.responseClosed(this);
      connections.of(this.req)?.responseClosed();
    };
  }

  // see docs/performance.md#reply
  override reply(response: Response & Partial<Tracking>, body: unknown, statusCode?: number): void {
    if (body instanceof StreamableFile) {
      this.replyFile(response, body, statusCode);
      return;
    }
    releaseSlot(response);
    if (response.headersSent || response.destroyed) return;
    response.statusCode = statusCode ?? response.statusCode;
    const text = setContentHeaders(response, body);
    if (this.drain?.begun) response.setHeader('Connection', 'close');
    response.writeHead(response.statusCode);
    if (response.req.complete) response.end(text);
    else endAfterRequest(response, text);
  }

  /** After its first byte a file that fails is cut off, so that no client takes a part for the whole. */
  private replyFile(response: Response & Partial<Tracking>, file: StreamableFile, statusCode?: number): void {
    file.setErrorHandler((error) => {
      response.failure = error;
      if (response.headersSent) return void response.destroy();
      for (const name of ['Content-Length', 'Content-Disposition']) response.removeHeader(name);
      this.reject(new InternalError(), response.req, response);
    });
    super.reply(response, file, statusCode);
  }

  override setNotFoundHandler(...parameters: Parameters<ExpressAdapter['setNotFoundHandler']>): void {
    if (this.fallback) this.use(this.fallback);
    super.setNotFoundHandler(...parameters);
  }

  override initHttpServer(): void {
    const { REQUEST_TIMEOUT_MS: requestMs, KEEP_ALIVE_MS: keepAliveMs } = this.config;
    const server = createServer({
      ...expressMessageClasses(this.getInstance<Express>(), (request) => this.isSigned(request)),
      headersTimeout: requestMs,
      requestTimeout: requestMs,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: Math.min(1000, requestMs / 4),
      requireHostHeader: false, // Node's own response has no body
    });
    guardSockets(server);
    this.connections.attachTo(server);
    this.drain = new ConnectionDrain(server, this.connections);
    const process = this.process.bind(this);
    server.on('request', (request, response) => this.receive({ request, response, process }));
    const rejectExpectation = this.reject.bind(this, new UnknownExpectation());
    server.on('checkExpectation', (request, response) =>
      this.receive({ request, response, process: rejectExpectation }),
    );
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => this.rejectSocket(error, socket));
    server.on('connect', (_request, socket: Socket) =>
      this.rejectSocket(new WrongMethod('CONNECT', allowedMethods(this.getInstance<Express>())), socket),
    );
    this.setHttpServer(server);
  }

  async drainConnections(limitMs: number): Promise<void> {
    await this.drain?.finish(limitMs);
  }

  /** Also stops reading from the client for a while. */
  overload(request: IncomingMessage): ServiceError {
    this.connections.of(request)?.pauseAfterResponse();
    return OVERLOADED;
  }

  private receive(exchange: Exchange): void {
    const { request, response } = exchange;
    response.receivedAt = performance.now();
    response.requestId = requestIdFrom(request.headers);
    setConstantHeaders(response, response.requestId);
    response.trace = contextOf(request.headers['traceparent']);
    if (response.trace) {
      response.logFields['traceId'] = response.trace.traceId;
      response.setHeader('traceparent', traceparentOf(response.trace));
    }
    response.on('close', this.onClose);
    this.connections.of(request)?.receive(exchange);
  }

  private process(request: IncomingMessage, response: TrackedResponse): void {
    const limiter = request.headers.authorization === undefined ? this.publicSlots : this.slots;
    if (!hasValidHost(request)) this.reject(new InvalidHost(), request, response);
    else if (!isProbe(request) && limiter.isFullFor(request as Request))
      this.reject(this.overload(request), request, response);
    else
      runInContext(response.trace, () =>
        this.getInstance<Express>()(request as Request, asResponse(request, response), (error?: unknown) => {
          if (error) response.failure = error;
          this.reject(error ? new InternalError() : new NoSuchPath(), request, response);
        }),
      );
  }

  /** Express would send HTML. */
  reject(error: ServiceError, request: IncomingMessage, response: ServerResponse): void {
    const { headers, body } = errorContent(error, request.headers.accept);
    if (!response.headersSent) {
      response.removeHeader('Content-Type');
      response.setHeaders(new Map(Object.entries(headers)));
    }
    this.reply(asResponse(request, response), body, error.status);
  }

  private rejectSocket(error: ClientError | ServiceError, socket: Socket, closeDelayMs?: number): void {
    const observe = (sent: ClientErrorResponse): void => {
      for (const observer of this.observers) observer.clientErrorSent?.(sent);
    };
    sendClientErrorResponse(error, socket, observe, closeDelayMs);
  }
}

function asResponse(request: IncomingMessage, response: ServerResponse): Response {
  return Object.assign(response as Response, { req: request as Request });
}

/** After a close with unread bytes, clients may lose the response. */
function endAfterRequest(response: Response, text: string | Uint8Array): void {
  if (response.req.method === 'HEAD' || text.length === 0) response.flushHeaders();
  response.write(text);
  discard(response.req.socket, response.req);
  response.req.once('close', () => response.end());
}
