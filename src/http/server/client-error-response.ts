import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { discard } from '../body/discard.js';
import { errorContent } from '../errors/error-content.js';
import { serviceError, ServiceError } from '../errors/service-error.js';
import { BodyCutShort, ChunkExtensionsTooLarge } from '../errors/http.errors.js';
import { CONSTANT_HEADERS } from './headers.js';
import type { ClientErrorResponse, TrackedResponse } from './tracked-response.js';

export interface ClientError {
  readonly code?: string | undefined;
  readonly reason?: string;
}

const InvalidHttp = serviceError('invalid_http', 400, (reason: string) => `the request is not valid HTTP${reason}`);
const RequestTimeout = serviceError('request_timeout', 408, 'the request did not arrive in time');
const HeadersTooLarge = serviceError('headers_too_large', 431, 'the request headers are too large');

const ERRORS: Readonly<Record<string, ServiceError>> = {
  HPE_HEADER_OVERFLOW: new HeadersTooLarge(),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new ChunkExtensionsTooLarge(),
  HPE_INVALID_EOF_STATE: new BodyCutShort(),
  ERR_HTTP_REQUEST_TIMEOUT: new RequestTimeout(),
};

/** Closing at once could discard the unread response. */
const CLOSE_DELAY_MS = 1000;

const rejected = new WeakSet<Socket>();

/** Rejects bytes that are no request, after earlier responses. An invalid body is observed with its request. */
export function sendClientErrorResponse(
  clientError: ClientError | ServiceError,
  socket: Socket,
  observe: (response: ClientErrorResponse) => void,
  closeDelayMs = CLOSE_DELAY_MS,
): void {
  if (rejected.has(socket)) return;
  rejected.add(socket);
  const rejectInTurn = (): void => {
    if (!socket.writable || clientError.code === 'ECONNRESET') return void socket.destroy();
    const response = currentResponse(socket);
    if (response?.req.complete) return void response.once('close', rejectInTurn);
    discard(socket);
    setTimeout(() => socket.destroy(), CLOSE_DELAY_MS).unref();
    if (response?.headersSent) return void socket.end();
    const error = clientError instanceof ServiceError ? clientError : errorOf(clientError);
    const requestId = response?.requestId ?? randomUUID();
    response?.setHeader('X-Error-Code', error.code);
    const clientAddress = socket.remoteAddress ?? '';
    socket.end(toBytes(error, requestId), (writeError?: Error | null) => {
      if (closeDelayMs === 0) socket.destroySoon();
      if (writeError) return;
      if (response) response.rawStatus = error.status;
      else observe({ requestId, status: error.status, code: error.code, clientAddress });
    });
  };
  rejectInTurn();
}

function errorOf({ code = '', reason }: ClientError): ServiceError {
  return ERRORS[code] ?? new InvalidHttp(reason ? `: ${reason}` : '');
}

/** Reads an undocumented property of Node. */
function currentResponse(socket: Socket): TrackedResponse | undefined {
  return '_httpMessage' in socket ? ((socket._httpMessage as TrackedResponse | null) ?? undefined) : undefined;
}

function toBytes(error: ServiceError, requestId: string): string {
  const content = errorContent(error);
  const body = JSON.stringify(content.body);
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': requestId,
    ...Object.fromEntries(CONSTANT_HEADERS),
    ...content.headers,
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${body}`;
}
