import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

const REFUSALS: Readonly<Record<string, readonly [status: number, code: string, text: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'headers_too_large', 'the request headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request_timeout', 'the request did not arrive in time'],
  CONNECT: [405, 'method_not_allowed', 'CONNECT is not possible here'],
};

/** Answers bytes that are no HTTP request, or came too slowly to become one, in the same form as every other error. */
export function refuseRawRequest(reason: string | undefined, socket: Socket): void {
  const answering = '_httpMessage' in socket ? (socket._httpMessage as { headersSent: boolean } | null) : null;
  if (reason === 'ECONNRESET' || !socket.writable || answering?.headersSent === true) return void socket.destroy();
  const [status, code, text] = REFUSALS[reason ?? ''] ?? [400, 'invalid_http', 'the request is not valid HTTP'];
  const body = JSON.stringify({ error: text });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    `X-Error-Code: ${code}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
