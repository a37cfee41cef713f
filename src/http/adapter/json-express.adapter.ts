import { createServer, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { parse, type ParsedUrlQuery } from 'node:querystring';
import { HttpException, StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Response } from 'express';
import type { DatabaseConfig } from '../../config/database.config.js';
import type { LimitsConfig } from '../../config/limits.config.js';
import type { ServerConfig } from '../../config/server.config.js';
import { parseTrustedProxies } from '../../config/trusted-proxies.js';
import { discard } from '../body/discard.js';
import { Connections } from '../connections/connections.js';
import { asServiceError, InvalidHttp, NoSuchPath, Overloaded } from '../errors/http.errors.js';
import { ErrorResponse, type ServiceError } from '../errors/service-error.js';
import { releaseSlot, RequestSlots } from './request-slots.js';
import {
  expressMessageClasses,
  identify,
  type RequestObserver,
  type TrackedFields,
  type TrackedResponse,
} from './tracked-response.js';

type ExpressResponse = Response & TrackedResponse;
/** A response as Nest passes it. */
type NestResponse = Response & Partial<TrackedFields>;

/** Runs Express under Nest, with JSON errors, limits on clients, and observers of requests. */
export class JsonExpressAdapter extends ExpressAdapter {
  /** Slots of requests with a token. */
  readonly slots: RequestSlots;
  /** Slots of requests without a token, which therefore cannot take those of the others. */
  readonly anonymousSlots: RequestSlots;
  readonly connections: Connections;
  private readonly classes: ReturnType<typeof expressMessageClasses>;

  constructor(
    private readonly config: LimitsConfig &
      ServerConfig &
      Pick<DatabaseConfig, 'RESPONSE_TIMEOUT_MS'>,
    private readonly observers: readonly RequestObserver[],
  ) {
    const app = express();
    app.set('etag', false).set('x-powered-by', false).set('query parser', parseQuery);
    app.set('case sensitive routing', true).set('strict routing', true);
    const isTrustedProxy = parseTrustedProxies(config.TRUST_PROXY)!;
    app.set('trust proxy', isTrustedProxy);
    super(app); // from here on the settings of Express are final
    this.slots = new RequestSlots(config.MAX_IN_FLIGHT);
    this.anonymousSlots = new RequestSlots(Math.ceil(0.3 * config.MAX_IN_FLIGHT));
    this.connections = new Connections(
      config,
      isTrustedProxy,
      this.rejectMalformed.bind(this),
      (response) => this.rejectLate(response as ExpressResponse),
    );
    this.classes = expressMessageClasses(app, (request) => this.connections.isEarly(request));
  }

  /** Writes JSON in one piece, and leaves the rest to Express; see docs/performance.md#reply. */
  override reply(response: NestResponse, body: unknown, statusCode?: number): void {
    if (response.isLate) {
      releaseSlot(response);
      if (body instanceof StreamableFile) body.getStream().destroy();
      return;
    }
    if (body instanceof StreamableFile) {
      // If reading fails, the connection is cut: a part would be taken for the whole.
      body.setErrorHandler((error) => response.destroy(error));
      super.reply(response, body, statusCode);
      return;
    }
    const status = statusCode ?? response.statusCode;
    const error = body instanceof ErrorResponse ? body.of : exceptionIn(body, status);
    if (error) this.reject(error, response);
    else {
      releaseSlot(response);
      this.send(response, body, status);
    }
  }

  /** Sends what was thrown, once all that arrived is read: see docs/performance.md#rejections */
  reject(thrown: unknown, response: NestResponse): void {
    const error = asServiceError(thrown);
    if (error.getStatus() >= 500) response.failure = error.cause ?? error;
    setImmediate(() => {
      releaseSlot(response);
      if (!response.headersSent) this.sendError(response, error);
      else if (!response.writableEnded) this.end(response);
    });
  }

  /** Answers in place of a handler that takes too long, and keeps its slot until it is done. */
  private rejectLate(response: ExpressResponse): void {
    const error = new Overloaded('the response took too long');
    response.isLate = true;
    response.failure = error;
    response.on('error', () => undefined); // of what the handler writes later
    this.sendError(response, error);
  }

  private sendError(response: NestResponse, error: ServiceError): void {
    response.removeHeader('Content-Type');
    response.setHeaders(new Map(Object.entries(error.getHeaders())));
    this.send(response, error.getResponse(), error.getStatus());
  }

  private send(response: NestResponse, body: unknown, status: number): void {
    if (response.headersSent || response.destroyed) return;
    if (typeof body !== 'object' || body === null || status === 204 || status === 304) {
      super.reply(response, body, status);
      return;
    }
    response.statusCode = status;
    const text = JSON.stringify(body);
    if (!response.hasHeader('Content-Type'))
      response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(text));
    if (response.req.complete) response.end(text);
    else endAfterRequest(response, text);
  }

  /** Cuts a response that fails halfway: ended, as Nest's filter would, it is taken for whole. */
  override end(response: NestResponse): void {
    releaseSlot(response);
    response.destroy();
  }

  /** Answers a request without a route. Nest would throw what a route may throw as well. */
  override setNotFoundHandler(): void {
    this.use((_request: Request, response: Response) => this.reject(new NoSuchPath(), response));
  }

  override initHttpServer(): void {
    const { REQUEST_TIMEOUT_MS: requestMs, KEEP_ALIVE_MS: keepAliveMs } = this.config;
    const server = createServer({
      ...this.classes,
      headersTimeout: requestMs,
      requestTimeout: requestMs,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: Math.min(1000, requestMs / 4),
      requireHostHeader: false, // Node would respond by itself
    });
    this.connections.attachTo(server);
    const receive = (_request: unknown, response: ServerResponse): void =>
      this.receive(response as ExpressResponse);
    server.on('request', receive).on('checkExpectation', receive);
    this.setHttpServer(server);
  }

  private receive(response: ExpressResponse): void {
    if (!this.connections.begin(response)) return;
    identify(response);
    response.on('close', () => this.observe(response));
    const reject = (thrown: unknown): void => this.reject(thrown ?? new NoSuchPath(), response);
    const { headers, httpVersion } = response.req;
    if (headers.host === undefined && httpVersion === '1.1') {
      reject(new InvalidHttp('the header Host is missing'));
      return;
    }
    this.getInstance<Express>()(response.req, response, reject);
  }

  private observe(response: TrackedResponse): void {
    for (const observe of this.observers) observe(response);
  }

  /** Responds to an incomplete request, or on a socket to bytes that are not a request. */
  private rejectMalformed(error: ServiceError, to: ServerResponse | Socket): void {
    const response = to instanceof Socket ? this.createResponse(to) : to;
    response.setHeader('Connection', 'close');
    this.reject(error, response as ExpressResponse);
  }

  private createResponse(socket: Socket): ServerResponse {
    const request = Object.assign(new this.classes.IncomingMessage(socket), { complete: true });
    const response = new this.classes.ServerResponse(request) as ExpressResponse;
    identify(response);
    response.assignSocket(socket); // undocumented: raw-http.e2e-spec shows if a release changes it
    return response.once('finish', () => this.observe(response));
  }
}

/** Parses a query as Express' simple parser does, which drops what follows 1,000 parameters. */
function parseQuery(text: string): ParsedUrlQuery {
  return parse(text, '&', '=', { maxKeys: 0 });
}

/** Returns the error of a body as Nest's own filter makes it, for a filter of a module. */
function exceptionIn(body: unknown, status: number): ServiceError | undefined {
  if (status < 400) return undefined;
  const { statusCode } = Object(body) as { statusCode?: unknown };
  if (statusCode !== status) return undefined;
  return asServiceError(status === 500 ? body : new HttpException(body as object, status));
}

/** Ends the response after the request: a close with unread bytes could lose the response. */
function endAfterRequest(response: Response, text: string): void {
  if (response.req.method === 'HEAD') response.flushHeaders();
  response.write(text);
  discard(response.req);
  response.req.once('close', () => response.end());
}
