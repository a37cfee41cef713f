import { randomUUID } from 'node:crypto';
import { createServer, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { parse } from 'node:querystring';
import { finished } from 'node:stream';
import { HttpException, StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import type { DatabaseConfig } from '../../config/database.config.js';
import type { LimitsConfig } from '../../config/limits.config.js';
import type { ServerConfig } from '../../config/server.config.js';
import { timeLimits } from '../../config/time-limits.js';
import { parseTrustedProxies } from '../../config/trusted-proxies.js';
import {
  asServiceError,
  BodyCutShort,
  HeadersTooLarge,
  InvalidHttp,
  NoSuchPath,
  RequestTimeout,
} from '../errors/http.errors.js';
import { ServiceError } from '../errors/service-error.js';
import { sendError } from './error.filter.js';
import { CONSTANT_HEADERS, type RequestObserver, trackRequest } from './track-request.js';

/** Milliseconds in which a client may read why its connection is closed. */
const FAREWELL_MS = 1000;

/** The error for each code of Node's `clientError` event that its documentation lists. */
const CLIENT_ERRORS: Readonly<Record<string, new () => ServiceError>> = {
  HPE_HEADER_OVERFLOW: HeadersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: RequestTimeout,
};

/** An open connection. */
interface Connection {
  readonly remoteAddress: string;
  /** The last request's response, until it is sent. */
  response: Response | undefined;
  /** What had been read when it was sent: no more means that the connection is idle. */
  bytesRead: number;
}

/** Nest's adapter of Express with our settings, Node's limits of connections, and our errors. */
export class ServiceExpressAdapter extends ExpressAdapter {
  /** The open connections, which a shutdown closes. */
  readonly connections = new Map<Socket, Connection>();
  private readonly track: RequestHandler;

  constructor(
    private readonly config: LimitsConfig &
      ServerConfig &
      Pick<DatabaseConfig, 'RESPONSE_TIMEOUT_MS'>,
    private readonly observers: readonly RequestObserver[],
  ) {
    const app = express();
    app.set('etag', false).set('x-powered-by', false);
    app.set('case sensitive routing', true).set('strict routing', true);
    app.set('trust proxy', parseTrustedProxies(config.TRUST_PROXY)!);
    // Express' own parser drops what follows 1,000 parameters, and so a repeated one.
    app.set('query parser', (text: string) => parse(text, '&', '=', { maxKeys: 0 }));
    super(app);
    this.track = trackRequest(observers, timeLimits(config).answer);
    this.use(this.track);
  }

  override initHttpServer(): void {
    const { REQUEST_TIMEOUT_MS: requestMs, KEEP_ALIVE_MS, MAX_CONNECTIONS } = this.config;
    const server = createServer({
      headersTimeout: requestMs,
      requestTimeout: requestMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: Math.min(1000, requestMs / 4),
      requireHostHeader: false, // Node would respond by itself
    });
    server.maxConnections = MAX_CONNECTIONS;
    server.maxHeadersCount = 0; // more would be dropped; 16 kB bound them
    this.setHttpServer(server);
    this.serve(server);
  }

  private serve(server: Server): void {
    const receive = (request: unknown, response: unknown): void =>
      this.receive(request as Request, response as Response);
    server.on('request', receive).on('checkExpectation', receive);
    server.on('connection', (socket: Socket) => {
      // Node removes its own listener before CONNECT, and an unhandled error ends the process.
      socket.on('error', () => socket.destroy());
      socket.on('close', () => this.connections.delete(socket));
      // Node keeps an address that was read once: the kernel forgets a client that is gone.
      const { remoteAddress = 'unknown' } = socket;
      this.connections.set(socket, { remoteAddress, response: undefined, bytesRead: 0 });
    });
    server.on('clientError', ({ code, message }: NodeJS.ErrnoException, socket: Socket) => {
      const KnownError = socket.readableEnded ? BodyCutShort : CLIENT_ERRORS[code ?? ''];
      this.rejectMalformed(KnownError ? new KnownError() : new InvalidHttp(message), socket);
    });
    server.setTimeout(this.config.REQUEST_TIMEOUT_MS, (socket: Socket) => {
      if (socket.writableLength > 0) socket.resetAndDestroy(); // the client reads nothing
    });
  }

  private receive(request: Request, response: Response): void {
    const connection = this.connections.get(request.socket);
    if (connection) connection.response = response;
    response.on('close', () => {
      if (connection?.response === response)
        Object.assign(connection, { response: undefined, bytesRead: request.socket.bytesRead });
    });
    this.getInstance<Express>()(request, response, (thrown: unknown) => {
      // No middleware is asked about what has no path, such as `GET http://`.
      const reject = (): void => sendError(thrown ?? new NoSuchPath(), response);
      void this.track(request, response, reject);
    });
  }

  /** Answers what is not valid HTTP or does not arrive in time, and closes the connection. */
  private rejectMalformed(error: ServiceError, socket: Socket): void {
    const response = this.connections.get(socket)?.response;
    if (!socket.writable) return; // it was answered
    if (response && !response.headersSent) response.set('Connection', 'close');
    if (response?.req.complete) return; // what follows a request in work
    if (response && !response.headersSent) sendError(error, response);
    if (response)
      setImmediate(() => socket.end()); // once the response is written
    else this.writeError(error, socket);
    setTimeout(() => socket.destroy(), FAREWELL_MS).unref();
  }

  /** Writes a response for bytes that are not a request. */
  private writeError(error: ServiceError, socket: Socket): void {
    const [status, requestId] = [error.getStatus(), randomUUID()];
    const body = JSON.stringify(error);
    const headers = {
      ...Object.fromEntries(CONSTANT_HEADERS),
      ...error.getHeaders(),
      'X-Request-Id': requestId,
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      Connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
    const clientAddress = this.connections.get(socket)?.remoteAddress ?? 'unknown';
    const { errorCode: code } = error;
    for (const observe of this.observers)
      observe({ requestId, clientAddress, status, code, ms: 0 });
  }

  override setNotFoundHandler(): void {
    // Nest would throw what a route may throw as well.
    this.use((_request: Request, response: Response) => sendError(new NoSuchPath(), response));
  }

  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (body instanceof StreamableFile) {
      // If reading fails, the connection is cut: a part would be taken for the whole.
      body.setErrorHandler((error) => response.destroy(error));
      // The client may be gone, and its response closed, before the slot was taken.
      finished(body.getStream(), () => response.locals.releaseSlot?.());
      return super.reply(response, body, statusCode);
    }
    const error = errorOf(body, statusCode ?? response.statusCode);
    if (error) {
      sendError(error, response);
      return response;
    }
    response.locals.releaseSlot?.();
    return super.reply(response, body, statusCode);
  }

  /** Cuts a response that fails halfway: ended, as Nest's filter would, it is taken for whole. */
  override end(response: Response): void {
    response.destroy();
  }
}

/** Returns the error of a body as Nest's own filter makes it, for a filter of a module. */
function errorOf(body: unknown, status: number): ServiceError | undefined {
  if (body instanceof ServiceError) return body;
  const { statusCode } = Object(body) as { statusCode?: unknown };
  if (status < 400 || statusCode !== status) return undefined;
  return asServiceError(status === 500 ? body : new HttpException(body as object, status));
}
