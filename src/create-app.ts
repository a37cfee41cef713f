import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { bearerToken } from './auth/passport/jwt.strategy.js';
import { TokenGuard } from './auth/passport/token.guard.js';
import { Keyring } from './auth/tokens/keyring.js';
import type { AppConfig } from './config/app-config.js';
import type { Clock } from './config/business-calendar.js';
import { JsonBodyGuard } from './http/body/json-body.guard.js';
import { AccessLog } from './http/observers/access-log.js';
import { RequestSpans } from './http/observers/request-spans.js';
import type { RequestObserver } from './http/server/tracked-response.js';
import { checkRoutes } from './http/validation/check-routes.js';
import { ErrorFilter } from './http/server/error.filter.js';
import { JsonExpressAdapter } from './http/server/json-express.adapter.js';
import { SlotGuard } from './http/server/slot.guard.js';
import { OpenApi } from './http/openapi/openapi-document.js';
import { RequestValidationPipe } from './http/validation/request-validation.pipe.js';
import { apiDescription } from './server/api-description.js';
import { openLog, type Log } from './logging/log.js';
import { gauge } from './metrics/metrics.js';
import { startTracing } from './metrics/tracing.js';
import { WebApp } from './web-app/web-app.js';
import { NestLogger } from './logging/nest-logger.js';

const READABLE_HEADERS = ['X-Request-Id', 'X-Error-Code', 'X-Error-Fields', 'Retry-After', 'Allow'];

/** Creates the application of production and tests, not yet listening. */
export async function createApp(config: AppConfig, log?: Log, clock?: Clock): Promise<NestExpressApplication> {
  log ??= await openLog(config);
  const adapter = new JsonExpressAdapter(config, await observersOf(config, log));
  const { slots, publicSlots } = adapter;
  gauge('http_requests_in_flight', 'Requests that are being processed', () => slots.count + publicSlots.count);
  const webApp = config.WEB_APP && WebApp.isBuilt ? new WebApp(adapter) : undefined;
  adapter.fallback = webApp?.handle.bind(webApp);
  const app = await NestFactory.create<NestExpressApplication>(AppModule.of(config, clock), adapter, {
    bodyParser: false,
    abortOnError: false,
    logger: new NestLogger(log),
  });
  const origins = config.CORS_ORIGINS.split(/\s*,\s*/).filter(Boolean);
  if (origins.length > 0) app.enableCors({ origin: origins, exposedHeaders: READABLE_HEADERS, maxAge: 600 });
  const keyring = app.get(Keyring, { strict: false });
  adapter.isSigned = (request) => keyring.isSigned(bearerToken(request) ?? '');
  app.useGlobalFilters(new ErrorFilter(adapter));
  app.useGlobalGuards(
    app.get(TokenGuard, { strict: false }), // 401
    new JsonBodyGuard(config), // 413, 415, 400; after the token: parses no unauthenticated body
    new SlotGuard(adapter), // 503; after the body: a slow sender takes no slot
  );
  app.useGlobalPipes(new RequestValidationPipe()); // 413, 400
  checkRoutes(app);
  app.get(OpenApi).describe(app, apiDescription(config));
  return app.init();
}

async function observersOf(config: AppConfig, log: Log): Promise<RequestObserver[]> {
  const observers: RequestObserver[] = [new AccessLog(log)];
  if (config.METRICS_PORT > 0) {
    const { HttpMetrics } = await import('./http/observers/http-metrics.js'); // 10 MB
    observers.push(new HttpMetrics());
  }
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT !== '') {
    const { OtlpTracer } = await import('./metrics/otlp-tracer.js');
    startTracing(new OtlpTracer(config.OTEL_EXPORTER_OTLP_ENDPOINT));
    observers.push(new RequestSpans());
  }
  return observers;
}
