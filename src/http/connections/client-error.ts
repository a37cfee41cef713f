import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { discard } from '../body/discard.js';
import { BodyCutShort, ChunkExtensionsTooLarge } from '../errors/http.errors.js';
import {
  errorBody,
  errorHeaders,
  serviceError,
  type ServiceError,
} from '../errors/service-error.js';
import { CONSTANT_HEADERS } from '../headers.js';
import type { Connection } from './connection.js';

/** An error response to bytes that are not a request. */
export interface ClientErrorResponse {
  readonly requestId: string;
  readonly status: number;
  /** The word that is sent as `X-Error-Code`. */
  readonly code: string;
  readonly clientAddress: string;
}

const InvalidHttp = serviceError({
  code: 'invalid_http',
  status: 400,
  text: (reason: string) => `the request is not valid HTTP${reason}`,
});
export const RequestTimeout = serviceError({
  code: 'request_timeout',
  status: 408,
  text: 'the request did not arrive in time',
});
const HeadersTooLarge = serviceError({
  code: 'headers_too_large',
  status: 431,
  text: 'the request headers are too large',
});

/** The error for each code of Node's `clientError` event, as its documentation lists them. */
const ERRORS: Readonly<Record<string, new () => ServiceError>> = {
  HPE_HEADER_OVERFLOW: HeadersTooLarge,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ChunkExtensionsTooLarge,
  HPE_INVALID_EOF_STATE: BodyCutShort,
  ERR_HTTP_REQUEST_TIMEOUT: RequestTimeout,
};

/** Milliseconds until a connection is closed: at once, the response could be lost unread. */
const CLOSE_DELAY_MS = 1000;

/** Makes the error of what Node reports about a connection. */
export function clientErrorOf({ code = '', reason }: NodeJS.ErrnoException & { reason?: string }) {
  const KnownError = ERRORS[code];
  return KnownError ? new KnownError() : new InvalidHttp(reason ? `: ${reason}` : '');
}

/** Answers a malformed request, after the responses before it, and closes the connection. */
export function rejectConnection(
  connection: Connection,
  error: ServiceError,
  observe: (response: ClientErrorResponse) => void,
  closesAtOnce = false,
): void {
  const { socket, current } = connection;
  if (!socket.writable) return void socket.destroy();
  if (current?.request.complete) {
    current.response.once('close', () =>
      rejectConnection(connection, error, observe, closesAtOnce),
    );
    return;
  }
  setTimeout(() => socket.destroy(), CLOSE_DELAY_MS).unref();
  const text = JSON.stringify(errorBody(error));
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    ...errorHeaders(error),
    Connection: 'close',
  };
  if (current?.response.headersSent) return void socket.end();
  if (current) return void current.response.writeHead(error.status, headers).end(text);
  discard(socket, socket);
  const requestId = randomUUID();
  socket.end(rawResponse(error.status, { 'X-Request-Id': requestId, ...headers }, text), () => {
    if (closesAtOnce) socket.destroySoon();
    const clientAddress = socket.remoteAddress ?? '';
    observe({ requestId, status: error.status, code: error.code, clientAddress });
  });
}

function rawResponse(status: number, headers: object, text: string): string {
  const all = { ...Object.fromEntries(CONSTANT_HEADERS), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`;
}
