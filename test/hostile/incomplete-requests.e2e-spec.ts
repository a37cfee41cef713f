import type { HttpServer } from '@nestjs/common';
import type { JsonExpressAdapter } from '../../src/http/server/json-express.adapter.js';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { RawConnection, rawRequest } from '../support/raw-http.js';
import { record } from '../support/records.js';
import { eventually } from '../support/service-process.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { stretched, timed } from '../support/time-limits.js';

const LOGIN = '/api/v1/auth/login';
const JSON_TYPE = { 'Content-Type': 'application/json' };
const LIMIT = 4;
const MAX_INCOMPLETE_REQUESTS = 250;

/** The beginnings of requests, none of which is ever finished. */
const BEGINNINGS = {
  nothing: '',
  'a byte': 'P',
  'a head': `POST ${LOGIN} HTTP/1.1\r\nHost: x\r\nX-Slow: `,
  'no byte of a body': rawRequest(`POST ${LOGIN}`, { ...JSON_TYPE, 'Content-Length': '60' }),
  'a part of a body': rawRequest(`POST ${LOGIN}`, { ...JSON_TYPE, 'Content-Length': '60' }, '{"grant_type": '),
  'a part of a chunk': rawRequest(`POST ${LOGIN}`, { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' }, '9\r\n{"gr'),
  'a body that no endpoint reads': rawRequest('POST /nothing', { 'Content-Length': '60' }, '{'),
};

let service: TestApp;
let till: { username: string; password: string; token: string };
let opened: RawConnection[] = [];
beforeAll(async () => {
  service = await createTestApp({ MAX_INCOMPLETE_REQUESTS });
  till = await givenTill(service);
});
afterEach(() => {
  opened.forEach((connection) => connection.abort());
  opened = [];
});
afterAll(() => service.close());

async function open({ url }: TestApp, bytes: string, from?: string): Promise<RawConnection> {
  const connection = await RawConnection.open(url, from === undefined ? {} : { from });
  opened.push(connection);
  await connection.send(bytes);
  return connection;
}

/** Opens connections one after the other, each of them seen by the service before the next. */
async function openMany(to: TestApp, bytes: string, count: number, from?: string): Promise<RawConnection[]> {
  const connections: RawConnection[] = [];
  for (let index = 0; index < count; index++) {
    connections.push(await open(to, bytes, from));
    await to.client.get('/health/live');
  }
  return connections;
}

describe.each(Object.entries(BEGINNINGS))('Requests of which only %s arrives', (_name, bytes) => {
  test('as many of them from one address as all clients may have hinder neither uploads nor logins from there', async () => {
    await Promise.all(Array.from({ length: MAX_INCOMPLETE_REQUESTS }, () => open(service, bytes)));
    const slowest = await slowestOf(() => service.client.upload(till.token, [record()]));
    expect(slowest).toBeLessThan(stretched(5000));
    expect((await service.client.login(till.username, till.password)).status).toBe(200);
  });
});

async function slowestOf(upload: () => Promise<{ status: number }>): Promise<number> {
  let slowest = 0;
  for (let count = 0; count < 20; count++) {
    // a kept connection may be closed just when it is used again: clients send such a request once more
    const { result, ms } = await timed(() => upload().catch(upload));
    expect(result.status).toBe(200);
    slowest = Math.max(slowest, ms);
  }
  return slowest;
}

describe('Slots', () => {
  test('are not taken by requests whose body has not arrived', async () => {
    const small = await service.another({ MAX_IN_FLIGHT: 1, MAX_PUBLIC_IN_FLIGHT: 1 });
    const upload = { ...JSON_TYPE, Authorization: `Bearer ${till.token}`, 'Content-Length': '60' };
    await openMany(small, BEGINNINGS['a part of a body'], 3);
    await openMany(small, rawRequest('POST /api/v1/sales/upload-daily', upload, '{"records'), 3);
    expect((await small.client.upload(till.token, [record()])).status).toBe(200);
    expect((await small.client.login(till.username, till.password)).status).toBe(200);
  });

  test('of requests with a token are not taken by logins, nor the other way round', async () => {
    const small = await service.another({ MAX_IN_FLIGHT: 1, MAX_PUBLIC_IN_FLIGHT: 1 });
    await service.database.query('BEGIN');
    await service.database.query('LOCK TABLE users');
    const login = small.client.login(till.username, till.password);
    const { publicSlots } = small.app.getHttpAdapter() as HttpServer as JsonExpressAdapter;
    await eventually(() => publicSlots.count === 1, 'the public slot to be taken');
    expect((await small.client.login('other', 'x')).status).toBe(503);
    const upload = small.client.upload(till.token, [record()]);
    await service.database.query('COMMIT');
    expect([(await login).status, (await upload).status]).toEqual([200, 200]);
  });
});

describe('The limit of incomplete requests', () => {
  const REQUEST_TIMEOUT_MS = 600_000; // closes none of them meanwhile

  test.each(Object.entries(BEGINNINGS))('of a client: the oldest is closed with 408: %s', async (_name, bytes) => {
    const small = await service.another({ REQUEST_TIMEOUT_MS, MAX_INCOMPLETE_REQUESTS_PER_CLIENT: LIMIT });
    const elsewhere = await openMany(small, bytes, LIMIT, '127.0.0.2');
    const [oldest, second, ...others] = await openMany(small, bytes, LIMIT + 2);
    for (const connection of [oldest!, second!]) {
      if (bytes.includes('/nothing')) expectError(await connection.answer(), 404);
      else expectError(await connection.answer(), 408);
      await connection.closed();
    }
    await small.client.get('/health/live');
    expect([...others, ...elsewhere].filter(({ isOpen }) => !isOpen)).toEqual([]);
  });

  test('of all clients: the oldest of all is closed', async () => {
    const small = await service.another({ REQUEST_TIMEOUT_MS, MAX_INCOMPLETE_REQUESTS: LIMIT });
    const [oldest] = await openMany(small, BEGINNINGS['a head'], 1, '127.0.0.2');
    const others = await openMany(small, BEGINNINGS['a head'], LIMIT);
    expectError(await oldest!.answer(), 408);
    expect(others.filter(({ isOpen }) => !isOpen)).toEqual([]);
  });

  test('of a client does not apply to a trusted proxy', async () => {
    const small = await service.another({
      REQUEST_TIMEOUT_MS,
      MAX_INCOMPLETE_REQUESTS_PER_CLIENT: LIMIT,
      TRUST_PROXY: '127.0.0.3',
    });
    const proxied = await openMany(small, BEGINNINGS['a head'], LIMIT + 2, '127.0.0.3');
    const [oldest] = await openMany(small, BEGINNINGS['a head'], LIMIT + 2);
    expectError(await oldest!.answer(), 408);
    expect(proxied.filter(({ isOpen }) => !isOpen)).toEqual([]);
  });

  test('counts the beginning of a further request on a connection', async () => {
    const small = await service.another({ REQUEST_TIMEOUT_MS, MAX_INCOMPLETE_REQUESTS_PER_CLIENT: LIMIT });
    const connections = await openMany(small, rawRequest('GET /health/live'), LIMIT + 1);
    for (const connection of connections) await connection.answer();
    for (const connection of connections) await connection.send(BEGINNINGS['a head']);
    const closed = (): number => connections.filter(({ isOpen }) => !isOpen).length;
    await eventually(() => closed() === 1, 'one to be closed');
  });

  test('never counts a request that has arrived', async () => {
    const small = await service.another({ MAX_INCOMPLETE_REQUESTS_PER_CLIENT: 1 });
    await small.client.upload(till.token, [record()]);
    await service.database.query('BEGIN');
    await service.database.query('UPDATE sales_days SET uploads = uploads');
    const body = JSON.stringify({ records: [record()] });
    const headers = { ...JSON_TYPE, Authorization: `Bearer ${till.token}` };
    const uploads = await openMany(small, rawRequest('POST /api/v1/sales/upload-daily', headers, body), 3);
    await openMany(small, BEGINNINGS['a part of a body'], 3);
    await service.database.query('COMMIT');
    for (const connection of uploads) expect((await connection.answer()).status).toBe(200);
  });
});
