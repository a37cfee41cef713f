import type { Socket } from 'node:net';
import { expectError, expectErrorForm } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { exchange, RawConnection, rawRequest } from '../support/raw-http.js';
import { record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const UPLOAD = '/api/v1/sales/upload-daily';

describe('HTTP, byte by byte', () => {
  let service: TestApp;
  let auth: Record<string, string>;
  let body: string;
  const send = (bytes: string | Uint8Array) => exchange(service.url, bytes);
  const saved = () => service.database.query('SELECT hour, gto::text FROM hourly_sales ORDER BY hour');

  beforeAll(async () => {
    service = await createTestApp();
    auth = {
      Authorization: `Bearer ${(await givenTill(service)).token}`,
      'Content-Type': 'application/json',
    };
    body = JSON.stringify({ records: [record()] });
  });
  afterEach(async () => {
    const answer = await send(rawRequest(`POST ${UPLOAD}`, auth, '{}')); // whatever happened, it lives on
    expectError(answer, 400, /records is missing/);
    await service.database.query('DELETE FROM hourly_sales');
  });
  afterAll(() => service.close());

  describe('served', () => {
    test.each<[string, (upload: string) => string]>([
      ['HTTP/1.0 without Host', (upload) => upload.replace('HTTP/1.1', 'HTTP/1.0').replace('Host: x\r\n', '')],
      ['the absolute form of the target', (upload) => upload.replace('POST ', 'POST http://example.com:1')],
      ['header names in any case', (upload) => upload.replace('Content-Length', 'cONTENT-lENGTH')],
      ['an offer to upgrade', (upload) => upload.replace('Host', 'Connection: Upgrade\r\nUpgrade: websocket\r\nHost')],
      ['Connection: close', (upload) => upload.replace('Host', 'Connection: close\r\nHost')],
      ['empty lines before the request', (upload) => `\r\n\r\n${upload}`],
      ['an empty Content-Encoding', (upload) => upload.replace('Host', 'Content-Encoding:\r\nHost')],
    ])('200: %s', async (_name, change) => {
      const answer = await send(change(rawRequest(`POST ${UPLOAD}`, auth, body)));
      expect(answer).toMatchObject({ status: 200, body: { success: true, processed: 1 } });
      expect(await saved()).toHaveLength(1);
    });

    test('200: a chunked body, in chunks of one byte, with extensions and a trailer', async () => {
      const chunks = [...Buffer.from(body)].map((byte) => `1;x=y\r\n${String.fromCharCode(byte)}\r\n`).join('');
      const head = rawRequest(`POST ${UPLOAD}`, { ...auth, 'Transfer-Encoding': 'chunked', Trailer: 'X-Sum' });
      expect((await send(`${head}${chunks}0\r\nX-Sum: 1\r\n\r\n`)).status).toBe(200);
    });

    test('200: a request that arrives byte by byte', async () => {
      const connection = await RawConnection.open(service.url);
      for (const byte of Buffer.from(rawRequest(`POST ${UPLOAD}`, auth, body))) await connection.send(Buffer.of(byte));
      expect((await connection.answer()).status).toBe(200);
      connection.abort();
    });

    test('200: 100 Continue is sent to who waits for it', async () => {
      const connection = await RawConnection.open(service.url);
      const headers = { ...auth, Expect: '100-continue', 'Content-Length': String(Buffer.byteLength(body)) };
      await connection.send(rawRequest(`POST ${UPLOAD}`, headers));
      await connection.receivedText('100 Continue');
      await connection.send(body);
      expect((await connection.answer()).status).toBe(200);
      connection.abort();
    });

    test('pipelined requests are answered in their order', async () => {
      const uploads = [3, 1, 2].map((hour) => JSON.stringify({ records: [record({ hour, gto: hour })] }));
      const connection = await RawConnection.open(service.url);
      const requests = [...uploads, '{}', 'x'].map((each) => rawRequest(`POST ${UPLOAD}`, auth, each));
      await connection.send([...requests, rawRequest('GET /')].join(''));
      expect((await connection.answers(6)).map(({ status }) => status)).toEqual([200, 200, 200, 400, 400, 404]);
      connection.abort();
      expect(await saved()).toEqual([1, 2, 3].map((hour) => ({ hour, gto: String(hour) })));
    });

    test('a good request is answered before the garbage behind it', async () => {
      const connection = await RawConnection.open(service.url);
      await connection.send(`${rawRequest(`POST ${UPLOAD}`, auth, body)}garbage\r\n\r\n`);
      const [first, second] = await connection.answers(2);
      expect(first).toMatchObject({ status: 200, body: { success: true } });
      expectError(second!, 400, /not valid HTTP/);
      expect(await connection.closed()).toBeUndefined();
      expect(await saved()).toHaveLength(1);
    });
  });

  describe('refused as no HTTP', () => {
    const upload = (headers: Record<string, string>, content = body) =>
      rawRequest(`POST ${UPLOAD}`, { ...auth, ...headers }, content);

    test.each<[string, () => string]>([
      ['words', () => 'hello\r\n\r\n'],
      ['the beginning of TLS', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
      ['the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
      ['HTTP/9.9', () => upload({}).replace('HTTP/1.1', 'HTTP/9.9')],
      ['two Hosts', () => upload({ HOST: 'y' })],
      ['no Host', () => upload({}).replace('Host: x\r\n', '')],
      [
        'both lengths of a body: the one of its chunks and Content-Length',
        () => upload({ 'Content-Length': '5', 'Transfer-Encoding': 'chunked' }, '0\r\n\r\n'),
      ],
      ['two lengths that differ', () => upload({ 'Content-Length': '7\r\nContent-Length: 8' })],
      ['two lengths alike', () => upload({ 'Content-Length': `${body.length}\r\nContent-Length: ${body.length}` })],
      ['a list of lengths', () => upload({ 'Content-Length': '7, 7' })],
      ['a negative length', () => upload({ 'Content-Length': '-1' })],
      ['a length with a sign', () => upload({ 'Content-Length': '+7' })],
      ['a hexadecimal length', () => upload({ 'Content-Length': '0x7' })],
      ['a length beyond all numbers', () => upload({ 'Content-Length': '99999999999999999999999' })],
      ['a transfer coding that is unknown', () => upload({ 'Transfer-Encoding': 'gzip' })],
      ['chunked, but not last', () => upload({ 'Transfer-Encoding': 'chunked, gzip' })],
      ['a chunk whose size is no number', () => upload({ 'Transfer-Encoding': 'chunked' }, 'zz\r\nab\r\n0\r\n\r\n')],
      [
        'a chunk that is longer than its size',
        () => upload({ 'Transfer-Encoding': 'chunked' }, '1\r\nab\r\n0\r\n\r\n'),
      ],
      ['a NUL in a header', () => upload({ 'X-A': 'a\0b' })],
      ['a header name with a space', () => upload({ 'X A': 'b' })],
      ['a header without a colon', () => upload({ 'X-A': 'b\r\nnonsense' })],
      ['a space before the colon', () => upload({ 'Content-Length ': '7' })],
      ['a folded header', () => upload({ 'X-A': 'b\r\n c\r\n d', 'Transfer-Encoding': 'chunked\r\n , identity' })],
      ['bare line feeds', () => upload({}).replaceAll('\r\n', '\n')],
      ['a space in the target', () => rawRequest('GET /api v1')],
      ['a NUL in the target', () => rawRequest('GET /api\0')],
    ])('400: %s', async (_name, bytes) => {
      const connection = await RawConnection.open(service.url);
      await connection.send(bytes());
      expectError(await connection.answer(), 400);
      connection.endSending();
      expect(await connection.closed()).toBeUndefined();
      expect(await saved()).toEqual([]);
    });

    test('400: the text says what is wrong', async () => {
      expectError(await send(upload({}).replace('Host: x\r\n', '')), 400, /must have one Host header/);
      expectError(await send(upload({ 'Content-Length': '-1' })), 400, /not valid HTTP: .*Content-Length/);
      expectError(await send(rawRequest('BREW /')), 400, /not valid HTTP: .*method/);
    });

    test('431: headers, or a target, of more than 16 KB, readable for who sends all before listening', async () => {
      for (const bytes of [upload({ 'X-A': 'a'.repeat(4_000_000) }), rawRequest(`GET /${'a'.repeat(2_000_000)}`)]) {
        const connection = await RawConnection.open(service.url, { deaf: true });
        await connection.send(bytes);
        connection.listen();
        expectError(await connection.answer(), 431, /headers are too large/);
        expect(await connection.closed()).toBeUndefined();
      }
    });

    test('413: chunk extensions of more than 16 KB', async () => {
      const chunks = `1;${'x'.repeat(20_000)}\r\n{\r\n0\r\n\r\n`;
      expectError(await send(upload({ 'Transfer-Encoding': 'chunked' }, chunks)), 413);
    });

    test('417: an expectation that is unknown', async () => {
      expectError(await send(upload({ Expect: 'coffee' })), 417, /100-continue/);
    });

    test('405: CONNECT, and its connection is looked after: an error on it would end the process', async () => {
      let socket: Socket | undefined;
      service.app.getHttpServer().once('connect', (_request, of: Socket) => (socket = of));
      expectError(await send(rawRequest('CONNECT example.com:443')), 405, /CONNECT/);
      expect(socket?.listenerCount('error')).toBe(1);
    });

    test('404 or 400, never more: odd targets', async () => {
      const targets = [
        '*',
        '/%',
        '/api/v1/%zz',
        '/%c0%ae',
        '/%00',
        '/\xff',
        '//',
        '///',
        '/..',
        '/?%',
        '/#x',
        '?',
        '/api/v1/%',
      ];
      const absolute = ['http://', 'http://[/', 'http://x:99999/', 'http:///api', 'mailto:x', 'x', '\\', 'http://%/'];
      for (const target of [...targets, ...absolute, `/${'a/'.repeat(5000)}`]) {
        for (const method of ['GET', 'POST', 'OPTIONS']) {
          const answer = await send(rawRequest(`${method} ${target}`, auth, '{}'));
          expectErrorForm(answer);
          expect([target, [400, 404].includes(answer.status)]).toEqual([target, true]);
        }
      }
    });
  });
});
