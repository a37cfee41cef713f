import { createServer } from 'node:http';
import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Request, type Response } from 'express';
import type { LimitsConfig } from '../../config/limits.config.js';
import type { ServerConfig } from '../../config/server.config.js';
import { parseTrustedProxies } from '../../config/trusted-proxies.js';
import { discard } from '../body/discard.js';
import { Connections } from '../connections/connections.js';
import { asServiceError, NoSuchPath, Overloaded } from '../errors/http.errors.js';
import { errorBody, errorHeaders, type ServiceError } from '../errors/service-error.js';
import { requestIdFrom, setConstantHeaders } from '../headers.js';
import { needsNoSlot, RequestSlots, releaseSlotAfterClose } from './request-slots.js';
import {
  expressMessageClasses,
  type RequestObserver,
  type TrackedResponse,
  type TrackedFields,
} from './tracked-response.js';

/** Requests without a token that may be in work, as a fraction of those with one. */
const ANONYMOUS_SHARE = 0.3;

/** Express under Nest, with JSON errors, limits on clients, and observers of requests. */
export class JsonExpressAdapter extends ExpressAdapter {
  /** Slots of requests with a token. */
  readonly slots: RequestSlots;
  /** Slots of requests without a token, which therefore cannot take those of the others. */
  readonly anonymousSlots: RequestSlots;
  private readonly connections: Connections;
  private readonly onClose: (this: TrackedResponse) => void;

  constructor(
    private readonly config: LimitsConfig & ServerConfig,
    observers: readonly RequestObserver[],
  ) {
    const app = express();
    app.set('etag', false).set('x-powered-by', false).set('query parser', 'simple');
    app.set('case sensitive routing', true).set('strict routing', true);
    const isTrustedProxy = parseTrustedProxies(config.TRUST_PROXY)!;
    app.set('trust proxy', isTrustedProxy);
    super(app); // from here on the settings of Express are final
    this.slots = new RequestSlots(config.MAX_IN_FLIGHT);
    this.anonymousSlots = new RequestSlots(Math.ceil(ANONYMOUS_SHARE * config.MAX_IN_FLIGHT));
    const connections = (this.connections = new Connections(config, isTrustedProxy, (sent) => {
      for (const observer of observers) observer.clientErrorSent?.(sent);
    }));
    this.onClose = function () {
      releaseSlotAfterClose(this);
      for (const observer of observers) observer.responseClosed(this);
      connections.responseClosed(this.req);
    };
  }

  /** Writes JSON in one piece, and leaves the rest to Express; see docs/performance.md#reply. */
  override reply(
    response: Response & Partial<TrackedFields>,
    body: unknown,
    statusCode?: number,
  ): void {
    if (body instanceof StreamableFile) {
      cutOffOnError(response, body);
      super.reply(response, body, statusCode);
      return;
    }
    response.releaseSlot?.();
    if (response.headersSent || response.destroyed) return;
    const status = statusCode ?? response.statusCode;
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

  /** Sends an error as `{"error": "..."}`. */
  reject(error: ServiceError, response: Response & Partial<TrackedFields>): void {
    if (!response.headersSent) {
      response.removeHeader('Content-Type');
      for (const [name, value] of Object.entries(errorHeaders(error)))
        response.setHeader(name, value);
    }
    this.reply(response, errorBody(error), error.status);
  }

  /** Answers what no route has; Nest's handler throws what a route may throw too. */
  override setNotFoundHandler(): void {
    this.use((_request: Request, response: Response) => this.reject(new NoSuchPath(), response));
  }

  override initHttpServer(): void {
    const { REQUEST_TIMEOUT_MS: requestMs, KEEP_ALIVE_MS: keepAliveMs } = this.config;
    const server = createServer({
      ...expressMessageClasses(this.getInstance<Express>()),
      headersTimeout: requestMs,
      requestTimeout: requestMs,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: Math.min(1000, requestMs / 4),
    });
    this.connections.attachTo(server);
    server.on('request', (request, response) =>
      this.receive(request as Request, response as Response & TrackedResponse<Request>),
    );
    this.setHttpServer(server);
  }

  /** Closes the connections as their requests are answered, all of them at the limit. */
  async drainConnections(limitMs: number): Promise<void> {
    await this.connections.drain(limitMs);
  }

  private receive(request: Request, response: Response & TrackedResponse<Request>): void {
    response.receivedAt = performance.now();
    response.requestId = requestIdFrom(request.headers);
    setConstantHeaders(response, response.requestId);
    response.on('close', this.onClose);
    this.connections.receive({ request, response, start: () => this.process(request, response) });
  }

  private process(request: Request, response: Response & TrackedResponse<Request>): void {
    const slots = request.headers.authorization === undefined ? this.anonymousSlots : this.slots;
    if (slots.isFull && !needsNoSlot(request)) {
      this.reject(new Overloaded(), response);
      return;
    }
    this.getInstance<Express>()(request, response, (thrown?: unknown) => {
      response.failure = thrown;
      // The target * has no path.
      this.reject(thrown ? asServiceError(thrown) : new NoSuchPath(), response);
    });
  }
}

/** Cuts the connection if reading a file fails, so that no client takes a part for the whole. */
function cutOffOnError(response: Response & Partial<TrackedFields>, file: StreamableFile): void {
  file.setErrorHandler((error) => {
    response.failure = error;
    response.destroy();
  });
}

/** Ends the response after the request: a close with unread bytes could lose the response. */
function endAfterRequest(response: Response, text: string): void {
  if (response.req.method === 'HEAD') response.flushHeaders();
  response.write(text);
  discard(response.req, response.req.socket);
  response.req.once('close', () => response.end());
}
