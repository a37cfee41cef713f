import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { collectDefaultMetrics, Gauge, register } from 'prom-client';
import type { OperationConfig } from '../config/operation.config.js';
import { RELEASE } from '../config/release.js';
import { listen } from './serve.js';

const TIMEOUT_MS = 5000;

/** Serves `GET /metrics` for Prometheus until the process ends. */
export async function serveMetrics(config: OperationConfig): Promise<void> {
  collectDefaultMetrics();
  const build = new Gauge({
    name: 'sales_build_info',
    help: 'The version of the service, as a label of 1',
    labelNames: ['version'],
  });
  build.set({ version: RELEASE }, 1);
  const timeouts = { requestTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS };
  const server = createServer(timeouts, ({ url }, response) => {
    if (url === '/metrics')
      register.metrics().then(
        (metrics) => response.setHeader('Content-Type', register.contentType).end(metrics),
        () => response.writeHead(500).end(),
      );
    else response.writeHead(404).end();
  });
  // A client that pipelines or does not read costs no more than one response.
  Object.assign(server, { maxRequestsPerSocket: 1, timeout: TIMEOUT_MS });
  // Node removes its own `error` listener before `connect`.
  server.on('connection', (socket: Socket) => socket.on('error', () => socket.destroy()));
  const address = { HOST: config.METRICS_HOST, PORT: config.METRICS_PORT };
  await listen(server, address, 'METRICS_PORT');
}
