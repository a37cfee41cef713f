import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Request, type Response } from 'express';
import { ConnectionDrain } from './connection-drain.js';
import { guardSockets } from './listen.js';
import { ConcurrencyLimiter } from './concurrency-limiter.js';
import { sendClientErrorResponse, type ClientError } from './client-error-response.js';
import { requestIdFrom, setConstantHeaders } from './response-headers.js';
import { InternalError, InvalidHost, NoSuchPath, Overloaded, UnknownExpectation } from '../errors/http.errors.js';
import { errorHeaders, type ServiceError } from '../errors/service-error.js';
import { expressMessageClasses, type TrackedResponse } from './tracked-response.js';
import type { RequestObserver } from '../observers/request-observer.js';

/** No longer than the Retry-After of `Overloaded`. */
const REST_MS = 1000;
const OVERLOADED = new Overloaded(); // one for all: to refuse must cost next to nothing

/** How much of what is admitted; times in milliseconds. */
export interface ServerLimits {
  /** Until the headers, and until the whole request, must have come: a slow sender is cut. */
  readonly requestMs: number;
  /** For which an idle connection is kept; longer than the proxy in front keeps its side. */
  readonly keepAliveMs: number;
  /** Open at once; what comes on top is closed without a word. */
  readonly connections: number;
  /** Requests worked on at once; what comes on top is answered 503. Probes under /health/ are always let in. */
  readonly inFlight: number;
}

/** Express as this service speaks through it: JSON bodies in and out, and nothing done for a request that no route needs. */
export class JsonExpressAdapter extends ExpressAdapter {
  readonly inFlight: ConcurrencyLimiter;
  private drain: ConnectionDrain | undefined;
  private readonly whenClosed: (this: TrackedResponse) => void;

  constructor(
    private readonly limits: ServerLimits,
    private readonly observers: readonly RequestObserver[],
  ) {
    const app = express();
    app.set('etag', false).set('x-powered-by', false).set('query parser', 'simple');
    app.set('case sensitive routing', true).set('strict routing', true);
    super(app); // which makes the router and, with it, these settings final
    const inFlight = (this.inFlight = new ConcurrencyLimiter(limits.inFlight));
    this.whenClosed = function () {
      inFlight.connectionClosed(this);
      for (const observer of observers) observer.responseClosed(this);
    };
  }

  // see docs/performance.md#reply
  override reply(response: Response, body: unknown, statusCode?: number): void {
    this.inFlight.leave(response);
    if (response.headersSent || response.destroyed) return;
    const text = typeof body === 'string' ? body : JSON.stringify(body ?? {});
    if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(text));
    if (this.drain?.begun) response.setHeader('Connection', 'close');
    response.writeHead(statusCode ?? response.statusCode);
    if (response.req.complete) response.end(text);
    else endAfterRequest(response, text);
  }

  override initHttpServer(): void {
    const { requestMs, keepAliveMs, connections } = this.limits;
    const server = createServer({
      ...expressMessageClasses(this.getInstance<Express>()),
      headersTimeout: requestMs,
      requestTimeout: requestMs,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: Math.min(1000, requestMs / 4),
      requireHostHeader: false, // Node would answer with an empty body; the listener below says what is missing
    });
    server.maxConnections = connections;
    this.drain = new ConnectionDrain(server);
    guardSockets(server);
    server.on('connection', ({ remoteAddress }: Socket) => remoteAddress); // asked in time, it is remembered after a reset
    server.on('request', (request, response) => this.receive(request, response));
    server.on('checkExpectation', (request, response) => {
      this.begin(request, response);
      this.refuse(new UnknownExpectation(), request, response);
    });
    this.answerWhatIsNoRequest(server);
    this.setHttpServer(server);
  }

  /** Takes no new connections, answers what comes on the others, and resolves when all are closed: see `ConnectionDrain`. */
  async drainConnections(limitMs: number): Promise<void> {
    await this.drain?.finish(limitMs);
  }

  private receive(request: IncomingMessage, response: TrackedResponse): void {
    this.begin(request, response);
    if (!hasValidHost(request)) this.refuse(new InvalidHost(), request, response);
    else if (!isProbe(request) && !this.inFlight.enter(response)) {
      this.refuse(OVERLOADED, request, response);
      response.once('close', () => rest(request.socket));
    } else
      this.getInstance<Express>()(request as Request, asResponse(request, response), (error?: unknown) => {
        if (error) response.failure = error; // even the error filter failed
        this.refuse(error ? new InternalError() : new NoSuchPath(), request, response);
      });
  }

  private begin(request: IncomingMessage, response: TrackedResponse): void {
    response.receivedAt = performance.now();
    response.requestId = requestIdFrom(request.headers);
    setConstantHeaders(response, response.requestId);
    response.on('close', this.whenClosed);
  }

  /** For requests that never reach the router: Express would answer them with a page of HTML. */
  private refuse(error: ServiceError, request: IncomingMessage, response: TrackedResponse): void {
    response.setHeaders(new Map(Object.entries(errorHeaders(error))));
    this.reply(asResponse(request, response), { error: error.message }, error.status);
  }

  private answerWhatIsNoRequest(server: Server): void {
    const refuse = (fault: ClientError, socket: Socket): void =>
      sendClientErrorResponse(fault, socket, (answer) => {
        for (const observer of this.observers) observer.clientErrorSent(answer);
      });
    server.on('clientError', (fault: NodeJS.ErrnoException, socket: Socket) => refuse(fault, socket));
    server.on('connect', (_request, socket: Socket) => refuse({ code: 'CONNECT' }, socket));
  }
}

/**
 * Reads nothing for a while from a client that was told to come again later. One that heeds it does not notice; crowds
 * that do not were seen to keep the process busy with nothing but refusing them.
 */
function rest(socket: Socket): void {
  socket.pause();
  setTimeout(() => socket.resume(), REST_MS).unref();
}

/** What Express makes of a response, once it got hold of it. */
function asResponse(request: IncomingMessage, response: ServerResponse): Response {
  return Object.assign(response as Response, { req: request as Request });
}

/** Node keeps the first of several and says nothing. HTTP/1.0 has none. */
function hasValidHost({ headers, httpVersion, rawHeaders }: IncomingMessage): boolean {
  if (headers.host === undefined) return httpVersion === '1.0';
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count === 1;
}

function isProbe({ url }: IncomingMessage): boolean {
  return url?.startsWith('/health/') === true;
}

/**
 * Answers a request whose body is still on its way. Ending at once would let Node close the connection over bytes that
 * were not read, whereupon the sender's own system throws the answer away. The time limit of a request bounds the wait.
 */
function endAfterRequest(response: Response, text: string): void {
  if (response.req.method === 'HEAD') response.flushHeaders(); // no body takes them along
  response.write(text);
  response.req.once('close', () => response.end()).resume();
}
