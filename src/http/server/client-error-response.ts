import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ChunkExtensionsTooLarge } from '../errors/too-large.errors.js';
import { CONSTANT_HEADERS } from './response-headers.js';
import type { TrackedResponse } from './tracked-response.js';
import type { ClientErrorResponse } from '../observers/request-observer.js';

/** What is wrong with bytes that became no request: Node's error, or its like. */
export interface ClientError {
  readonly code?: string | undefined;
  /** The HTTP parser's own few words. */
  readonly reason?: string;
}

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly text: string;
  readonly headers?: readonly string[];
}

const { status, code, message: text } = new ChunkExtensionsTooLarge();

const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: { status: 431, code: 'headers_too_large', text: 'the request headers are too large' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status, code, text },
  HPE_INVALID_EOF_STATE: { status: 400, code: 'body_cut_short', text: 'the request ended before it was complete' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'request_timeout', text: 'the request did not arrive in time' },
  CONNECT: {
    status: 405,
    code: 'method_not_allowed',
    text: 'CONNECT is not possible here',
    headers: ['Allow: GET, HEAD, POST'],
  },
};

/** For which a refused sender may go on sending. Closing at once could take the answer away before it was read. */
const LINGER_MS = 1000;

const refused = new WeakSet<Socket>();

/**
 * Answers bytes that are no HTTP request, or came too slowly to become one, in the same form as every other error, and
 * closes the connection. Good requests that came before them on the connection are answered first. `observe` is not
 * called where there is nobody to answer, or where the bytes began a request: its own log line tells.
 */
export function sendClientErrorResponse(
  fault: ClientError,
  socket: Socket,
  observe: (answer: ClientErrorResponse) => void,
): void {
  if (refused.has(socket)) return; // the rest of what was refused
  refused.add(socket);
  if (fault.code === 'ECONNRESET') socket.destroy();
  else refuseInTurn(fault, socket, observe);
}

function refuseInTurn(fault: ClientError, socket: Socket, observe: (answer: ClientErrorResponse) => void): void {
  if (!socket.writable) return void socket.destroy();
  const response = responseOn(socket);
  if (response?.req.complete) return void response.once('close', () => refuseInTurn(fault, socket, observe));
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  if (response?.headersSent) return void socket.end(); // it was answered before its body had come
  const refusal = refusalOf(fault);
  const requestId = response?.requestId ?? randomUUID();
  const clientAddress = socket.remoteAddress ?? '';
  socket.end(bytesOf(refusal, requestId), (error?: Error | null) => {
    if (error) return; // a reset looks like an end, until one writes
    if (response) response.rawStatus = refusal.status;
    else observe({ requestId, status: refusal.status, clientAddress });
  });
}

/** The oldest response that the connection waits for; Node shows it nowhere else. */
function responseOn(socket: Socket): TrackedResponse | undefined {
  return '_httpMessage' in socket ? ((socket._httpMessage as TrackedResponse | null) ?? undefined) : undefined;
}

function refusalOf({ code, reason }: ClientError): Refusal {
  const known = REFUSALS[code ?? ''];
  const told = reason === undefined ? '' : `: ${reason}`;
  return known ?? { status: 400, code: 'invalid_http', text: `the request is not valid HTTP${told}` };
}

function bytesOf({ status, code, text, headers = [] }: Refusal, requestId: string): string {
  const body = JSON.stringify({ error: text });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    `X-Error-Code: ${code}`,
    ...CONSTANT_HEADERS.map(([name, value]) => `${name}: ${value}`),
    ...headers,
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
