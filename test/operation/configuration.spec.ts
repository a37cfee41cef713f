import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { configWith } from '../../src/config/config.js';
import { withJwtSecret } from '../../src/config/jwt-secret.js';
import { parseConfig } from '../../src/config/load-config.js';
import { parseTrustedProxies } from '../../src/config/trusted-proxies.js';
import { clientAddress } from '../../src/http/adapter/client-address.decorator.js';
import { readSources } from '../extending/architecture.js';

describe('The settings', () => {
  const root = join(__dirname, '../..');
  const DATABASE_URL = 'postgres://db/sales';
  const secret = 'Jk3v9Q0sYw7ZbT2mLpX8uRdA4cHn6Ei1';

  function problemsOf(environment: Record<string, string>): string[] {
    try {
      parseConfig(environment);
      return [];
    } catch (error) {
      return (error as Error).message.split('\n');
    }
  }

  /** What `.env.example` must hold: every setting with its doc comment and its default. */
  function envExample(): string {
    const declaration =
      /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:@(?:(?!\/\*\*)[\s\S])*?)?readonly ([A-Z_]+)\b/g;
    const source = [...readSources(root, 'src/config')].map(([, code]) => code).join('\n');
    const comments = new Map(
      [...source.matchAll(declaration)].map(([, comment, name]) => [name, comment!]),
    );
    const blocks = Object.entries(configWith()).map(([name, initial]) => {
      const words = comments
        .get(name)
        ?.replace(/^\s*\* ?/gm, '')
        .trim();
      return `# ${words?.replace(/\s*\n\s*/g, '\n# ') ?? 'MISSING'}\n${name}=${initial}\n`;
    });
    const head =
      '# Every setting with its default. Copy to .env and change what you need; the real environment wins.\n';
    return [head, ...blocks].join('\n');
  }

  test('stand in .env.example, each with its meaning and default', () => {
    const expected = envExample();
    const names = [...expected.matchAll(/^# MISSING\n([A-Z_]+)/gm)].map(([, name]) => name);
    const comment = 'give these a comment /** ... */, their manual';
    expect({ [comment]: names }).toEqual({ [comment]: [] });
    const file = join(root, '.env.example');
    if (process.env['UPDATE_ENV_EXAMPLE'] === '1') writeFileSync(file, expected);
    const remedy =
      'write .env.example anew with UPDATE_ENV_EXAMPLE=1 npx jest test/operation/configuration';
    expect({ [remedy]: readFileSync(file, 'utf8') }).toEqual({ [remedy]: expected });
    const lines = expected.split('\n').filter((line) => /^[A-Z]/.test(line));
    const settings = Object.fromEntries(lines.map((line) => line.split('=', 2)));
    expect(parseConfig(settings)).toEqual(parseConfig({}));
  });

  test('are numbers and booleans where they should be', () => {
    const expected = { PORT: 8080, MIGRATE_ON_START: false, LOG_LEVEL: 'warn' };
    expect(
      parseConfig({ PORT: '8080', MIGRATE_ON_START: 'false', LOG_LEVEL: 'warn' }),
    ).toMatchObject(expected);
  });

  test.each([
    [{ PORT: 'http' }, /^settings: PORT must be a whole number$/],
    [{ MIGRATE_ON_START: 'yes' }, /MIGRATE_ON_START must be true or false/],
    [{ DATABASE_URL: 'mysql://x' }, /DATABASE_URL must begin with postgres/],
    [
      { UPLOAD_MAX_FUTURE_DAYS: 'many' },
      /^settings: UPLOAD_MAX_FUTURE_DAYS must be a whole number or empty$/,
    ],
    [{ TIME_ZONE: 'Mars/Olympus' }, /TIME_ZONE/],
    [{ NODE_ENV: 'Production' }, /^settings: NODE_ENV must be .+: production, development, test$/],
    [
      { TRUST_PROXY: 'blah' },
      /^settings: TRUST_PROXY must list IP addresses, networks, loopback, .* or be a number/,
    ],
    [{ PORT: '65536' }, /^settings: PORT must be a whole number from 0 to 65535$/],
    [{ PASSWORD_MIN_LENGTH: '7' }, /PASSWORD_MIN_LENGTH must be a whole number from 8 to 72/],
  ])('that make no sense are refused by name: %j', (environment, text) => {
    expect(problemsOf(environment)).toEqual([expect.stringMatching(text)]);
  });

  test('that are empty are the defaults: no address becomes every interface', () => {
    const empty = Object.keys(configWith()).map((name) => [name, ' ']);
    expect(parseConfig(Object.fromEntries(empty))).toEqual({ ...configWith() });
  });

  const WEAK = ['BCRYPT_COST', 'JWT_SECRET', 'JWT_PREVIOUS_SECRET'];
  test.each([
    ['the embedded database on loopback', {}, []],
    ['every interface', { HOST: '0.0.0.0' }, WEAK],
    ['a database of its own', { DATABASE_URL }, WEAK],
    ['a test with a database of its own', { DATABASE_URL, NODE_ENV: 'test' }, WEAK],
  ])(
    'that are weak are rejected wherever others could profit: %s',
    (_where, environment, expected) => {
      const weak = { BCRYPT_COST: '9', JWT_SECRET: 'ab'.repeat(22), JWT_PREVIOUS_SECRET: 'short' };
      const problems = problemsOf({ ...weak, ...environment });
      expect(problems.map((problem) => /^settings: (\w+)/.exec(problem)?.[1])).toEqual(expected);
      expect(problemsOf({ ...environment, BCRYPT_COST: '10', JWT_SECRET: secret })).toEqual([]);
    },
  );

  test('of production are all needed, and all that is wrong is told at once', () => {
    const problems = problemsOf({ NODE_ENV: 'production', PORT: 'x' }).join('\n');
    expect(problems).toMatch(/PORT/);
    expect(problems).toMatch(/DATABASE_URL is missing/);
    expect(problems).toMatch(/JWT_SECRET is missing/);
  });

  test.each([
    [secret.slice(0, 31), /shorter than 32 bytes/],
    ['abcdefg'.repeat(7), /fewer than 8 different characters/],
  ])('of production include no weak secret: %s', (weak, reason) => {
    const environment = { NODE_ENV: 'production', DATABASE_URL, JWT_SECRET: weak };
    expect(problemsOf(environment)).toEqual([expect.stringMatching(reason)]);
    expect(problemsOf(environment).join()).not.toContain(weak);
    expect(
      problemsOf({ ...environment, JWT_SECRET: secret, JWT_PREVIOUS_SECRET: weak }),
    ).toHaveLength(1);
  });
});

describe('TRUST_PROXY', () => {
  /** The client that Express sees for a request from `peer`, whose X-Forwarded-For every proxy added to. */
  function clientOf(setting: string, peer: string | undefined, forwarded: string): string {
    const app = express().set('trust proxy', parseTrustedProxies(setting));
    const request = {
      headers: { 'x-forwarded-for': forwarded },
      socket: { remoteAddress: peer },
      app,
    };
    return clientAddress(Object.setPrototypeOf(request, app.request));
  }

  const PROXY = '10.0.0.1';
  const INNER = '10.0.0.2';
  const CLIENT = '203.0.113.7';
  const FORGED = '198.51.100.9';

  const ONE = `${FORGED}, ${CLIENT}`;
  const TWO = `${ONE}, ${INNER}`;
  test.each([
    ['', ONE, PROXY],
    ['1', ONE, CLIENT],
    ['loopback, 10.0.0.0/8', ONE, CLIENT],
    ['loopback', ONE, PROXY],
    ['1', TWO, INNER],
    ['2', TWO, CLIENT],
    ['10.0.0.0/8', TWO, CLIENT],
  ])('%s: behind proxies that added to %s the client is %s', (setting, forwarded, client) => {
    expect(clientOf(setting, PROXY, forwarded)).toBe(client);
  });

  test.each([
    ['203.0.113.7:5678', CLIENT],
    ['[2001:db8::7]:443', '2001:db8::7'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[::ffff:203.0.113.7]:80', CLIENT],
    ['203.0.113.700', 'unknown'],
    ["1.2.3.4' OR 1=1 --", 'unknown'],
  ])('an entry %j is the client %s', (entry, client) => {
    expect(clientOf('loopback', '127.0.0.1', entry)).toBe(client);
  });

  test('a peer that has disconnected has no address', () => {
    expect(clientOf('1', undefined, '')).toBe('unknown');
    expect(clientOf('loopback', undefined, CLIENT)).toBe('unknown');
  });

  test('entries with ports and mapped addresses of trusted proxies are recognised', () => {
    const forwarded = `${FORGED}, ${CLIENT}:1234, 10.0.0.2:443, [::ffff:10.0.0.3]:80`;
    expect(clientOf('10.0.0.0/8', '::ffff:10.0.0.1', forwarded)).toBe(CLIENT);
  });

  test.each(['blah', '10.0.0.1/33', '-1', 'true'])('%s is invalid', (setting) =>
    expect(parseTrustedProxies(setting)).toBeUndefined(),
  );
});

describe('The secret that is generated', () => {
  let DATA_DIR: string;
  let file: string;
  beforeEach(() => {
    DATA_DIR = mkdtempSync(join(tmpdir(), 'jwt-secret-'));
    file = join(DATA_DIR, 'jwt-secret');
  });
  afterEach(() => rmSync(DATA_DIR, { recursive: true }));

  const read = (JWT_SECRET = ''): string =>
    withJwtSecret(configWith({ DATA_DIR, JWT_SECRET })).JWT_SECRET;

  test('is made once, for its owner alone, and kept; not where one is configured', () => {
    expect(read('configured')).toBe('configured');
    expect(readdirSync(DATA_DIR)).toEqual([]);
    const secret = read();
    expect(secret).toMatch(/^[\w-]{64}$/);
    expect([read(), readFileSync(file, 'utf8')]).toEqual([secret, secret]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(DATA_DIR)).toEqual(['jwt-secret']);
  });

  test('is refused by its file where that is weak', () => {
    writeFileSync(file, '');
    expect(() => read()).toThrow(`${file} is shorter than 32 bytes`);
  });
});
