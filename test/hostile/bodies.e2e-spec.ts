import { deflateRawSync, gzipSync } from 'node:zlib';
import type { ExecutionContext } from '@nestjs/common';
import { LoginDto } from '../../src/auth/dto/auth.dto.js';
import { ValidBodyGuard } from '../../src/http/validation/request-validation.pipe.js';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { exchange, RawConnection, rawRequest } from '../support/raw-http.js';
import { day } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

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
    expectError(await roomy.client.send('POST', LOGIN, padded(PUBLIC_LIMIT + 1), JSON_TYPE), 413, /16384 bytes/);
    expectError(await exchange(service.url, chunked(`POST ${LOGIN}`, {}, padded(PUBLIC_LIMIT + 1))), 413);
  });

  test('413 where BODY_LIMIT_BYTES is lower', async () => {
    const narrow = await service.another({ BODY_LIMIT_BYTES: 1024 });
    expectError(await narrow.client.send('POST', LOGIN, padded(1025), JSON_TYPE), 413, /1024 bytes/);
  });

  test.each(['gzip', 'x-gzip', 'deflate', 'br', 'GZIP', 'gzip, gzip'])(
    '415: Content-Encoding: %s',
    async (encoding) => {
      expectError(await login(gzipSync(padded(200)), { 'Content-Encoding': encoding }), 415, /identity$|identity"/);
    },
  );

  test('200: Content-Encoding: identity', async () => {
    expect((await login(padded(200), { 'Content-Encoding': 'identity' })).status).toBe(200);
  });
});

test('only the fields of the DTO survive the validation of a login', async () => {
  const login = { grant_type: 'password', username: 'a', password: 'b' };
  const request = { body: { ...login, junk: [[], {}], __proto__: { more: [] } } };
  const context = { switchToHttp: () => ({ getRequest: () => request }) } as ExecutionContext;
  await new ValidBodyGuard(LoginDto).canActivate(context);
  expect(request.body).toEqual(login);
});

describe('a body in pieces of one byte', () => {
  const inPieces = (line: string, bytes: Buffer, headers: Record<string, string> = {}): string => {
    const pieces = [...bytes].map((byte) => `1\r\n${String.fromCharCode(byte)}\r\n`);
    return `${rawRequest(line, { ...JSON_TYPE, ...headers, 'Transfer-Encoding': 'chunked' })}${pieces.join('')}0\r\n\r\n`;
  };

  test('200: a login, and with a token a whole day', async () => {
    expect((await exchange(service.url, inPieces(`POST ${LOGIN}`, padded(300)))).status).toBe(200);
    const bytes = inPieces(`POST ${UPLOAD}`, Buffer.from(dayOfRecords), { Authorization: `Bearer ${token}` });
    expect((await exchange(service.url, bytes)).status).toBe(200);
  });

  test('413 or 401 without a token, after little work: parsing 16 kB of them takes 400 times as long as one piece', async () => {
    const large = padded(PUBLIC_LIMIT);
    const forged = `${token.slice(0, -10)}AAAAAAAAAA`;
    expectError(await exchange(service.url, inPieces(`POST ${LOGIN}`, large)), 413, /small pieces/);
    expectError(await exchange(service.url, inPieces(`POST ${LOGIN}`, large, { Authorization: 'Bearer x' })), 413);
    expectError(await exchange(service.url, inPieces(`POST ${UPLOAD}`, large)), 401);
    const bytes = inPieces(`POST ${UPLOAD}`, large, { Authorization: `Bearer ${forged}` });
    expectError(await exchange(service.url, bytes), 401);
  });

  test('does not concern the request behind it', async () => {
    const connection = await RawConnection.open(service.url);
    const upload = rawRequest(`POST ${UPLOAD}`, { Authorization: `Bearer ${token}`, ...JSON_TYPE }, dayOfRecords);
    await connection.send(inPieces(`POST ${LOGIN}`, padded(600)) + upload);
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
    expectError(await exchange(service.url, chunked(`POST ${UPLOAD}`, headers, bytes)), 413, /102400 bytes/);
  });

  test('200 within the limit, bytes behind the end and members of no bytes included', async () => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Encoding': 'gzip' };
    const bytes = Buffer.concat([upload, emptyMember, emptyMember, Buffer.alloc(1000)]);
    expect((await exchange(service.url, chunked(`POST ${UPLOAD}`, headers, bytes))).status).toBe(200);
  });
});

describe('an error in JSON', () => {
  const hostile: [name: string, text: string, telling: RegExp][] = [
    ['nested lists', '['.repeat(16_000), /it ends where a value or \] is expected/],
    ['nested objects', '{"a":'.repeat(3_200), /it ends where a value is expected/],
    ['newlines', `${'\n'.repeat(16_000)}x`, /line 16001, column 1: a value/],
    ['escapes', `"${'\\n'.repeat(8_000)}`, /the end of the string/],
    ['characters of several bytes', `["${'漢é😀'.repeat(1_500)}",]`, /line 1, column 6005: a value/],
    ['commas', `[${'1,'.repeat(8_000)}]`, /column 16002: a value/],
    ['a short text that repeats itself', `[${'1,'.repeat(120)},${'1,'.repeat(120)}1]`, /column 242: a value/],
  ];

  test.each(hostile)('is located in %s', async (_name, text, telling) => {
    expectError(await login(Buffer.from(text)), 400, telling);
  });

  test('is not looked for without a token in a long text that repeats itself', async () => {
    const text = Buffer.from(`[${'1,'.repeat(4_000)},${'1,'.repeat(4_000)}1]`);
    expectError(await login(text), 400, /^\{"error":"the body is not valid JSON"\}$/);
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const answer = await exchange(service.url, rawRequest(`POST ${UPLOAD}`, headers, String(text)));
    expectError(answer, 400, /column 8002: a value/);
  });
});
