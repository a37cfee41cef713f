import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { CONSTANT_HEADERS } from './response-headers.js';
import { TrackedResponse } from './tracked-response.js';
import type { RawAnswer } from './traffic-observer.js';

const REFUSALS: Readonly<Record<string, readonly [status: number, code: string, text: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'headers_too_large', 'the request headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request_timeout', 'the request did not arrive in time'],
  CONNECT: [405, 'method_not_allowed', 'CONNECT is not possible here'],
};

/**
 * Answers bytes that are no HTTP request, or came too slowly to become one, in the same form as every other error.
 * undefined where there is nobody to answer, or where a request was already being worked on: its own log line tells.
 */
export function refuseRawRequest(reason: string | undefined, socket: Socket): RawAnswer | undefined {
  const answering = answerOn(socket);
  if (reason === 'ECONNRESET' || !socket.writable || answering?.headersSent) return void socket.destroy();
  const [status, code, text] = REFUSALS[reason ?? ''] ?? [400, 'invalid_http', 'the request is not valid HTTP'];
  const requestId = answering?.requestId ?? randomUUID();
  const clientAddress = socket.remoteAddress ?? '';
  socket.end(rawAnswer(status, code, text, requestId));
  if (!answering) return { requestId, status, clientAddress };
  answering.rawStatus = status;
  return undefined;
}

/** The response that waits for a request's body to become complete. */
function answerOn(socket: Socket): TrackedResponse | undefined {
  const response = '_httpMessage' in socket ? socket._httpMessage : undefined;
  return response instanceof Object && 'requestId' in response ? (response as TrackedResponse) : undefined;
}

function rawAnswer(status: number, code: string, text: string, requestId: string): string {
  const body = JSON.stringify({ error: text });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    `X-Error-Code: ${code}`,
    ...CONSTANT_HEADERS.map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
