import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import type { AppConfig } from './config/app-config.js';
import { ErrorFilter } from './http/error.filter.js';
import { JsonExpressAdapter } from './http/json-express.adapter.js';
import { ValidationPipe } from './http/validation.pipe.js';

/** The application as production runs it, not yet listening; `main` and every test begin here. */
export async function createApp(config: AppConfig): Promise<NestExpressApplication> {
  const adapter = new JsonExpressAdapter({ requestMs: 10_000, keepAliveMs: 65_000 });
  const trusted = config.TRUST_PROXY.split(',')
    .map((proxy) => proxy.trim())
    .filter(Boolean);
  if (trusted.length > 0) adapter.set('trust proxy', trusted);
  const app = await NestFactory.create<NestExpressApplication>(AppModule.of(config), adapter, {
    bodyParser: false,
    abortOnError: false,
    logger: ['error', 'warn'],
  });
  app.useGlobalFilters(new ErrorFilter(adapter));
  app.useGlobalPipes(new ValidationPipe());
  return app.init();
}
