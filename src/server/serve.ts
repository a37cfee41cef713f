import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { AppConfig } from '../config/app-config.js';
import type { Clock } from '../config/business-calendar.js';
import { createApp } from '../create-app.js';
import { JsonExpressAdapter } from '../http/server/json-express.adapter.js';
import { listen } from '../http/server/listen.js';
import { ReadinessService } from '../health/readiness.service.js';
import type { Log } from '../logging/log.js';
import { flushSpans } from '../metrics/tracing.js';

export interface ServerHandle {
  readonly url: string;
  /** Finishes the requests in flight and closes all connections. */
  stop(): Promise<void>;
}

export type BeforeListen = (app: NestExpressApplication) => Promise<void>;

export async function serve(config: AppConfig, log: Log, prepare?: BeforeListen, clock?: Clock): Promise<ServerHandle> {
  const app = await createApp(config, log, clock);
  const server: Server = app.getHttpServer();
  try {
    await prepare?.(app);
    await listen(server, 'PORT', config.PORT, config.HOST);
  } catch (error) {
    await app.close();
    throw error;
  }
  return { url: urlOf(config, (server.address() as AddressInfo).port), stop: () => stop(app, config) };
}

export function urlOf({ HOST }: Pick<AppConfig, 'HOST'>, port: number): string {
  const host = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function stop(app: NestExpressApplication, config: AppConfig): Promise<void> {
  app.get(ReadinessService, { strict: false }).beginShutdown();
  await delay(config.SHUTDOWN_DELAY_MS);
  const adapter = app.getHttpAdapter();
  if (adapter instanceof JsonExpressAdapter) await adapter.drainConnections(config.SHUTDOWN_TIMEOUT_MS);
  await app.close();
  await flushSpans();
}
