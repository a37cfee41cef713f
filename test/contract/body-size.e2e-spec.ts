import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { exchange, RawConnection, rawRequest } from '../support/raw-http.js';
import { day, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const LOGIN = '/api/v1/auth/login';
const UPLOAD = '/api/v1/sales/upload-daily';
const MEGABYTE = 1_048_576;

const ENCODINGS: [name: string, encode: (bytes: Uint8Array) => Buffer][] = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })],
];

describe('the size of a body, and how it is packed', () => {
  let service: TestApp;
  let auth: Record<string, string>;
  beforeAll(async () => {
    service = await createTestApp();
    auth = { Authorization: `Bearer ${(await givenTill(service)).token}`, 'Content-Type': 'application/json' };
  });
  afterAll(() => service.close());

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
    expect((await roomy.client.post(UPLOAD, { records: [record({ note })] }, { headers: auth })).status).toBe(200);
    const narrow = await service.another({ BODY_LIMIT_BYTES: 1024 });
    expectError(await narrow.client.post(UPLOAD, { records: day() }, { headers: auth }), 413, /1024 bytes/);
  });

  describe.each(ENCODINGS)('Content-Encoding: %s', (encoding, encode) => {
    const headers = { 'Content-Encoding': encoding };
    const upload = Buffer.from(JSON.stringify({ records: day() }));

    test('200: a day', async () => {
      expect((await post(encode(upload), headers)).body).toMatchObject({ processed: 24 });
      expect((await post(encode(upload), { 'Content-Encoding': ` ${encoding.toUpperCase()} ` })).status).toBe(200);
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

    test('413 outranks 400: 25 broken records', async () => {
      expectError(
        await post(encode(Buffer.from('{"records":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]}')), headers),
        413,
      );
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
    const refusals: [name: string, status: number, line: string, headers: () => Record<string, string>][] = [
      ['too large', 413, `POST ${UPLOAD}`, () => auth],
      ['too large, packed', 413, `POST ${UPLOAD}`, () => ({ ...auth, 'Content-Encoding': 'gzip' })],
      ['too large, not JSON', 413, `POST ${LOGIN}`, () => ({ 'Content-Type': 'text/plain' })],
      ['no token', 401, `POST ${UPLOAD}`, () => ({})],
      ['unknown path', 404, 'POST /upload', () => auth],
      ['wrong method', 405, `PUT ${UPLOAD}`, () => auth],
    ];

    test.each(refusals)('%s: %i by Content-Length alone', async (_name, status, line, headers) => {
      const bytes = rawRequest(line, { ...headers(), 'Content-Length': String(5_000_000_000) });
      expectError(await exchange(service.url, bytes), status);
    });

    test.each(refusals)('%s: %i to who sends 20 MB before listening', async (_name, status, line, headers) => {
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
    });

    test('413: in chunks without an end', async () => {
      const connection = await RawConnection.open(service.url, { deaf: true });
      await connection.send(rawRequest(`POST ${UPLOAD}`, { ...auth, 'Transfer-Encoding': 'chunked' }));
      for (let sent = 0; sent < 100; sent++) await connection.send(`10000\r\n${' '.repeat(0x10000)}\r\n`);
      connection.listen();
      expectError(await connection.answer(), 413);
      connection.abort();
    });

    test('413, 401 and 404 to fetch', async () => {
      const bytes = Buffer.alloc(20 * MEGABYTE, ' ');
      expectError(await post(bytes), 413);
      expectError(await post(bytes, { Authorization: 'Bearer x' }), 401);
      expectError(await service.client.send('POST', '/upload', bytes), 404);
    });

    test('the connection serves on once the refused body has gone by', async () => {
      const connection = await RawConnection.open(service.url);
      const refused = rawRequest(`POST ${UPLOAD}`, auth, ' '.repeat(MEGABYTE));
      await connection.send(refused + rawRequest(`POST ${UPLOAD}`, auth, JSON.stringify({ records: [record()] })));
      expect((await connection.answers(2)).map(({ status }) => status)).toEqual([413, 200]);
      connection.abort();
    });
  });
});
