import { randomBytes } from 'node:crypto';
import { configWith, type Config } from '../config/config.js';
import type { Time } from '../config/business-calendar.js';
import { parseConfig } from '../config/load-config.js';
import type { Fixtures } from './fixtures.dto.js';
import type { TestServer } from './test-server.js';
import { createTestDatabase } from './test-database.js';
import { findTestPostgres } from './test-postgres.js';

export type { CommandOutput, TestServer } from './test-server.js';
export type { Fixtures };

export interface TestServerOptions extends Fixtures {
  /** Settings by the names of .env.example. */
  readonly settings?: Readonly<Record<string, string | number | boolean>>;
  /** What the clock of the server shows when it starts. */
  readonly now?: Time;
}

const DEFAULTS = {
  PORT: 0,
  BCRYPT_COST: 4,
  HASH_THREADS: 1,
  HASH_QUEUE_MAX: 64,
  DATABASE_POOL_MAX: 4,
  RESPONSE_TIMEOUT_MS: 60_000, // so that a busy machine changes no response
  LOG_LEVEL: 'error',
  DEMO_DATA: false,
};

/** Settings that the test server decides, or that have no effect on it. */
const FIXED = ['NODE_ENV', 'HOST', 'DATABASE_URL', 'DATA_DIR', 'METRICS_PORT', 'EXIT_WITH_PARENT'];

/** Starts the service in this process, on a database of its own. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { settings = {}, now, ...fixtures } = options;
  // see docs/performance.md#test-servers
  const [database, service] = await Promise.all([
    findTestPostgres().then((postgres) => createTestDatabase([postgres])),
    import('./test-server.js'),
  ]);
  try {
    return await service.TestServer.start(configOf(settings), database, fixtures, now);
  } catch (error) {
    await database.drop();
    throw error;
  }
}

function configOf(settings: Readonly<Record<string, unknown>>): Config {
  const known = Object.keys(configWith()).filter((name) => !FIXED.includes(name));
  const unknown = Object.keys(settings).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`the test server has no setting ${unknown}`);
  const given = {
    NODE_ENV: 'test',
    JWT_SECRET: randomBytes(48).toString('base64url'),
    ...DEFAULTS,
    ...settings,
  };
  return parseConfig(
    Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)])),
  );
}
