import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { RawConnection, rawRequest } from '../support/raw-http.js';
import { day } from '../support/records.js';
import { eventually } from '../support/service-process.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const UPLOAD = '/api/v1/sales/upload-daily';

describe('uploads that break off', () => {
  let service: TestApp;
  let auth: Record<string, string>;
  const body = JSON.stringify({ records: day() });
  const hours = () => service.database.query<{ hour: number }>('SELECT hour FROM hourly_sales');

  beforeAll(async () => {
    service = await createTestApp();
    auth = { Authorization: `Bearer ${(await givenTill(service)).token}`, 'Content-Type': 'application/json' };
  });
  afterAll(() => service.close());

  const cut: [name: string, headers: Record<string, string>, bytes: Uint8Array | string][] = [
    ['no byte of the body', { 'Content-Length': '9' }, ''],
    ['half of it', { 'Content-Length': String(body.length) }, body.slice(0, 1000)],
    ['all but the last byte', { 'Content-Length': String(body.length) }, body.slice(0, -1)],
    ['whole JSON, but a byte less than was announced', { 'Content-Length': String(body.length + 1) }, body],
    ['chunks without the last', { 'Transfer-Encoding': 'chunked' }, `${body.length.toString(16)}\r\n${body}\r\n`],
    ['half of a chunk', { 'Transfer-Encoding': 'chunked' }, `ffff\r\n${body}`],
    ['half of a gzip', { 'Content-Encoding': 'gzip', 'Content-Length': '500' }, gzipSync(body).subarray(0, 300)],
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

  test.each(cut)('nothing is saved, and nothing is left behind: %s', async (_name, headers, bytes) => {
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
  });

  test('nothing is left behind by a whole upload either, packed or not', async () => {
    const server = service.app.getHttpServer();
    const requests: IncomingMessage[] = [];
    server.on('request', (request: IncomingMessage) => requests.push(request));
    expect((await service.client.post(UPLOAD, body, { headers: auth })).status).toBe(200);
    const packed = { ...auth, 'Content-Encoding': 'gzip' };
    expect((await service.client.send('POST', UPLOAD, gzipSync(body), packed)).status).toBe(200);
    const left = requests.flatMap((request) => ['data', 'end', 'error'].map((event) => request.listenerCount(event)));
    expect(left).toEqual([0, 0, 0, 0, 0, 0]);
    await service.database.query('DELETE FROM hourly_sales');
  });

  test('a client that is gone before the answer has uploaded the whole day or nothing', async () => {
    for (let round = 0; round < 30; round++) {
      const connection = await RawConnection.open(service.url);
      const upload = JSON.stringify({ records: day({ date: `2025-11-${String(round + 1).padStart(2, '0')}` }) });
      await connection.send(rawRequest(`POST ${UPLOAD}`, auth, upload));
      await new Promise((resolve) => setTimeout(resolve, round / 5));
      connection.abort();
    }
    const whole = () =>
      service.database.query('SELECT DISTINCT count(*)::int AS hours FROM hourly_sales GROUP BY date');
    expect((await service.client.post(UPLOAD, { records: day() }, { headers: auth })).status).toBe(200);
    expect(await whole()).toEqual([{ hours: 24 }]);
    await service.database.query('DELETE FROM hourly_sales');
  });

  test('408: slow headers, and a body that stops coming', async () => {
    const hasty = await service.another();
    Object.assign(hasty.app.getHttpServer(), { headersTimeout: 200, requestTimeout: 400 });
    const request = rawRequest(`POST ${UPLOAD}`, auth);
    const slow = [
      'POST',
      request.slice(0, -2),
      ...cut.map(([, headers, bytes]) =>
        Buffer.concat([Buffer.from(rawRequest(`POST ${UPLOAD}`, { ...auth, ...headers })), Buffer.from(bytes)]),
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
