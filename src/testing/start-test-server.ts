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

/** Other names in the options are mistakes; a file of fixtures names its schema. */
const OPTIONS = ['$schema', 'restaurants', 'users', 'uploads', 'settings', 'now'];

/** After this time, and again after it, standard error says what a start waits for. */
const REMIND_MS = 4000;

/** Starts the service in this process, on a database of its own. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { settings = {}, ...others } = options;
  const misspelt = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (misspelt !== undefined)
    throw new Error(`the test server has no option ${misspelt}; there are ${OPTIONS.join(', ')}`);
  const unknown = Object.keys(settings).find((name) => !(name in configWith()));
  if (unknown !== undefined) {
    throw new Error(`the test server has no setting ${unknown}: .env.example lists them`);
  }
  const JWT_SECRET = randomBytes(48).toString('base64url');
  const config = parseConfig({ JWT_SECRET, ...DEFAULTS, ...settings });
  const pending = new Set<string>();
  const awaiting = <T>(what: string, work: Promise<T>): Promise<T> => {
    pending.add(what);
    return work.finally(() => pending.delete(what));
  };
  const reminder = setInterval(() => {
    process.stderr.write(`the test server is starting: waiting for ${[...pending].join(', ')}\n`);
  }, REMIND_MS).unref();
  // PostgreSQL starts while the service loads, which takes 0.9 s of CPU.
  const work = Promise.all([
    awaiting('its PostgreSQL, which all test servers share', findTestPostgres()).then((postgres) =>
      awaiting('a database of its own', createTestDatabase(postgres)),
    ),
    awaiting('its code to load', import('./test-server.js')),
  ]).then(([database, { TestServer }]) => {
    const ownConfig = { ...config, DATABASE_URL: database.url };
    return awaiting('its fixtures', TestServer.start(ownConfig, database, others));
  });
  return work.finally(() => clearInterval(reminder));
}
