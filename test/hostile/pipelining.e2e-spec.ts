import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import type { HttpServer } from '@nestjs/common';
import type { JsonExpressAdapter } from '../../src/http/server/json-express.adapter.js';
import { expectErrorForm } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { RawConnection, rawRequest } from '../support/raw-http.js';
import { record } from '../support/records.js';
import { eventually } from '../support/service-process.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const LIVE = rawRequest('GET /health/live');
/** The requests of one connection that are accepted at once: one is processed, the others wait. */
const MAX_AT_ONCE = 17;

let service: TestApp;
let headers: Record<string, string>;
let connection: RawConnection;
beforeAll(async () => {
  service = await createTestApp();
  const { token } = await givenTill(service);
  headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
  await service.client.upload(token, [record()]);
});
beforeEach(async () => (connection = await RawConnection.open(service.url)));
afterEach(() => connection.abort());
afterAll(() => service.close());

const upload = (hour: number): string =>
  rawRequest('POST /api/v1/sales/upload-daily', headers, JSON.stringify({ records: [record({ hour, gto: hour })] }));

/** Keeps uploads from being finished while `work` runs. */
async function whileUploadsWait(work: () => Promise<void>): Promise<void> {
  await service.database.query('BEGIN');
  await service.database.query('UPDATE sales_days SET uploads = uploads');
  await work().finally(() => service.database.query('COMMIT'));
}

describe('Requests that are sent before the response to the first', () => {
  test('are processed one after the other', async () => {
    const { slots } = service.app.getHttpAdapter() as HttpServer as JsonExpressAdapter;
    await whileUploadsWait(async () => {
      await connection.send([1, 2, 3].map(upload).join(''));
      await eventually(() => slots.count > 0, 'the first upload');
      await service.client.get('/health/live');
      expect(slots.count).toBe(1);
    });
    expect((await connection.answers(3)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test.each([
    ['at once', (requests: string[]) => [requests.join('')]],
    ['in parts of 1,000 bytes', (requests: string[]) => requests.join('').match(/[^]{1,1000}/g)!],
    ['one by one', (requests: string[]) => requests],
  ])('are accepted up to a limit, after which the connection is closed: sent %s', async (_how, inParts) => {
    await whileUploadsWait(async () => {
      await connection.send(upload(1));
      for (const part of inParts(Array(2000).fill(LIVE))) void connection.send(part);
      await service.client.get('/health/live');
    });
    const answers = await connection.answers(MAX_AT_ONCE);
    expect(answers.map(({ status }) => status)).toEqual(Array(MAX_AT_ONCE).fill(200));
    expect(answers.map((answer) => answer.headers.get('Connection')).lastIndexOf('keep-alive')).toBe(MAX_AT_ONCE - 2);
    await connection.closed();
    expect(await connection.answers(MAX_AT_ONCE)).toHaveLength(MAX_AT_ONCE);
  });

  test.each([
    ['an unknown expectation', rawRequest('GET /', { Expect: 'x' })],
    ['an unknown path', rawRequest('GET /nothing')],
    ['no token', rawRequest('POST /api/v1/sales/upload-daily', {}, '{}')],
    ['a faulty login', rawRequest('POST /api/v1/auth/login', { 'Content-Type': 'application/json' }, '{}')],
    ['CONNECT', rawRequest('CONNECT a:1')],
    ['garbage', 'garbage\r\n\r\n'],
  ])('are bounded whatever they are: %s', async (_name, request) => {
    await whileUploadsWait(async () => {
      await connection.send(upload(1) + request.repeat(500));
      await service.client.get('/health/live');
    });
    await connection.closed();
    const answers = await connection.answers(MAX_AT_ONCE);
    expect(answers.length).toBeGreaterThan(1);
    expect(answers.length).toBeLessThanOrEqual(MAX_AT_ONCE);
    answers.slice(1).forEach(expectErrorForm);
  });

  test('do not keep the service from reading on when they were answered', async () => {
    for (let round = 1; round <= 5; round++) {
      await connection.send(upload(round) + LIVE.repeat(10));
      expect((await connection.answers(round * 11)).length).toBe(round * 11);
    }
  });
});

describe('A client that never reads', () => {
  let impatient: TestApp;
  let deaf: RawConnection;
  beforeAll(async () => {
    impatient = await service.another({ SEND_TIMEOUT_MS: 400 });
    await impatient.client.get('/api/v1/openapi.json', { headers: { Connection: 'close' } }); // the first takes long
  });
  beforeEach(async () => (deaf = await RawConnection.open(impatient.url, { deaf: true })));
  afterEach(() => deaf.abort());

  async function disconnected(): Promise<void> {
    const server: Server = impatient.app.getHttpServer();
    const count = promisify(server.getConnections.bind(server));
    await eventually(async () => (await count()) === 0, 'it to be disconnected');
  }

  test('is disconnected after SEND_TIMEOUT_MS, though it goes on sending', async () => {
    const document = rawRequest('GET /api/v1/openapi.json').repeat(3);
    const sending = setInterval(() => void deaf.send(document), 5);
    await disconnected().finally(() => clearInterval(sending));
  });

  test('is disconnected after SEND_TIMEOUT_MS, if it sent several requests at once and then nothing', async () => {
    await deaf.send(LIVE.repeat(10));
    await disconnected();
  });

  test('does not keep a connection that others need', async () => {
    const small = await service.another({ MAX_CONNECTIONS_PER_CLIENT: 1 });
    await small.client.get('/api/v1/openapi.json');
    const blocking = await RawConnection.open(small.url, { deaf: true, from: '127.0.0.2' });
    const server: Server = small.app.getHttpServer();
    let socket: Socket | undefined;
    server.once('request', (request: IncomingMessage) => (socket = request.socket));
    const document = rawRequest('GET /api/v1/openapi.json').repeat(3);
    const sending = setInterval(() => void blocking.send(document), 5);
    await eventually(() => socket && socket.writableLength > 0, 'a response that is not read');
    await eventually(async () => {
      const next = await RawConnection.open(small.url, { from: '127.0.0.2' }).catch(() => undefined);
      await next?.send(LIVE);
      return (await next?.answer().catch(() => undefined))?.status === 200;
    }, 'another connection').finally(() => clearInterval(sending));
  });
});
