import { randomBytes } from 'node:crypto';
import type { Time } from '../config/business-calendar.js';
import { configWith, type Config } from '../config/config.js';
import { parseConfig } from '../config/load-config.js';
import type { Fixtures } from './fixtures.dto.js';
import { createTestDatabase } from './test-database.js';
import { findTestPostgres } from './test-postgres.js';
import type { TestServer } from './test-server.js';

export type { Fixtures, TestServer };

type Settings = Readonly<Record<string, string | number | boolean>>;

export interface TestServerOptions extends Fixtures {
  /** Settings by the names of .env.example. */
  readonly settings?: Settings;
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

/** Starts the service in this process, on a database of its own. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { settings = {}, now, ...fixtures } = options;
  const config = configOf(settings);
  // see docs/performance.md#test-servers
  const [database, service] = await Promise.all([
    findTestPostgres().then((postgres) => createTestDatabase(postgres)),
    import('./test-server.js'),
  ]);
  return service.TestServer.start(config, database, fixtures, now);
}

function configOf(settings: Settings): Config {
  const defaults = configWith();
  const unknown = Object.keys(settings).find((name) => !(name in defaults));
  if (unknown !== undefined) throw new Error(`the test server has no setting ${unknown}`);
  const JWT_SECRET = randomBytes(48).toString('base64url');
  const given = Object.entries({ JWT_SECRET, ...DEFAULTS, ...settings });
  return parseConfig(Object.fromEntries(given.map(([name, value]) => [name, String(value)])));
}
