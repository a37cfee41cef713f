import type { HttpServer } from '@nestjs/common';
import type { JsonExpressAdapter } from '../../src/http/adapter/json-express.adapter.js';
import { drain } from '../../src/server/serve.js';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { RawConnection, rawRequest } from '../support/raw-http.js';
import { record } from '../support/records.js';
import { eventually } from '../support/service-process.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { stretched, timed } from '../support/time-limits.js';

const ROOM = 3;

let service: TestApp;
let token: string;
beforeAll(async () => {
  service = await createTestApp({ MAX_IN_FLIGHT: ROOM });
  ({ token } = await givenTill(service));
  await service.client.upload(token, [record()]);
});
afterAll(() => service.close());

/** Keeps every upload of the day in flight until the promise that it gets resolves. */
async function whileTheDayIsLocked(work: () => Promise<void>): Promise<void> {
  await service.database.query('BEGIN');
  await service.database.query('UPDATE sales_days SET uploads = uploads');
  await work().finally(() => service.database.query('COMMIT'));
}

function waitUntilInFlight({ app }: TestApp, count: number): Promise<unknown> {
  const { slots } = app.getHttpAdapter() as HttpServer as JsonExpressAdapter;
  return eventually(() => slots.count === count, `${count} requests in flight, not ${slots.count}`);
}

/** So many statements wait for what the lock holds. */
function waitUntilBlocked(count: number): Promise<unknown> {
  const blocked =
    'SELECT DISTINCT pid FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))';
  return eventually(
    async () => (await service.database.query(blocked)).length === count,
    `${count} to be blocked`,
  );
}

describe('Work in flight', () => {
  test('503 at once for what comes on top, on a connection that can be used again; 200 for what was taken on and for probes', async () => {
    const taken: Promise<unknown>[] = [];
    const connection = await RawConnection.open(service.url);
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
    const body = JSON.stringify({ records: [record()] });
    const request = rawRequest('POST /api/v1/sales/upload-daily', headers, body);
    await whileTheDayIsLocked(async () => {
      for (let count = 0; count < ROOM; count++)
        taken.push(service.client.upload(token, [record({ hour: count })]));
      await waitUntilInFlight(service, ROOM);
      const { result: refused, ms } = await timed(() => service.client.upload(token, [record()]));
      expectError(refused, 503, /overloaded: retry after/);
      expect(refused.headers.get('Retry-After')).toMatch(/^[1-5]$/);
      expect(refused.headers.get('X-Error-Code')).toBe('overloaded');
      expect(ms).toBeLessThan(stretched(500));
      await connection.send(request);
      expectError(await connection.answer(), 503);
      expect((await service.client.get('/health/live')).status).toBe(200);
      await eventually(
        async () => (await service.client.get('/health/ready')).status === 200,
        'readiness',
      );
    });
    expect(await Promise.all(taken)).toEqual(
      Array(ROOM).fill(expect.objectContaining({ status: 200 })),
    );
    expect((await service.client.upload(token, [record()])).status).toBe(200);
    await connection.send(request);
    expect((await connection.answers(2)).map(({ status }) => status)).toEqual([503, 200]);
    connection.abort();
  });

  test('clients that go away make no room before the work for them is done', async () => {
    const small = await service.another({ MAX_IN_FLIGHT: 2 });
    const days = ['2025-11-01', '2025-11-02'];
    for (const date of days) await small.client.upload(token, [record({ date })]);
    await whileTheDayIsLocked(async () => {
      const connections: RawConnection[] = [];
      for (const date of days) {
        const connection = await RawConnection.open(small.url);
        const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
        const body = JSON.stringify({ records: [record({ date })] });
        await connection.send(rawRequest('POST /api/v1/sales/upload-daily', headers, body));
        await waitUntilBlocked(connections.push(connection));
      }
      for (const connection of connections) connection.abort();
      expectError(await small.client.upload(token, [record()]), 503);
    });
    await eventually(
      async () => (await small.client.upload(token, [record()])).status === 200,
      'room again',
    );
  });

  test('what a shutdown waits for in vain for REQUEST_TIMEOUT_MS is cut', async () => {
    const leaving = await service.another();
    let answered: Promise<unknown> | undefined;
    await whileTheDayIsLocked(async () => {
      answered = leaving.client.upload(token, [record()]).catch(() => 'cut');
      await waitUntilBlocked(1);
      await drain(leaving.app, { ...leaving.config, REQUEST_TIMEOUT_MS: 300 });
    });
    expect(await answered).toBe('cut');
  });
});
