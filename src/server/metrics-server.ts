import { createServer, type ServerResponse } from 'node:http';
import type { AppConfig } from '../config/app-config.js';
import { guardSockets, listen } from '../http/server/listen.js';
import { combine, takeSnapshot } from '../metrics/process-metrics.js';
import { collectSnapshots, keepCountsOfEndedWorkers } from '../metrics/worker-snapshots.js';

/** Serves `GET /metrics` for Prometheus; returns a function that closes the server. */
export async function serveMetrics({ METRICS_PORT, METRICS_HOST }: AppConfig): Promise<() => Promise<void>> {
  const server = createServer({ requestTimeout: 5000, headersTimeout: 5000 }, (request, response) => {
    if (request.url !== '/metrics') response.writeHead(404).end();
    else void respond(response);
  });
  guardSockets(server);
  keepCountsOfEndedWorkers();
  await listen(server, { name: 'METRICS_PORT', port: METRICS_PORT, host: METRICS_HOST });
  return async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
}

async function respond(response: ServerResponse): Promise<void> {
  try {
    const { type, text } = await combine([await takeSnapshot(), ...(await collectSnapshots())]);
    response.writeHead(200, { 'Content-Type': type }).end(text);
  } catch (error) {
    response.writeHead(500, { 'Content-Type': 'text/plain' }).end(String(error));
  }
}
