import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Config } from '../config/config.js';
import type { ServerConfig } from '../config/server.config.js';
import { ReadinessService } from '../health/readiness.service.js';
import { JsonExpressAdapter } from '../http/adapter/json-express.adapter.js';

/** Connections that the kernel keeps until they are accepted; Node's 511 would make tills wait. */
const ACCEPT_QUEUE = 4096;

type Address = Pick<ServerConfig, 'HOST' | 'PORT'>;

/** Fails with a remedy if the service could not listen. */
export async function assertPortIsFree(address: Address): Promise<void> {
  const probe = createServer();
  await listen(probe, address);
  await new Promise((resolve) => probe.close(resolve));
}

/** Listens for requests; returns the URL. */
export async function serve(app: NestExpressApplication, address: Address): Promise<string> {
  const server: Server = app.getHttpServer();
  await listen(server, address);
  const { HOST } = address;
  const host = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST;
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Finishes the requests in work and closes all connections. */
export async function drain(
  app: NestExpressApplication,
  { SHUTDOWN_DELAY_MS, REQUEST_TIMEOUT_MS }: Config,
): Promise<void> {
  app.get(ReadinessService, { strict: false }).beginShutdown();
  await delay(SHUTDOWN_DELAY_MS);
  const adapter = app.getHttpAdapter();
  if (adapter instanceof JsonExpressAdapter) await adapter.connections.drain(REQUEST_TIMEOUT_MS);
}

/** Listens on a port, which a setting gives; fails with a remedy. */
export async function listen(server: Server, address: Address, setting = 'PORT'): Promise<void> {
  const { HOST: host, PORT: port } = address;
  try {
    await once(server.listen({ port, host, backlog: ACCEPT_QUEUE }), 'listening');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isTaken = code === 'EADDRINUSE';
    const remedy = `it is in use by another program: stop that one, or set ${setting}`;
    throw new Error(`cannot listen on port ${port} of ${host}: ${isTaken ? remedy : message}`);
  }
}
