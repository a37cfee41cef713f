import type { Server } from 'node:http';
import { promisify } from 'node:util';
import type { HttpServer } from '@nestjs/common';
import { normalizeIp } from '@nestjs/throttler';
import type { JsonExpressAdapter } from '../../src/http/server/json-express.adapter.js';
import { untilServed, type Answer } from '../support/client.js';
import { givenTill } from '../support/given.js';
import { RawConnection, rawRequest } from '../support/raw-http.js';
import { record } from '../support/records.js';
import { eventually, ServiceProcess } from '../support/service-process.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const LIMIT = 4;
const LIVE = rawRequest('GET /health/live');

let service: TestApp;
let token: string;
let opened: RawConnection[] = [];
beforeAll(async () => {
  service = await createTestApp();
  ({ token } = await givenTill(service));
  await service.client.upload(token, [record()]);
});
afterEach(() => {
  opened.forEach((connection) => connection.abort());
  opened = [];
});
afterAll(() => service.close());

/** Opens a connection and waits for the response to its first request. */
async function used({ url }: TestApp, from = '127.0.0.2'): Promise<RawConnection> {
  const connection = await RawConnection.open(url, { from });
  opened.push(connection);
  await connection.send(LIVE);
  await connection.answer();
  return connection;
}

async function manyUsed(to: TestApp, count: number, from?: string): Promise<RawConnection[]> {
  const connections: RawConnection[] = [];
  while (connections.length < count) connections.push(await used(to, from));
  return connections;
}

/** Connections whose uploads are being processed while `work` runs. */
async function whileUploading(to: TestApp, count: number, work: (uploading: RawConnection[]) => Promise<void>) {
  await service.database.query('BEGIN');
  await service.database.query('UPDATE sales_days SET uploads = uploads');
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
  const body = JSON.stringify({ records: [record()] });
  const uploading = await manyUsed(to, count);
  for (const connection of uploading)
    await connection.send(rawRequest('POST /api/v1/sales/upload-daily', headers, body));
  const { slots } = to.app.getHttpAdapter() as HttpServer as JsonExpressAdapter;
  await eventually(() => slots.count === count, 'the uploads to be processed');
  await work(uploading).finally(() => service.database.query('COMMIT'));
  for (const connection of uploading) expect((await connection.answers(2))[1]?.status).toBe(200);
}

const areOpen = (connections: RawConnection[]): boolean[] => connections.map(({ isOpen }) => isOpen);

describe.each([
  ['MAX_CONNECTIONS_PER_CLIENT', { MAX_CONNECTIONS_PER_CLIENT: LIMIT }],
  ['MAX_CONNECTIONS', { MAX_CONNECTIONS: LIMIT }],
])('%s', (_setting, settings) => {
  test('the connection that was idle for longest is closed for a new one', async () => {
    const small = await service.another(settings);
    const connections = await manyUsed(small, LIMIT);
    await connections[0]!.send(LIVE);
    await connections[0]!.answers(2);
    connections.push(await used(small));
    await connections[1]!.closed();
    expect(areOpen(connections)).toEqual([true, false, true, true, true]);
  });

  test('one that has sent nothing is closed before one that was used', async () => {
    const small = await service.another(settings);
    const silent = await RawConnection.open(small.url, { from: '127.0.0.2' });
    const others = await manyUsed(small, LIMIT);
    await silent.closed();
    expect(areOpen(others)).not.toContain(false);
  });

  test('what is being processed is never closed: a new connection is', async () => {
    const small = await service.another(settings);
    await whileUploading(small, LIMIT, async () => {
      const closed = used(small).then((connection) => connection.closed());
      await closed.catch((error: unknown) => error); // one without room is refused
    });
  });
});

test('A burst of requests from one address is served, however many connections it takes', async () => {
  const uploads = Array.from({ length: 800 }, () => untilServed(() => service.client.upload(token, [record()])));
  expect(new Set((await Promise.all(uploads)).map(({ status }) => status))).toEqual(new Set([200]));
});

test('A client that fills MAX_CONNECTIONS loses its own connections first', async () => {
  const small = await service.another({ MAX_CONNECTIONS: 20, MAX_CONNECTIONS_PER_CLIENT: LIMIT });
  const honest = await manyUsed(small, LIMIT - 1, '127.0.0.4');
  for (let count = 0; count < 60; count++) opened.push(await RawConnection.open(small.url, { from: '127.0.0.2' }));
  await used(small, '127.0.0.4');
  expect(areOpen(honest)).not.toContain(false);
});

test('Other clients are not affected by the connections of one', async () => {
  const small = await service.another({ MAX_CONNECTIONS_PER_CLIENT: LIMIT });
  const honest = await manyUsed(small, LIMIT, '127.0.0.4');
  await manyUsed(small, 50, '127.0.0.2');
  expect(areOpen(honest)).toEqual([true, true, true, true]);
});

test('A trusted proxy may have more connections than a client, and 0 means no limit', async () => {
  const small = await service.another({ MAX_CONNECTIONS_PER_CLIENT: LIMIT, TRUST_PROXY: '127.0.0.3' });
  const unlimited = await service.another({ MAX_CONNECTIONS_PER_CLIENT: 0 });
  const connections = [...(await manyUsed(small, LIMIT * 3, '127.0.0.3')), ...(await manyUsed(unlimited, 300))];
  expect(connections.filter(({ isOpen }) => !isOpen)).toEqual([]);
});

test('A flood of idle connections leaves uploads from the same address as they were', async () => {
  const floods = Array.from({ length: 2000 }, async () => opened.push(await RawConnection.open(service.url)));
  const upload = (): Promise<Answer> => service.client.upload(token, [record()]);
  // a kept connection may be closed just when it is used again: clients send such a request once more
  for (let count = 0; count < 20; count++) expect((await upload().catch(upload)).status).toBe(200);
  await Promise.all(floods);
  expect((await upload().catch(upload)).status).toBe(200);
  const server: Server = service.app.getHttpServer();
  const count = promisify(server.getConnections.bind(server));
  await eventually(async () => (await count()) <= service.config.MAX_CONNECTIONS_PER_CLIENT, 'the flood to be closed');
});

test('Idle connections leave files open for others where the process may open few', async () => {
  const few = await ServiceProcess.start({ DATABASE_URL: service.database.url }, 600);
  for (let client = 2; client < 5; client++) {
    const idle = Array.from({ length: 250 }, () => RawConnection.open(few.url, { from: `127.0.0.${client}` }));
    opened.push(...(await Promise.all(idle)));
  }
  expect((await few.client.get('/health/ready')).status).toBe(200);
  await few.stop();
});

test('Clients are told apart by their IPv4 address or the /64 of their IPv6 address', () => {
  expect(normalizeIp('2001:db8::1')).toBe(normalizeIp('2001:db8::ffff:1%eth0'));
  expect(normalizeIp('2001:db8::1')).not.toBe(normalizeIp('2001:db8:0:1::1'));
  expect(normalizeIp('::ffff:10.0.0.1')).toBe(normalizeIp('10.0.0.1'));
  expect(normalizeIp('::ffff:10.0.0.1')).not.toBe(normalizeIp('::ffff:10.0.0.2'));
});
