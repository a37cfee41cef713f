import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { expectError } from '../support/expect-error.js';
import { RawConnection, rawRequest } from '../support/raw-http.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const UPLOAD = 'POST /api/v1/sales/upload-daily';
const JSON_TYPE = { 'Content-Type': 'application/json' };
const ENDLESS = { ...JSON_TYPE, 'Content-Length': '5000000000' };
const SPACES = Buffer.alloc(0x10000, ' ');
const KILOBYTE = 1024;
const CONNECTIONS = 16;
const WATCHED_MS = 1500;

/** Requests that are rejected, what their clients go on sending, and the share of the rate that such bytes get. */
const FLOODS: [name: string, status: number, head: string, rest: Buffer, share: number][] = [
  ['no token', 401, rawRequest(UPLOAD, ENDLESS), SPACES, 1],
  [
    'no token, chunks of a byte',
    401,
    rawRequest(UPLOAD, { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' }),
    Buffer.from('1\r\n \r\n'.repeat(10_000)),
    0.006,
  ],
  ['too large', 413, rawRequest('POST /api/v1/auth/login', ENDLESS), SPACES, 1],
  ['not HTTP', 400, 'nothing\r\n\r\n', SPACES, 1],
  ['CONNECT', 405, rawRequest('CONNECT a:1'), SPACES, 1],
];

let service: TestApp;
let received: Socket[];
beforeAll(async () => {
  service = await createTestApp();
  const server: Server = service.app.getHttpServer();
  server.on('connection', (socket: Socket) => received.push(socket));
});
beforeEach(() => (received = []));
afterAll(() => service.close());

const megabytesRead = (): number => received.reduce((sum, { bytesRead }) => sum + bytesRead, 0) / KILOBYTE ** 2;

/** Sends without an end, on a new connection whenever the last was closed. */
async function flood(head: string, rest: Buffer, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const connection = await RawConnection.open(service.url);
    await connection.send(head);
    while (connection.isOpen && !isOver()) {
      await Promise.race([connection.send(rest), delay(50)]);
      await nextTurn();
    }
    connection.abort();
  }
}

/** Sends a body over the limit before it reads. */
async function sendTooMuch(): Promise<void> {
  const connection = await RawConnection.open(service.url, { deaf: true });
  await connection.send(rawRequest(UPLOAD, JSON_TYPE, ' '.repeat(200 * KILOBYTE)));
  connection.listen();
  expectError(await connection.answer(), 401);
  connection.endSending();
  expect(await connection.closed()).toBeUndefined();
}

describe.each(FLOODS)('Clients that go on sending after the response: %s', (_name, status, head, rest, share) => {
  test('share one rate, and clients that send all before they read get their response', async () => {
    let isOver = false;
    const begunAt = performance.now();
    const floods = Array.from({ length: CONNECTIONS }, () => flood(head, rest, () => isOver));
    try {
      const first = await RawConnection.open(service.url);
      await first.send(head);
      expectError(await first.answer(), status);
      first.abort();
      for (let count = 0; count < 3; count++) await sendTooMuch();
      await delay(WATCHED_MS);
      const seconds = (performance.now() - begunAt) / 1000;
      expect(megabytesRead()).toBeLessThan(received.length * 0.3 + (seconds * 14 + 26) * share);
    } finally {
      isOver = true;
      await Promise.all(floods);
    }
  });
});
