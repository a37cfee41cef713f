import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { day } from '../support/records.js';
import { seed } from '../support/seed.js';
import { endLeftovers, eventually, ServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
}

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await seed(database);
});
afterAll(() => database.drop());
afterAll(endLeftovers);

test('With a collector, it gets the spans of requests, batches, statements and hashes', async () => {
  const spans: Span[] = [];
  const collector = createServer((request, response) => {
    void text(request).then((body) => {
      const { resourceSpans } = JSON.parse(body);
      spans.push(...resourceSpans[0].scopeSpans[0].spans);
      response.end('{}');
    });
  });
  await once(collector.listen(0, '127.0.0.1'), 'listening');
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const service = await ServiceProcess.start({ DATABASE_URL: database.url, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
  const token = await service.client.token('till', 'right password');
  const traceparent = `00-${TRACE}-${PARENT}-01`;
  const headers = { traceparent };
  await service.client.post('/api/v1/sales/upload-daily', { records: day() }, { token, headers });
  await service.stop();
  await eventually(() => spans.some(({ traceId }) => traceId === TRACE), 'the spans');
  const upload = new Map(spans.filter(({ traceId }) => traceId === TRACE).map((span) => [span.name, span]));
  const request = upload.get('POST /api/v1/sales/upload-daily')!;
  expect(request.parentSpanId).toBe(PARENT);
  expect(upload.get('batch uploads')!.parentSpanId).toBe(request.spanId);
  expect(upload.get('statement save_uploads')!.parentSpanId).toBe(upload.get('batch uploads')!.spanId);
  for (const { startTimeUnixNano, endTimeUnixNano } of upload.values())
    expect(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)).toBeGreaterThan(0n);
  const login = spans.find(({ name }) => name === 'POST /api/v1/auth/login')!;
  expect(spans.find(({ name }) => name === 'hash')!.traceId).toBe(login.traceId);
  collector.close();
});
