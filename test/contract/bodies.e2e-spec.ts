import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { exchange, RawConnection, rawRequest } from '../support/raw-http.js';
import { day, record } from '../support/records.js';
import { eventually } from '../support/service-process.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const LOGIN = '/api/v1/auth/login';
const UPLOAD = '/api/v1/sales/upload-daily';
const MEGABYTE = 1_048_576;

let service: TestApp;
let auth: Record<string, string>;
beforeAll(async () => {
  service = await createTestApp();
  auth = {
    Authorization: `Bearer ${(await givenTill(service)).token}`,
    'Content-Type': 'application/json',
  };
});
afterEach(() => service.database.query('DELETE FROM hourly_sales'));
afterAll(() => service.close());

describe('the size of a body, and how it is packed', () => {
  const ENCODINGS: [name: string, encode: (bytes: Uint8Array) => Buffer][] = [
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    [
      'br',
      (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
    ],
  ];

  const post = (bytes: Uint8Array, headers: Record<string, string> = {}) =>
    service.client.send('POST', UPLOAD, bytes, { ...auth, ...headers });

  test('a body of exactly the limit is taken, one byte more is not', async () => {
    const json = JSON.stringify({ records: [record()] });
    const padded = (length: number) => Buffer.from(json + ' '.repeat(length - json.length));
    const { BODY_LIMIT_BYTES: limit } = service.config;
    expect((await post(padded(limit))).status).toBe(200);
    expectError(await post(padded(limit + 1)), 413, new RegExp(String(limit)));
    for (const [encoding, encode] of ENCODINGS) {
      const headers = { 'Content-Encoding': encoding };
      expect((await post(encode(padded(limit)), headers)).status).toBe(200);
      expectError(await post(encode(padded(limit + 1)), headers), 413, new RegExp(String(limit)));
    }
  });

  test("the limit is the operator's to set", async () => {
    const roomy = await service.another({ BODY_LIMIT_BYTES: 300_000 });
    const note = 'x'.repeat(250_000);
    expect(
      (await roomy.client.post(UPLOAD, { records: [record({ note })] }, { headers: auth })).status,
    ).toBe(200);
    const narrow = await service.another({ BODY_LIMIT_BYTES: 1024 });
    expectError(
      await narrow.client.post(UPLOAD, { records: day() }, { headers: auth }),
      413,
      /1024 bytes/,
    );
  });

  describe.each(ENCODINGS)('Content-Encoding: %s', (encoding, encode) => {
    const headers = { 'Content-Encoding': encoding };
    const upload = Buffer.from(JSON.stringify({ records: day() }));

    test('200: a day', async () => {
      expect((await post(encode(upload), headers)).body).toMatchObject({ processed: 24 });
      expect(
        (await post(encode(upload), { 'Content-Encoding': ` ${encoding.toUpperCase()} ` })).status,
      ).toBe(200);
    });

    test('413: a bomb', async () => {
      const bomb = encode(Buffer.alloc(32 * MEGABYTE));
      expectError(await post(bomb.subarray(0, 100_000), headers), 413);
      const small = Buffer.concat([encode(Buffer.alloc(MEGABYTE, ' ')), Buffer.alloc(10)]);
      expectError(await post(small, headers), 413);
    });

    test('400: bytes that are not packed so, or not to their end', async () => {
      const cut = encode(upload).subarray(0, -20);
      for (const bytes of [upload, cut, Buffer.alloc(1), Buffer.alloc(50_000, 255)]) {
        expectError(await post(bytes, headers), 400, /Content-Encoding/);
      }
    });
  });

  test.each(['zstd', 'compress', 'gzip, gzip', 'identity, gzip', 'chunked', '__proto__', 'x'])(
    '415: Content-Encoding: %s',
    async (encoding) => {
      const answer = await post(Buffer.from('{}'), { 'Content-Encoding': encoding });
      expectError(answer, 415, /gzip, deflate, br or identity/);
    },
  );

  describe('413 before the body is there, and readable while it is still being sent', () => {
    const refusals: [
      name: string,
      status: number,
      line: string,
      headers: () => Record<string, string>,
    ][] = [
      ['too large', 413, `POST ${UPLOAD}`, () => auth],
      ['too large, packed', 413, `POST ${UPLOAD}`, () => ({ ...auth, 'Content-Encoding': 'gzip' })],
      ['too large, not JSON', 413, `POST ${LOGIN}`, () => ({ 'Content-Type': 'text/plain' })],
      ['no token', 401, `POST ${UPLOAD}`, () => ({})],
      ['unknown path', 404, 'POST /upload', () => auth],
      ['wrong method', 404, `PUT ${UPLOAD}`, () => auth],
    ];

    test.each(refusals)('%s: %i by Content-Length alone', async (_name, status, line, headers) => {
      const bytes = rawRequest(line, { ...headers(), 'Content-Length': String(5_000_000_000) });
      expectError(await exchange(service.url, bytes), status);
    });

    test.each(refusals)(
      '%s: %i to who sends 20 MB before listening',
      async (_name, status, line, headers) => {
        for (const extra of [{}, { Connection: 'close' }]) {
          const length = { 'Content-Length': String(20 * MEGABYTE) };
          const connection = await RawConnection.open(service.url, { deaf: true });
          await connection.send(rawRequest(line, { ...headers(), ...length, ...extra }));
          for (let sent = 0; sent < 20; sent++) await connection.send(Buffer.alloc(MEGABYTE, ' '));
          connection.listen();
          expectError(await connection.answer(), status);
          connection.endSending();
          expect(await connection.closed()).toBeUndefined();
        }
      },
    );

    test('413: in chunks without an end', async () => {
      const connection = await RawConnection.open(service.url, { deaf: true });
      await connection.send(
        rawRequest(`POST ${UPLOAD}`, { ...auth, 'Transfer-Encoding': 'chunked' }),
      );
      for (let sent = 0; sent < 100; sent++)
        await connection.send(`10000\r\n${' '.repeat(0x10000)}\r\n`);
      connection.listen();
      expectError(await connection.answer(), 413);
      connection.abort();
    });

    test('the connection serves on once the refused body has gone by', async () => {
      const connection = await RawConnection.open(service.url);
      const refused = rawRequest(`POST ${UPLOAD}`, auth, ' '.repeat(MEGABYTE));
      await connection.send(
        refused + rawRequest(`POST ${UPLOAD}`, auth, JSON.stringify({ records: [record()] })),
      );
      expect((await connection.answers(2)).map(({ status }) => status)).toEqual([413, 200]);
      connection.abort();
    });
  });
});

describe('uploads that break off', () => {
  const body = JSON.stringify({ records: day() });
  /** Hours of the day that broken uploads are about; those that were sent whole are about other days. */
  const hours = () =>
    service.database.query<{ hour: number }>(
      `SELECT hour FROM hourly_sales WHERE date < '2025-11-01'`,
    );

  const cut: [name: string, headers: Record<string, string>, bytes: Uint8Array | string][] = [
    ['no byte of the body', { 'Content-Length': '9' }, ''],
    ['half of it', { 'Content-Length': String(body.length) }, body.slice(0, 1000)],
    ['all but the last byte', { 'Content-Length': String(body.length) }, body.slice(0, -1)],
    [
      'whole JSON, but a byte less than was announced',
      { 'Content-Length': String(body.length + 1) },
      body,
    ],
    [
      'chunks without the last',
      { 'Transfer-Encoding': 'chunked' },
      `${body.length.toString(16)}\r\n${body}\r\n`,
    ],
    ['half of a chunk', { 'Transfer-Encoding': 'chunked' }, `ffff\r\n${body}`],
    [
      'half of a gzip',
      { 'Content-Encoding': 'gzip', 'Content-Length': '500' },
      gzipSync(body).subarray(0, 300),
    ],
  ];

  test.each(cut)('400 to who ends too early and listens: %s', async (_name, headers, bytes) => {
    const connection = await RawConnection.open(service.url);
    await connection.send(rawRequest(`POST ${UPLOAD}`, { ...auth, ...headers }));
    await connection.send(bytes);
    connection.endSending();
    expectError(await connection.answer(), 400, /ended before it was complete/);
    expect(await connection.closed()).toBeUndefined();
    expect(await hours()).toEqual([]);
  });

  test.each(cut)(
    'nothing is saved, and nothing is left behind: %s',
    async (_name, headers, bytes) => {
      const server = service.app.getHttpServer();
      const begun = new Promise<IncomingMessage>((resolve) => server.once('request', resolve));
      const connection = await RawConnection.open(service.url);
      await connection.send(rawRequest(`POST ${UPLOAD}`, { ...auth, ...headers }));
      await connection.send(bytes);
      const request = await begun;
      connection.abort();
      const left = () => ['data', 'end', 'error'].map((event) => request.listenerCount(event));
      const state = (): unknown[] => [request.destroyed, ...left()];
      await eventually(
        () => JSON.stringify(state()) === '[true,0,0,0]', // a decoder ends in its own thread
        () => `the end of ${JSON.stringify(state())}`,
      );
      expect(await hours()).toEqual([]);
    },
  );

  test('nothing is left behind by a whole upload either, packed or not', async () => {
    const server = service.app.getHttpServer();
    const requests: IncomingMessage[] = [];
    server.on('request', (request: IncomingMessage) => requests.push(request));
    expect((await service.client.post(UPLOAD, body, { headers: auth })).status).toBe(200);
    const packed = { ...auth, 'Content-Encoding': 'gzip' };
    expect((await service.client.send('POST', UPLOAD, gzipSync(body), packed)).status).toBe(200);
    const left = requests.flatMap((request) =>
      ['data', 'end', 'error'].map((event) => request.listenerCount(event)),
    );
    expect(left).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('a client that is gone before the answer has uploaded the whole day or nothing', async () => {
    for (let round = 0; round < 30; round++) {
      const connection = await RawConnection.open(service.url);
      const upload = JSON.stringify({
        records: day({ date: `2025-11-${String(round + 1).padStart(2, '0')}` }),
      });
      await connection.send(rawRequest(`POST ${UPLOAD}`, auth, upload));
      await new Promise((resolve) => setTimeout(resolve, round / 5));
      connection.abort();
    }
    const whole = () =>
      service.database.query(
        'SELECT DISTINCT count(*)::int AS hours FROM hourly_sales GROUP BY date',
      );
    expect((await service.client.post(UPLOAD, { records: day() }, { headers: auth })).status).toBe(
      200,
    );
    expect(await whole()).toEqual([{ hours: 24 }]);
  });

  test('408: slow headers, and a body that stops coming', async () => {
    const hasty = await service.another();
    Object.assign(hasty.app.getHttpServer(), { headersTimeout: 200, requestTimeout: 400 });
    const request = rawRequest(`POST ${UPLOAD}`, auth);
    const slow = [
      'POST',
      request.slice(0, -2),
      ...cut.map(([, headers, bytes]) =>
        Buffer.concat([
          Buffer.from(rawRequest(`POST ${UPLOAD}`, { ...auth, ...headers })),
          Buffer.from(bytes),
        ]),
      ),
    ];
    await Promise.all(
      slow.map(async (bytes) => {
        const connection = await RawConnection.open(hasty.url);
        await connection.send(bytes);
        expectError(await connection.answer(), 408, /did not arrive in time/);
        expect(await connection.closed()).toBeUndefined();
      }),
    );
    expect(await hours()).toEqual([]);
  });

  test('408 is no second answer to a request that was refused before its body had come', async () => {
    const hasty = await service.another();
    const server = hasty.app.getHttpServer();
    const begun = once(server, 'request');
    const connection = await RawConnection.open(hasty.url);
    await connection.send(rawRequest(`POST ${UPLOAD}`, { ...auth, 'Content-Length': '10000000' }));
    await begun;
    Object.assign(server, { headersTimeout: 200, requestTimeout: 400 });
    await connection.send('[');
    expect(await connection.closed()).toBeUndefined();
    expect((await connection.answers()).map(({ status }) => status)).toEqual([413]);
  });
});
