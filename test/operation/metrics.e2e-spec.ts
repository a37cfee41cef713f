import { freePort } from '../support/free-port.js';
import { day, record } from '../support/records.js';
import { seed } from '../support/seed.js';
import { endLeftovers, eventually, ServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

let database: TestDatabase;
let service: ServiceProcess;
let origin: string;
beforeAll(async () => {
  database = await createTestDatabase();
  await seed(database);
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  service = await ServiceProcess.start({
    DATABASE_URL: database.url,
    METRICS_PORT: String(port),
    METRICS_MISSING_UPLOADS: 'true',
    LOGIN_MAX_FAILURES: '2',
  });
});
afterAll(async () => {
  await service.stop();
  await database.drop();
});
afterAll(endLeftovers);

/** A reading: what stands before the value, with its value. */
async function read(): Promise<ReadonlyMap<string, number>> {
  const lines = (await (await fetch(`${origin}/metrics`)).text()).split('\n');
  const samples = lines.filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    samples.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

function requests(method: string, route: string, status: number): string {
  return `http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`;
}

test('What has not happened yet is 0, so that Prometheus sees the first time', async () => {
  const figures = await read();
  const series = [
    ...['internal_error', 'overloaded', 'too_many_logins'].map((code) => `http_errors_total{code="${code}"}`),
    ...['success', 'failure', 'locked', 'disabled'].map((outcome) => `logins_total{outcome="${outcome}"}`),
    'login_locks_total{of="username"}',
  ];
  expect(series.map((name) => [name, figures.get(name)])).toEqual(series.map((name) => [name, 0]));
});

test('Requests are counted and timed by route and status', async () => {
  const token = await service.client.token('till', 'right password');
  await service.client.upload(token, day());
  await service.client.upload(token, [record({ hour: 24 })]);
  const figures = await read();
  expect(figures.get(requests('POST', '/api/v1/auth/login', 200))).toBe(1);
  expect(figures.get(requests('POST', '/api/v1/sales/upload-daily', 200))).toBe(1);
  expect(figures.get(requests('POST', '/api/v1/sales/upload-daily', 400))).toBe(1);
  expect(figures.get('http_errors_total{code="invalid_request"}')).toBe(1);
  const buckets = [...figures].filter(([name]) => name.startsWith('http_request_duration_seconds_bucket'));
  expect(buckets.some(([name, count]) => name.includes('le="10"') && count === 1)).toBe(true);
});

test('What restaurants hand in, and how logins went, is counted', async () => {
  const before = await read();
  const token = await service.client.token('till', 'right password');
  await service.client.upload(token, day({ date: '2025-10-16' }));
  await service.client.upload(token, [record({ date: '2025-10-16', hour: 3, gto: 7 })]);
  for (let count = 0; count < 3; count++) await service.client.login('nobody', 'wrong');
  const after = await read();
  const rise = (name: string) => after.get(name)! - (before.get(name) ?? 0);
  expect(rise('uploads_saved_total')).toBe(2);
  expect(rise('upload_records_saved_total')).toBe(25);
  expect(rise('upload_hours_overwritten_total')).toBe(1);
  expect(rise('logins_total{outcome="success"}')).toBe(1);
  expect(rise('logins_total{outcome="failure"}')).toBe(2);
  expect(rise('logins_total{outcome="locked"}')).toBe(1);
  expect(rise('login_locks_total{of="pair"}')).toBe(1);
});

test('What the process and the database are doing can be seen', async () => {
  const figures = await read();
  const gauges = [
    'http_requests_in_flight',
    'password_hash_queue',
    'database_connections',
    'database_connections_idle',
    'database_connections_awaited',
    'database_timeouts_total',
    'database_circuit_open',
    'database_synchronous_standbys',
    'uploads_waiting',
    'token_checks_waiting',
    'sales_missing_restaurants',
    'last_upload_timestamp_seconds',
    'log_lines_dropped_total',
    'nodejs_eventloop_lag_p99_seconds',
    'process_resident_memory_bytes',
    'process_cpu_seconds_total',
  ];
  for (const name of gauges) expect([name, figures.get(name)]).toEqual([name, expect.any(Number)]);
  expect(figures.get('database_connections')).toBeGreaterThan(0);
  await eventually(async () => (await read()).get('service_ready') === 1, 'the service to be ready');
  expect(figures.get(`service_build_info{version="1.0.0",node="${process.version}"}`)).toBe(1);
  expect(figures.get('batched_calls_total{of="uploads"}')).toBeGreaterThanOrEqual(
    figures.get('batches_total{of="uploads"}')!,
  );
});

test('However much clients invent, there are no more time series', async () => {
  await service.client.get('/first');
  const before = (await read()).size;
  for (let index = 0; index < 20; index++) {
    await service.client.send('GET', `/invented/${index}?q=${index}`);
    await service.client.send(`METHOD${index}`, '/api/v1/auth/login').catch(() => undefined);
    await service.client.get(`/api/v1/sales/daily?restaurant_id=${index}`);
  }
  expect((await read()).size - before).toBeLessThan(4 * 14); // a few statuses that were new
});

test('They have a listener of their own, with nothing else on it', async () => {
  expect((await service.client.get('/metrics')).status).toBe(404);
  expect((await fetch(`${origin}/health/live`)).status).toBe(404);
  expect((await fetch(`${origin}/metrics`)).headers.get('Content-Type')).toMatch(/^text\/plain; version=0\.0\.4/);
});
