import { createServer, type ServerResponse } from 'node:http';
import type { AppConfig } from '../config/app-config.js';
import { guardSockets, listen } from '../http/server/listen.js';
import { exportMetrics, keepCountsOfEndedWorkers } from '../metrics/process-metrics.js';

const TIMEOUT_MS = 5000;
const MAX_CONNECTIONS = 64;

let running: ReturnType<typeof exportMetrics> | undefined;

/** Serves `GET /metrics` for Prometheus; returns a function that closes the server. */
export async function serveMetrics({ METRICS_PORT, METRICS_HOST }: AppConfig): Promise<() => Promise<void>> {
  const server = createServer({ requestTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS }, (request, response) => {
    if (request.url !== '/metrics') response.writeHead(404).end();
    else void respond(response);
  });
  // a client that pipelines or does not read costs no more than one response
  Object.assign(server, { maxConnections: MAX_CONNECTIONS, maxRequestsPerSocket: 1, timeout: TIMEOUT_MS });
  guardSockets(server);
  keepCountsOfEndedWorkers();
  await listen(server, 'METRICS_PORT', METRICS_PORT, METRICS_HOST);
  return async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
}

async function respond(response: ServerResponse): Promise<void> {
  try {
    running ??= exportMetrics().finally(() => (running = undefined));
    const { type, text } = await running;
    response.writeHead(200, { 'Content-Type': type }).end(text);
  } catch (error) {
    response.writeHead(500, { 'Content-Type': 'text/plain' }).end(String(error));
  }
}
