import { ReadinessService } from '../../src/health/readiness.service.js';
import type { Answer } from '../support/client.js';
import { expectError } from '../support/expect-error.js';
import { eventually } from '../support/service-process.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { stretched } from '../support/time-limits.js';

let service: TestApp;
let proxy: TcpProxy;
let distant: TestApp;
beforeAll(async () => {
  service = await createTestApp();
  proxy = await TcpProxy.to(service.database.url);
  distant = await service.another({ DATABASE_URL: proxy.url, RESPONSE_TIMEOUT_MS: 5000 });
});
afterAll(async () => {
  await service.close();
  await proxy.close();
});

function becomes(status: number): Promise<Answer> {
  return eventually(async () => {
    const answer = await distant.client.get('/health/ready');
    return answer.status === status && answer;
  }, `/health/ready to be ${status}`);
}

describe('GET /health/live', () => {
  test('200: open to all, and plain', async () => {
    const answer = await service.client.get('/health/live');
    expect([answer.status, answer.text]).toEqual([200, '{"status":"ok"}']);
  });

  test('200: also where the database is away', async () => {
    proxy.refuse();
    await becomes(503);
    expect((await distant.client.get('/health/live')).status).toBe(200);
    proxy.forward();
  });
});

describe('GET /health/ready', () => {
  test('200: the database answers and is migrated', async () => {
    const answer = await service.client.get('/health/ready');
    expect([answer.status, answer.text]).toEqual([200, '{"status":"ok"}']);
  });

  test('503 while the database cannot be reached, and 200 when it is back', async () => {
    await becomes(200);
    proxy.refuse();
    expectError(await becomes(503), 503, /not ready: the database does not answer/);
    proxy.forward();
    await becomes(200);
  });

  test('503 before the five seconds of any other request are over where the database says nothing, however many ask', async () => {
    await becomes(200);
    proxy.hold();
    await becomes(503);
    const since = Date.now();
    const answers = await Promise.all(Array.from({ length: 50 }, () => distant.client.get('/health/ready')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(Date.now() - since).toBeLessThan(stretched(5000));
    expect(proxy.connections).toBeLessThan(10);
    proxy.forward();
    await becomes(200);
  });

  test('503 where a migration of this release has not run; one of a later release does no harm', async () => {
    const { database } = service;
    await database.query(`INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'OfALaterRelease')`);
    expect((await becomes(200)).status).toBe(200);
    const [latest] = await database.query<{ name: string }>(
      `DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations WHERE name <> 'OfALaterRelease') RETURNING *`,
    );
    expectError(await becomes(503), 503, /lacks migrations/);
    await database.query('INSERT INTO migrations SELECT * FROM json_populate_record(NULL::migrations, $1)', [latest]);
    await becomes(200);
  });

  test('503 once the shutdown has begun, while requests are still served', async () => {
    const leaving = await service.another();
    leaving.app.get(ReadinessService, { strict: false }).beginShutdown();
    const answer = await leaving.client.get('/health/ready');
    expectError(answer, 503, /not ready: shutting down/);
    expect(answer.headers.get('X-Error-Code')).toBe('shutting_down');
    expect((await leaving.client.get('/health/live')).status).toBe(200);
    expect((await leaving.client.login('nobody', 'x')).status).toBe(401);
  });
});
