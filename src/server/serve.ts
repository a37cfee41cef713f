import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { HttpServer } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Config } from '../config/config.js';
import type { ServerConfig } from '../config/server.config.js';
import { ReadinessService } from '../health/readiness.service.js';
import { isEventStream } from '../http/requests/observers.js';
import type { ServiceExpressAdapter } from '../http/requests/service-express.adapter.js';

/** Connections that the kernel keeps until they are accepted; Node's 511 would make tills wait. */
const ACCEPT_QUEUE = 4096;

/** Milliseconds that a connection stays open for what may still be in transit. */
const TRANSIT_MS = 1000;

/** So many turns of a millisecond without a new connection mean that no client is opening one. */
const QUIET_TURNS = 50;
/** Milliseconds in which a server that closes accepts connections, if new ones keep coming. */
const LAST_ACCEPT_MS = 1000;

type Address = Pick<ServerConfig, 'HOST' | 'PORT'>;

/** Fails with a remedy if the service could not listen. */
export async function assertPortIsFree(address: Address): Promise<void> {
  const probe = createServer();
  await listen(probe, address);
  await once(probe.close(), 'close');
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
  { SHUTDOWN_DELAY_MS, REQUEST_TIMEOUT_MS: limitMs }: Config,
): Promise<void> {
  app.get(ReadinessService, { strict: false }).beginShutdown();
  await delay(SHUTDOWN_DELAY_MS);
  const server: Server = app.getHttpServer();
  const { connections } = app.getHttpAdapter() as HttpServer as ServiceExpressAdapter;
  const waiting = await acceptWaiting(server);
  const closed = once(server, 'close');
  // The close() of an HTTP server would close idle connections, and lose what a proxy is sending.
  NetServer.prototype.close.call(server);
  server.prependListener('request', (_request, response) => finish(response));
  for (const { response } of connections.values()) if (response) finish(response);
  for (const socket of waiting) socket.resume();
  const idleMs = Math.min(TRANSIT_MS, limitMs);
  await Promise.race([closed, delay(idleMs, undefined, { ref: false })]);
  await nextTurn(); // until then, Node reads what has arrived
  for (const [socket, { response, bytesRead }] of connections)
    if (!response && socket.bytesRead === bytesRead) socket.destroy();
    else if (response) finish(response);
  await Promise.race([closed, delay(limitMs - idleMs, undefined, { ref: false })]);
  for (const socket of connections.keys()) socket.destroy();
  await closed;
}

/**
 * Accepts the connections that the kernel has set up, as it would reset them when the server
 * closes; in each turn of the event loop Node accepts one. They are not read yet: clients that wait
 * for a response open no further ones.
 */
async function acceptWaiting(server: Server): Promise<Socket[]> {
  const accepted: Socket[] = [];
  const accept = (socket: Socket): void => {
    accepted.push(socket);
    process.nextTick(() => socket.pause()); // once Node has begun to read it
  };
  server.on('connection', accept);
  const end = performance.now() + LAST_ACCEPT_MS;
  for (let quiet = 0; quiet < QUIET_TURNS && performance.now() < end; quiet++) {
    const before = accepted.length;
    await delay(1);
    if (accepted.length > before) quiet = 0;
  }
  server.off('connection', accept);
  return accepted;
}

/** Makes a response the last of its connection; ends events, whose reader connects anew. */
function finish(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
  if (!isEventStream(response)) return;
  response.on('error', () => undefined); // of an event that is sent meanwhile
  response.end();
  if (response.writableLength > 0) response.destroy(); // the client reads nothing
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
