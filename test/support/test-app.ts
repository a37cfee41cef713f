import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppConfig } from '../../src/config/app-config.js';
import { createApp } from '../../src/create-app.js';
import { Client } from './client.js';
import { errorLog } from './error-log.js';
import { documentOf } from './openapi.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

export const TEST_SECRET = 'f3K9x-0aVbQ7tZ2mLpW8sYdR4uHc6NjE1iGo5qTe';

/** Limits that change no result on a slow machine; tests of limits set their own. */
const GENEROUS_LIMITS = { RESPONSE_TIMEOUT_MS: 120_000, REQUEST_TIMEOUT_MS: 120_000 };

export function testConfig(changes: Partial<AppConfig>): AppConfig {
  return Object.assign(new AppConfig(), GENEROUS_LIMITS, changes);
}

/** The real application on a real database of its own, listening on a free port. */
export interface TestApp {
  readonly app: NestExpressApplication;
  readonly config: AppConfig;
  readonly database: TestDatabase;
  readonly url: string;
  readonly client: Client;
  /** A second instance on the same database; closed together with the first. */
  another(settings?: Partial<AppConfig>): Promise<TestApp>;
  close(): Promise<void>;
}

/** Starts it as production would be, but for a cheap password hash and a quiet log. */
export async function createTestApp<FeatureSettings extends object = object>(
  settings: Partial<AppConfig & FeatureSettings> = {},
  existing?: TestDatabase,
): Promise<TestApp> {
  const database = existing ?? (await createTestDatabase());
  const first = await start(database, settings);
  return {
    ...first,
    close: async () => {
      await first.close();
      await database.drop();
    },
  };
}

async function start(database: TestDatabase, settings: Partial<AppConfig>): Promise<TestApp> {
  const defaults = {
    DATABASE_URL: database.url,
    JWT_SECRET: TEST_SECRET,
    BCRYPT_COST: 4,
    LOG_LEVEL: 'silent',
    PORT: 0,
  };
  const config = testConfig({ ...defaults, ...settings });
  const app = await createApp(config, config.LOG_LEVEL === 'silent' ? errorLog() : undefined);
  await app.listen(0, '127.0.0.1');
  const url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  const others: TestApp[] = [];
  return {
    app,
    config,
    database,
    url,
    client: new Client(url, () => documentOf({ app })),
    another: async (changes = {}) => {
      const other = await start(database, { ...settings, ...changes });
      others.push(other);
      return other;
    },
    close: async () => {
      for (const other of others) await other.close();
      const server: Server = app.getHttpServer();
      server.closeAllConnections(); // the clients' idle ones would keep it waiting
      await app.close();
    },
  };
}
