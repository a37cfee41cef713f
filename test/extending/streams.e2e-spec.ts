import { Controller, type MessageEvent, Module, Sse } from '@nestjs/common';
import { register } from 'prom-client';
import { finalize, interval, map, type Observable } from 'rxjs';
import { Probe } from '../../src/http/requests/probe.decorator.js';
import { drain } from '../../src/server/serve.js';
import { givenTill } from '../support/given.js';
import { RawConnection, rawRequest } from '../support/raw-http.js';
import { eventually } from '../support/service-process.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { timed } from '../support/time-limits.js';

let open = 0;

@Controller('streams')
class StreamsController {
  @Probe()
  @Sse('ticks')
  ticks(): Observable<MessageEvent> {
    open++;
    return interval(20).pipe(
      map((tick) => ({ data: { tick } })),
      finalize(() => open--),
    );
  }

  /** Sends more than the buffers of a connection hold. */
  @Probe()
  @Sse('floods')
  flood(): Observable<MessageEvent> {
    open++;
    return interval(1).pipe(
      map(() => ({ data: 'x'.repeat(1_000_000) })),
      finalize(() => open--),
    );
  }
}

@Module({ controllers: [StreamsController] })
class StreamsModule {}

/** The time that a stop has for requests in work. */
const REQUEST_TIMEOUT_MS = 30_000;

const start = (settings = {}): Promise<TestApp> =>
  createTestApp({ REQUEST_TIMEOUT_MS, ...settings }, undefined, { imports: [StreamsModule] });

/** Opens server-sent events; the client waits for a first one. */
async function openEvents(service: TestApp, token: string) {
  const headers = { Authorization: `Bearer ${token}` };
  const response = await fetch(`${service.url}/streams/ticks`, { headers });
  const reader = response.body!.getReader();
  await reader.read();
  return reader;
}

/** Stops the service as SIGTERM does, and tells how long that took. */
async function stop(service: TestApp): Promise<number> {
  const { ms } = await timed(() => drain(service.app, service.config));
  await service.close();
  return ms;
}

test('A stop ends server-sent events at once, as whole responses; it takes no longer than without', async () => {
  const plain = await start();
  const withoutMs = await stop(plain);
  const service = await start();
  const { token } = await givenTill(service);
  const readers = [await openEvents(service, token), await openEvents(service, token)];
  expect(open).toBe(2);
  const stopped = stop(service);
  for (const reader of readers) while (!(await reader.read()).done); // an error would fail the test
  expect(await stopped).toBeLessThan(Math.min(withoutMs + 3000, REQUEST_TIMEOUT_MS));
  expect(open).toBe(0);
});

test('A stop does not wait for a client that reads no events', async () => {
  const service = await start();
  const { token } = await givenTill(service);
  const connection = await RawConnection.open(service.url, { deaf: true });
  const headers = { Authorization: `Bearer ${token}` };
  await connection.send(rawRequest('GET /streams/floods', headers));
  await eventually(() => open > 0, 'the events');
  expect(await stop(service)).toBeLessThan(REQUEST_TIMEOUT_MS / 2);
  expect(open).toBe(0);
});

test('A stream takes no request slot', async () => {
  const service = await start({ MAX_IN_FLIGHT: 1 });
  const { token } = await givenTill(service);
  const reader = await openEvents(service, token);
  expect((await service.client.get('/api/v1/restaurants', { token })).status).toBe(200);
  await reader.cancel();
  await service.close();
});

test('A stream is not among the durations of requests, and its error is', async () => {
  const service = await start({ METRICS_PORT: 9464 }); // counts; nothing listens there in a test
  const { token } = await givenTill(service);
  const reader = await openEvents(service, token);
  await reader.cancel();
  expect((await fetch(`${service.url}/streams/ticks`)).status).toBe(401);
  await eventually(() => open === 0, 'the end of the stream');
  await service.close();
  const { values } = await register.getSingleMetric('http_request_duration_seconds')!.get();
  const counted = values.filter(({ labels }) => labels['route'] === '/streams/ticks');
  expect([...new Set(counted.map(({ labels }) => labels['status']))]).toEqual([401]);
});
