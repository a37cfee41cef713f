import { VersioningType } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { describeApi } from './api-description.js';
import { AppModule, type AppParts } from './app.module.js';
import type { Config } from './config/config.js';
import { serveOpenApi } from './http/openapi/openapi-document.js';
import { compressJson } from './http/requests/compress-json.js';
import { accessLog, httpMetrics, warnOfUntrustedProxy } from './http/requests/observers.js';
import { ServiceExpressAdapter } from './http/requests/service-express.adapter.js';
import type { RequestObserver } from './http/requests/track-request.js';
import { type Log, nestLogger } from './logging/log.js';
import { isWebAppBuilt, webApp } from './web-app/web-app.js';

const READABLE_HEADERS = ['X-Request-Id', 'X-Error-Code', 'X-Error-Fields', 'Retry-After'];

/** Creates the application as production and tests run it; it does not listen yet. */
export async function createApp(
  config: Config,
  log: Log,
  parts: AppParts = {},
): Promise<NestExpressApplication> {
  const observers: RequestObserver[] = [accessLog(log)];
  if (config.METRICS_PORT > 0) observers.push(httpMetrics());
  if (config.TRUST_PROXY === '') observers.push(warnOfUntrustedProxy(log));
  const adapter = new ServiceExpressAdapter(config, observers);
  const root = AppModule.forRoot(config, parts);
  const options = { bodyParser: false, abortOnError: false, logger: nestLogger(log) };
  const create: typeof parts.create = (...given) => NestFactory.create(...given);
  const app = await (parts.create ?? create)(root, adapter, options);
  try {
    configure(app, config);
    return await app.init();
  } catch (error) {
    await app.close(); // its connections would keep the process running
    throw error;
  }
}

function configure(app: NestExpressApplication, config: Config): void {
  const origins = config.CORS_ORIGINS.split(/\s*,\s*/).filter(Boolean);
  if (origins.length > 0)
    app.enableCors({ origin: origins, exposedHeaders: READABLE_HEADERS, maxAge: 600 });
  app.use(compressJson(/^\/api\/v\d+\/auth\//));
  app.enableVersioning({ type: VersioningType.URI, prefix: 'api/v' });
  if (config.WEB_APP && isWebAppBuilt) app.use(webApp());
  serveOpenApi(app, describeApi(config.CURRENCY));
}
