import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { collectDefaultMetrics, Gauge, register } from 'prom-client';
import type { OperationConfig } from '../config/operation.config.js';
import { listen } from './serve.js';

const TIMEOUT_MS = 5000;
const MAX_CONNECTIONS = 64;

let running: Promise<string> | undefined;

/** Serves `GET /metrics` for Prometheus; returns a function that closes the server. */
export async function serveMetrics({
  METRICS_PORT,
  METRICS_HOST,
}: OperationConfig): Promise<() => Promise<void>> {
  collectDefaultMetrics();
  collectVersion();
  const server = createServer(
    { requestTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS },
    (request, response) => {
      if (request.url !== '/metrics') response.writeHead(404).end();
      else void respond(response);
    },
  );
  // A client that pipelines or does not read costs no more than one response.
  Object.assign(server, {
    maxConnections: MAX_CONNECTIONS,
    maxRequestsPerSocket: 1,
    timeout: TIMEOUT_MS,
  });
  // Node removes its own `error` listener before `connect`.
  server.on('connection', (socket: Socket) => socket.on('error', () => socket.destroy()));
  await listen(server, 'METRICS_PORT', METRICS_PORT, METRICS_HOST);
  return async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
}

function collectVersion(): void {
  // The path is relative to dist/src/server.
  const packageFile = new URL('../../../package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
  new Gauge({
    name: 'service_build_info',
    help: 'Version of the service and of Node, as labels',
    labelNames: ['version', 'node'],
  }).set({ version, node: process.version }, 1);
}

/** Lets requests at the same time share a reading, since gauges may ask the database. */
async function respond(response: ServerResponse): Promise<void> {
  try {
    running ??= register.metrics().finally(() => (running = undefined));
    response.writeHead(200, { 'Content-Type': register.contentType }).end(await running);
  } catch (error) {
    response.writeHead(500, { 'Content-Type': 'text/plain' }).end(String(error));
  }
}
