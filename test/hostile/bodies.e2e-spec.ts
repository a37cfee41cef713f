import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { exchange, RawConnection, rawRequest } from '../support/raw-http.js';
import { day } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

describe('Bodies', () => {
  const LOGIN = '/api/v1/auth/login';
  const UPLOAD = '/api/v1/sales/upload-daily';
  const JSON_TYPE = { 'Content-Type': 'application/json' };
  const PUBLIC_LIMIT = 16_384;
  const dayOfRecords = JSON.stringify({ records: day() });

  let service: TestApp;
  let token: string;
  let username: string;
  beforeAll(async () => {
    service = await createTestApp();
    ({ token, username } = await givenTill(service, { password: 'right password' }));
  });
  afterAll(() => service.close());

  const login = (bytes: Uint8Array, headers: Record<string, string> = {}) =>
    service.client.send('POST', LOGIN, bytes, { ...JSON_TYPE, ...headers });

  /** A login of so many bytes. */
  function padded(length: number): Buffer {
    const json = JSON.stringify({ grant_type: 'password', username, password: 'right password' });
    return Buffer.from(json + ' '.repeat(length - json.length));
  }

  /** In chunks, so that no Content-Length gives the size away. */
  function chunked(line: string, headers: Record<string, string>, bytes: Buffer): Buffer {
    const head = rawRequest(line, { ...JSON_TYPE, ...headers, 'Transfer-Encoding': 'chunked' });
    const chunks = [];
    for (let at = 0; at < bytes.length; at += 0x4000) {
      const chunk = bytes.subarray(at, at + 0x4000);
      chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
    }
    return Buffer.concat([Buffer.from(head), ...chunks, Buffer.from('0\r\n\r\n')]);
  }

  describe('the body of a public route', () => {
    test('200 at 16 kB, 413 beyond, whatever BODY_LIMIT_BYTES allows', async () => {
      const roomy = await service.another({ BODY_LIMIT_BYTES: 1_000_000 });
      expect((await login(padded(PUBLIC_LIMIT))).status).toBe(200);
      expectError(await login(padded(PUBLIC_LIMIT + 1)), 413, /16384 bytes/);
      expectError(
        await roomy.client.send('POST', LOGIN, padded(PUBLIC_LIMIT + 1), JSON_TYPE),
        413,
        /16384 bytes/,
      );
      expectError(
        await exchange(service.url, chunked(`POST ${LOGIN}`, {}, padded(PUBLIC_LIMIT + 1))),
        413,
      );
    });

    test.each(['gzip', 'br', 'GZIP'])('415: Content-Encoding: %s', async (encoding) => {
      expectError(
        await login(gzipSync(padded(200)), { 'Content-Encoding': encoding }),
        415,
        /identity$|identity"/,
      );
    });
  });

  describe('a body in pieces of one byte', () => {
    const inPieces = (
      line: string,
      bytes: Buffer,
      headers: Record<string, string> = {},
    ): string => {
      const pieces = [...bytes].map((byte) => `1\r\n${String.fromCharCode(byte)}\r\n`);
      return `${rawRequest(line, { ...JSON_TYPE, ...headers, 'Transfer-Encoding': 'chunked' })}${pieces.join('')}0\r\n\r\n`;
    };

    const MAX_SMALL_PIECES = 8192;
    const till = (): Record<string, string> => ({ Authorization: `Bearer ${token}` });

    test('200: a login, and with a token a whole day', async () => {
      expect((await exchange(service.url, inPieces(`POST ${LOGIN}`, padded(300)))).status).toBe(
        200,
      );
      const bytes = inPieces(`POST ${UPLOAD}`, Buffer.from(dayOfRecords), till());
      expect((await exchange(service.url, bytes)).status).toBe(200);
    });

    test('200: a till that writes a day four bytes at a time', async () => {
      const headers = { ...JSON_TYPE, ...till() };
      const connection = await RawConnection.open(service.url);
      for (const part of rawRequest(`POST ${UPLOAD}`, headers, dayOfRecords).match(/[^]{1,4}/g)!)
        await connection.send(part);
      expect((await connection.answer()).status).toBe(200);
      connection.abort();
    });

    test.each([
      ['login', LOGIN, () => ({}), 413],
      ['an upload with a token', UPLOAD, till, 413],
      ['an upload without one', UPLOAD, () => ({}), 401],
    ] as const)('%s in more pieces than anybody may send', async (_name, path, headers, status) => {
      const bytes = inPieces(`POST ${path}`, padded(MAX_SMALL_PIECES + 1), headers());
      expectError(await exchange(service.url, bytes), status);
    });

    test('does not concern the request behind it', async () => {
      const connection = await RawConnection.open(service.url);
      const upload = rawRequest(
        `POST ${UPLOAD}`,
        { Authorization: `Bearer ${token}`, ...JSON_TYPE },
        dayOfRecords,
      );
      await connection.send(inPieces(`POST ${LOGIN}`, padded(MAX_SMALL_PIECES + 1)) + upload);
      expect((await connection.answers(2)).map(({ status }) => status)).toEqual([413, 200]);
      connection.abort();
    });
  });

  describe('413: compressed bytes count against the limit, however few they inflate to', () => {
    const upload = gzipSync(JSON.stringify({ records: day() }));
    const emptyMember = gzipSync('');
    const emptyBlocks = Buffer.concat([
      upload.subarray(0, 10),
      Buffer.from('000000ffff'.repeat(240_000), 'hex'), // stored blocks of no bytes
      deflateRawSync(JSON.stringify({ records: day() })),
      upload.subarray(-8),
    ]);
    const named = Buffer.concat([
      Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]), // a header with a file name
      Buffer.alloc(1_200_000, 'x'),
      Buffer.from([0]),
      upload.subarray(10),
    ]);

    test.each([
      ['members of no bytes', Buffer.concat([upload, ...Array<Buffer>(60_000).fill(emptyMember)])],
      ['blocks of no bytes', emptyBlocks],
      ['a file name in the header', named],
      ['bytes behind the end', Buffer.concat([upload, Buffer.alloc(1_200_000)])],
    ])('%s', async (_name, bytes) => {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Encoding': 'gzip' };
      expect(bytes.length).toBeGreaterThan(1_190_000);
      expectError(
        await exchange(service.url, chunked(`POST ${UPLOAD}`, headers, bytes)),
        413,
        /102400 bytes/,
      );
    });

    test('200 within the limit, bytes behind the end and members of no bytes included', async () => {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Encoding': 'gzip' };
      const bytes = Buffer.concat([upload, emptyMember, emptyMember, Buffer.alloc(1000)]);
      expect((await exchange(service.url, chunked(`POST ${UPLOAD}`, headers, bytes))).status).toBe(
        200,
      );
    });
  });
});

describe('Rejected bodies', () => {
  const UPLOAD = 'POST /api/v1/sales/upload-daily';
  const JSON_TYPE = { 'Content-Type': 'application/json' };
  const ENDLESS = { ...JSON_TYPE, 'Content-Length': '5000000000' };
  const SPACES = Buffer.alloc(0x10000, ' ');
  const KILOBYTE = 1024;
  const CONNECTIONS = 16;
  const WATCHED_MS = 1000;
  /** What all clients together may go on sending in a second. */
  const MEGABYTES_PER_SECOND = 32;

  /** Requests that are rejected, and what their clients go on sending. */
  const FLOODS: [name: string, status: number, head: string, rest: Buffer][] = [
    ['no token', 401, rawRequest(UPLOAD, ENDLESS), SPACES],
    [
      'no token, chunks of a byte',
      401,
      rawRequest(UPLOAD, { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' }),
      Buffer.from('1\r\n \r\n'.repeat(10_000)),
    ],
    ['too large', 413, rawRequest('POST /api/v1/auth/login', ENDLESS), SPACES],
    ['not HTTP', 400, 'nothing\r\n\r\n', SPACES],
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

  const megabytesRead = (): number =>
    received.reduce((sum, { bytesRead }) => sum + bytesRead, 0) / KILOBYTE ** 2;

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

  describe.each(FLOODS)('Clients that go on sending: %s', (_name, status, head, rest) => {
    test('share one budget, and who sends all before reading gets the response', async () => {
      let isOver = false;
      const begunAt = performance.now();
      const floods = Array.from({ length: CONNECTIONS }, () => flood(head, rest, () => isOver));
      try {
        const first = await RawConnection.open(service.url);
        await first.send(head);
        expectError(await first.answer(), status);
        first.abort();
        await sendTooMuch();
        await delay(WATCHED_MS);
        const seconds = Math.ceil((performance.now() - begunAt) / 1000);
        const buffered = received.length * 0.3;
        expect(megabytesRead()).toBeLessThan((seconds + 1) * MEGABYTES_PER_SECOND + buffered);
      } finally {
        isOver = true;
        await Promise.all(floods);
      }
    });
  });
});
