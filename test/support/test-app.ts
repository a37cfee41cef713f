import type { ValueProvider } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import pino from 'pino';
import type { AppParts } from '../../src/app.module.js';
import { type Config, configWith } from '../../src/config/config.js';
import { createApp } from '../../src/create-app.js';
import { createLog, describeError } from '../../src/logging/log.js';
import { serve } from '../../src/server/serve.js';
import { TestClock } from '../../src/testing/test-server.js';
import { Client } from './client.js';
import { assertListsHaveIndexes, noteLists } from './lists.js';
import { documentOf } from './openapi.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';
import { keepError, TEST_SECRET } from './test-service.js';

const DEFAULTS = { JWT_SECRET: TEST_SECRET, BCRYPT_COST: 4, LOG_LEVEL: 'silent', PORT: 0 } as const;

/** Limits that change no result on a slow machine; tests of limits set their own. */
const GENEROUS_LIMITS = { RESPONSE_TIMEOUT_MS: 120_000, REQUEST_TIMEOUT_MS: 120_000 };

/** A log whose errors are shown with the test that fails; see environment.mjs. */
const ERROR_LOG = pino(
  { level: 'error', base: null, timestamp: false, serializers: { err: describeError } },
  { write: keepError },
);

export function testConfig(changes: Partial<Config>): Config {
  return configWith({ ...GENEROUS_LIMITS, ...changes });
}

/** The real application on a real database of its own, listening on a free port. */
export interface TestApp {
  readonly app: NestExpressApplication;
  readonly config: Config;
  /** The clock of the service: `clock.ahead = 3_600_000` makes it an hour later. */
  readonly clock: TestClock;
  readonly database: TestDatabase;
  readonly url: string;
  readonly client: Client;
  /** A second instance on the same database; closed together with the first. */
  another(settings?: Partial<Config>): Promise<TestApp>;
  close(): Promise<void>;
}

noteLists();

/** Starts it with the database and the clock of a test server. */
export async function createTestApp(
  settings: Partial<Config> = {},
  existing?: TestDatabase,
  parts?: TestParts,
): Promise<TestApp> {
  const database = existing ?? (await createTestDatabase());
  const first = await start(database, settings, parts).catch(async (error: unknown) => {
    await database.drop(); // its connection would keep Jest from ending
    throw error;
  });
  return {
    ...first,
    close: async () => {
      await first.close();
      await assertListsHaveIndexes(database).finally(() => database.drop());
    },
  };
}

/** A clock, modules that a test adds, and providers that it puts in place of those of the service. */
interface TestParts extends Pick<AppParts, 'imports'> {
  readonly clock?: TestClock;
  readonly overrides?: readonly ValueProvider[];
}

/** Makes the application as @nestjs/testing does. */
function creating(overrides: readonly ValueProvider[]): NonNullable<AppParts['create']> {
  return async (root, adapter, options) => {
    const { Test } = await import('@nestjs/testing');
    const builder = Test.createTestingModule({ imports: [root] });
    for (const { provide, useValue } of overrides)
      builder.overrideProvider(provide).useValue(useValue);
    return (await builder.compile()).createNestApplication(adapter, options);
  };
}

async function start(
  database: TestDatabase,
  settings: Partial<Config>,
  { clock = new TestClock(), imports = [], overrides }: TestParts = {},
) {
  const config = testConfig({ ...DEFAULTS, DATABASE_URL: database.url, ...settings });
  const log = config.LOG_LEVEL === 'silent' ? ERROR_LOG : await createLog(config);
  const app = await createApp(config, log, {
    clock,
    imports,
    ...(overrides && { create: creating(overrides) }),
  });
  const url = await serve(app, { HOST: '127.0.0.1', PORT: 0 });
  const others: TestApp[] = [];
  return {
    app,
    config,
    clock,
    database,
    url,
    client: new Client(url, () => documentOf({ app })),
    another: async (changes: Partial<Config> = {}): Promise<TestApp> => {
      const other = await start(database, { ...settings, ...changes });
      others.push(other);
      return other;
    },
    close: async (): Promise<void> => {
      for (const other of others) await other.close();
      app.getHttpServer().closeAllConnections(); // the clients' idle ones would keep it waiting
      await app.close();
    },
  };
}
