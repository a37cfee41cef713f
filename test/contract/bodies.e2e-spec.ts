import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { exchange, RawConnection, rawRequest } from '../support/raw-http.js';
import { day, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const LOGIN = '/api/v1/auth/login';
const UPLOAD = '/api/v1/sales/upload-daily';
const JSON_TYPE = { 'Content-Type': 'application/json' };
const PUBLIC_LIMIT = 16_384;
const MEGABYTE = 1_048_576;
const DAY = JSON.stringify({ records: day() });
const ENDLESS = { 'Content-Length': '5000000000' };
const CHUNKED = { 'Transfer-Encoding': 'chunked' };

let service: TestApp;
let auth: Record<string, string>;
let till: { username: string; password: string };
beforeAll(async () => {
  service = await createTestApp();
  const { token, ...login } = await givenTill(service);
  till = login;
  auth = { Authorization: `Bearer ${token}`, ...JSON_TYPE };
});
afterEach(() => service.database.query('DELETE FROM hourly_sales'));
afterAll(() => service.close());

const post = (bytes: Uint8Array, headers: Record<string, string> = {}, { client } = service) =>
  client.send('POST', UPLOAD, bytes, { ...auth, ...headers });
const login = (bytes: Uint8Array, headers: Record<string, string> = {}, { client } = service) =>
  client.send('POST', LOGIN, bytes, { ...JSON_TYPE, ...headers });

const paddedUpload = (bytes: number): Buffer =>
  Buffer.from(JSON.stringify({ records: [record()] }).padEnd(bytes));
const paddedLogin = (bytes: number): Buffer =>
  Buffer.from(JSON.stringify({ grant_type: 'password', ...till }).padEnd(bytes));

/** A request whose size no Content-Length tells. */
function chunked(path: string, bytes: Buffer, headers: Record<string, string>, size = 0x4000) {
  const head = rawRequest(`POST ${path}`, { ...JSON_TYPE, ...headers, ...CHUNKED });
  const pieces: Uint8Array[] = [Buffer.from(head)];
  for (let at = 0; at < bytes.length; at += size) {
    const chunk = bytes.subarray(at, at + size);
    pieces.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
  }
  return Buffer.concat([...pieces, Buffer.from('0\r\n\r\n')]);
}

async function expectServedBehind(rejected: string): Promise<void> {
  const gone = new Promise((resolve) => {
    service.app
      .getHttpServer()
      .once('request', (_request, response) => response.once('close', resolve));
  });
  const connection = await RawConnection.open(service.url);
  await connection.send(rejected);
  expect((await connection.answer()).status).toBe(413);
  await gone; // what comes while the body is still read finds the connection closed
  await connection.send(rawRequest(`POST ${UPLOAD}`, auth, DAY));
  expect((await connection.answers(2)).map(({ status }) => status)).toEqual([413, 200]);
  connection.abort();
}

describe('The size of a body', () => {
  test.each<[string, (bytes: Uint8Array) => Uint8Array]>([
    ['identity', (bytes) => bytes],
    ['gzip', gzipSync],
    [' X-GZIP ', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])(
    'a body sent as %s is 200 at the limit, 413 beyond it, and 400 if it is cut or encoded otherwise',
    async (encoding, encode) => {
      const { BODY_LIMIT_BYTES: limit } = service.config;
      const headers = { 'Content-Encoding': encoding };
      expect((await post(encode(paddedUpload(limit)), headers)).status).toBe(200);
      expectError(await post(encode(paddedUpload(limit + 1)), headers), 413, /102400 bytes/);
      if (encoding === 'identity') return;
      for (const bytes of [Buffer.from(DAY), encode(Buffer.from(DAY)).subarray(0, -20)])
        expectError(await post(bytes, headers), 400, /Content-Encoding/);
    },
  );

  test('compressed bytes over the limit are 413, however few they inflate to', async () => {
    const headers = { ...auth, 'Content-Encoding': 'gzip' };
    const [upload, empty] = [gzipSync(DAY), gzipSync('')];
    const fit = Buffer.concat([upload, empty, empty, Buffer.alloc(1000)]);
    expect((await exchange(service.url, chunked(UPLOAD, fit, headers))).status).toBe(200);
    const large = Buffer.concat([upload, ...Array<Buffer>(60_000).fill(empty)]);
    expectError(await exchange(service.url, chunked(UPLOAD, large, headers)), 413, /102400 bytes/);
  });

  test('the operator sets the limit, and the limit of public routes stays 16 kB', async () => {
    const roomy = await service.another({ BODY_LIMIT_BYTES: 300_000 });
    expect((await post(paddedUpload(300_000), {}, roomy)).status).toBe(200);
    expect((await login(paddedLogin(PUBLIC_LIMIT))).status).toBe(200);
    const large = paddedLogin(PUBLIC_LIMIT + 1);
    expectError(await login(large, {}, roomy), 413, /16384 bytes/);
    expectError(await exchange(roomy.url, chunked(LOGIN, large, {})), 413, /16384 bytes/);
  });
});

test('A Content-Encoding that is unknown is 415, and so is any on a public route', async () => {
  for (const encoding of ['zstd', 'gzip, gzip', '__proto__']) {
    const answer = await post(Buffer.from('{}'), { 'Content-Encoding': encoding });
    expectError(answer, 415, /must be gzip, deflate, br or identity"/);
  }
  const packed = await login(gzipSync(paddedLogin(200)), { 'Content-Encoding': 'gzip' });
  expectError(packed, 415, /must be identity"/);
});

describe('A body in small pieces', () => {
  const MAX_SMALL_PIECES = 8192;
  const tooMany = (): Buffer => paddedUpload(MAX_SMALL_PIECES + 1);

  test.each([1, 4])('a login and a day are taken %i bytes at a time', async (size) => {
    const pieces = [chunked(LOGIN, paddedLogin(300), {}, size)];
    pieces.push(chunked(UPLOAD, Buffer.from(DAY), auth, size));
    for (const bytes of pieces) expect((await exchange(service.url, bytes)).status).toBe(200);
  });

  test('many pieces of a rejected body cut the connection', async () => {
    const connection = await RawConnection.open(service.url);
    const head = rawRequest(`POST ${UPLOAD}`, { ...JSON_TYPE, ...CHUNKED });
    void connection.send(head + '1\r\n \r\n'.repeat(3 * MAX_SMALL_PIECES));
    expectError(await connection.answer(), 401);
    await connection.closed();
  });

  test('more than 8,192 pieces are 413, with or without a token, and the next request is served', async () => {
    expectError(await exchange(service.url, chunked(UPLOAD, tooMany(), auth, 1)), 413, /pieces/);
    await expectServedBehind(chunked(LOGIN, tooMany(), {}, 1).toString());
  });
});

describe('A body that is rejected', () => {
  const PIECE = ' '.repeat(0x10000);
  const CHUNK = `10000\r\n${PIECE}\r\n`;
  test.each<[string, number, string, () => Record<string, string>, string?]>([
    ['too large', 413, `POST ${UPLOAD}`, () => ({ ...auth, ...ENDLESS })],
    ['too large, in chunks', 413, `POST ${UPLOAD}`, () => ({ ...auth, ...CHUNKED }), CHUNK],
    ['no token', 401, `POST ${UPLOAD}`, () => ({ ...ENDLESS, Connection: 'close' })],
    ['unknown path', 404, 'POST /upload', () => ({ ...auth, ...ENDLESS })],
  ])(
    '%s: a client gets %i that sends 20 MB before it listens, or only announces them',
    async (_name, status, line, headers, piece = PIECE) => {
      const head = rawRequest(line, headers());
      if (piece === PIECE) expectError(await exchange(service.url, head), status);
      const connection = await RawConnection.open(service.url, { deaf: true });
      await connection.send(head);
      for (let sent = 0; sent < 20 * MEGABYTE; sent += piece.length) await connection.send(piece);
      connection.listen();
      expectError(await connection.answer(), status);
      connection.endSending();
      expect(await connection.closed()).toBeUndefined();
    },
  );

  test('the connection serves the next request once the body has passed', async () => {
    await expectServedBehind(rawRequest(`POST ${UPLOAD}`, auth, ' '.repeat(MEGABYTE)));
  });

  test('a request right behind the body is served', async () => {
    const rejected = rawRequest(`POST ${UPLOAD}`, auth, ' '.repeat(2 * MEGABYTE));
    const connection = await RawConnection.open(service.url);
    void connection.send(rejected + rawRequest(`POST ${UPLOAD}`, auth, DAY));
    expect((await connection.answers(2)).map(({ status }) => status)).toEqual([413, 200]);
    connection.abort();
  });

  test('a body that does not come gets no second answer of 408', async () => {
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

describe('Uploads that break off', () => {
  const CUT: [name: string, headers: Record<string, string>, bytes: Uint8Array | string][] = [
    ['no byte of the body', { 'Content-Length': String(DAY.length) }, ''],
    ['a byte less than was announced', { 'Content-Length': String(DAY.length + 1) }, DAY],
    ['chunks without the last', CHUNKED, `${DAY.length.toString(16)}\r\n${DAY}\r\n`],
    ['half of a gzip', { ...CHUNKED, 'Content-Encoding': 'gzip' }, '1f4\r\n\x1f\x8b'],
  ];
  const saved = () =>
    service.database.query('SELECT DISTINCT count(*)::int FROM hourly_sales GROUP BY date');

  test.each(CUT)(
    'a client that ends too early and listens gets 400: %s',
    async (_name, headers, bytes) => {
      const connection = await RawConnection.open(service.url);
      await connection.send(rawRequest(`POST ${UPLOAD}`, { ...auth, ...headers }));
      await connection.send(bytes);
      connection.endSending();
      expectError(await connection.answer(), 400, /ended before it was complete/);
      expect(await connection.closed()).toBeUndefined();
      expect(await saved()).toEqual([]);
    },
  );

  test('a client that leaves before the answer has uploaded a whole day or nothing', async () => {
    for (let round = 1; round <= 30; round++) {
      const connection = await RawConnection.open(service.url);
      const date = `2025-11-${String(round).padStart(2, '0')}`;
      const upload = JSON.stringify({ records: day({ date }) });
      await connection.send(rawRequest(`POST ${UPLOAD}`, auth, upload));
      await delay(round / 5);
      connection.abort();
    }
    expect((await post(Buffer.from(DAY))).status).toBe(200);
    expect(await saved()).toEqual([{ count: 24 }]);
  });
});
