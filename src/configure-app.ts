import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import type { AppConfig } from './config/app-config.js';
import { compileRoutes } from './http/compile-routes.js';
import { ErrorFilter } from './http/error.filter.js';
import { JsonExpressAdapter } from './http/json-express.adapter.js';
import { OpenApi } from './http/openapi.js';
import { ValidationPipe } from './http/validation.pipe.js';
import { openLog, type Log } from './observability/log.js';
import { NestLog } from './observability/nest-log.js';
import { TrafficLog } from './observability/traffic-log.js';

/** Proxies commonly keep idle connections for 60 seconds; ours must not be gone before. */
const EDGE_LIMITS = { requestMs: 10_000, keepAliveMs: 75_000, connections: 10_000 } as const;

/** The application as production runs it, not yet listening; `main` and every test begin here. */
export async function createApp(config: AppConfig, log?: Log): Promise<NestExpressApplication> {
  log ??= await openLog(config);
  const adapter = new JsonExpressAdapter({ ...EDGE_LIMITS, inFlight: config.MAX_IN_FLIGHT }, [new TrafficLog(log)]);
  const trusted = config.TRUST_PROXY.split(',')
    .map((proxy) => proxy.trim())
    .filter(Boolean);
  if (trusted.length > 0) adapter.set('trust proxy', trusted);
  const app = await NestFactory.create<NestExpressApplication>(AppModule.of(config), adapter, {
    bodyParser: false,
    abortOnError: false,
    logger: new NestLog(log),
  });
  app.useGlobalFilters(new ErrorFilter(adapter));
  app.useGlobalPipes(new ValidationPipe());
  compileRoutes(app);
  app.get(OpenApi).describe(app);
  return app.init();
}
