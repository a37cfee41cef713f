import { randomBytes } from 'node:crypto';
import { configWith } from '../config/config.js';
import { parseConfig } from '../config/load-config.js';
import { createTestDatabase } from './test-database.js';
import { findTestPostgres } from './test-postgres.js';
import type { TestServer, TestServerOptions } from './test-server.js';

export type { Fault } from './fault.dto.js';
export type { Fixtures } from './fixtures.dto.js';
export type { TestServer, TestServerOptions };

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

/** So often standard error says what a start on a busy machine waits for. */
const REMIND_MS = 4000;

/** Starts the service in this process, on a database of its own. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { settings = {}, ...others } = options;
  const unknown = Object.keys(settings).find((name) => !(name in configWith()));
  if (unknown !== undefined) {
    throw new Error(`the test server has no setting ${unknown}: .env.example lists them`);
  }
  const JWT_SECRET = randomBytes(48).toString('base64url');
  const config = parseConfig({ JWT_SECRET, ...DEFAULTS, ...settings });
  let awaited = 'the PostgreSQL of all test servers';
  const remind = () => process.stderr.write(`the test server waits for ${awaited}\n`);
  const reminder = setInterval(remind, REMIND_MS).unref();
  try {
    // PostgreSQL starts while the service loads, which takes 0.9 s of CPU.
    const [{ TestServer }, postgres] = await Promise.all([
      import('./test-server.js'),
      findTestPostgres(),
    ]);
    awaited = 'a database of its own';
    const database = await createTestDatabase(postgres);
    awaited = 'its fixtures';
    return await TestServer.start({ ...config, DATABASE_URL: database.url }, database, others);
  } finally {
    clearInterval(reminder);
  }
}
