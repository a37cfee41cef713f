import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { configWith } from '../../src/config/config.js';
import { withJwtSecret } from '../../src/config/jwt-secret.js';
import { parseConfig } from '../../src/config/load-config.js';
import { timeLimits } from '../../src/config/time-limits.js';
import { parseTrustedProxies } from '../../src/config/trusted-proxies.js';
import { clientAddress } from '../../src/http/requests/track-request.js';
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
    const source = [...readSources(root, 'src/config').values()].join('\n');
    const declared = [...source.matchAll(declaration)];
    const comments = new Map(declared.map(([, comment, name]) => [name, comment!]));
    const blocks = Object.entries(configWith()).map(([name, initial]) => {
      const words = comments.get(name)?.replace(/^\s*\* ?/gm, '').trim(); // prettier-ignore
      return `# ${words?.replace(/\s*\n\s*/g, '\n# ') ?? 'MISSING'}\n${name}=${initial ?? ''}\n`;
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

  test('are numbers and booleans where they should be; those that are empty are the defaults', () => {
    const [typed, texts] = [{ PORT: 8080, MIGRATE_ON_START: false }, { LOG_LEVEL: 'warn' }];
    const empty = Object.fromEntries(Object.keys(configWith()).map((name) => [name, ' ']));
    const given = { ...empty, PORT: '8080', MIGRATE_ON_START: 'false', ...texts };
    expect(parseConfig(given)).toEqual(configWith({ ...typed, ...texts }));
  });

  const ADDRESSES = 'addresses, networks, loopback, linklocal or uniquelocal';
  const REMEDY = 'make one with "openssl rand -base64 48"';
  test.each([
    ['PORT', 'http', 'must be a whole number from 0 to 65535'],
    ['PORT', '65536', 'must be a whole number from 0 to 65535'],
    ['PASSWORD_MIN_LENGTH', '7', 'must be a whole number from 8 to 72'],
    ['MIGRATE_ON_START', 'yes', 'must be true or false'],
    ['UPLOAD_MAX_FUTURE_DAYS', 'many', 'must be a whole number from 0 to 36500'],
    ['UPLOAD_MAX_FUTURE_DAYS', '36501', 'must be a whole number from 0 to 36500'],
    ['TIME_ZONE', 'Mars/Olympus', 'must be a valid IANA time-zone'],
    [
      'NODE_ENV',
      'Production',
      'must be one of the following values: production, development, test',
    ],
    ...[
      'office',
      'https://*.example',
      'https://office.example/',
      '*',
      'https://Office.example',
    ].map((origin): [string, string, string] => [
      'CORS_ORIGINS',
      origin,
      'must list origins such as https://office.example, without wildcards',
    ]),
    ['AUDIT_RETENTION_MONTHS', '6', 'must be a whole number from 12 to 1200, or 0'],
    ['DATABASE_URL', 'mysql://x', 'must begin with postgres:// or postgresql://'],
    ['TRUST_PROXY', 'blah', `must list IP ${ADDRESSES}, or be a number of proxies`],
    ['JWT_SECRET', secret.slice(0, 31), `is shorter than 32 bytes: ${REMEDY}`],
  ])('that make no sense are refused by name: %s=%s', (name, value, fault) => {
    const problems = problemsOf({ DATABASE_URL, JWT_SECRET: secret, [name]: value });
    expect(problems).toEqual([`settings: ${name} ${fault}`]);
  });

  test('that are random, zero or for WebView apps are accepted', () => {
    for (const [name, value] of [
      [
        'CORS_ORIGINS',
        'https://office.example:8443 , capacitor://localhost,ionic://localhost,null',
      ],
      ['AUDIT_RETENTION_MONTHS', '0'],
      ['AUDIT_RETENTION_MONTHS', '12'],
    ] as const)
      expect(problemsOf({ DATABASE_URL, JWT_SECRET: secret, [name]: value })).toEqual([]);
  });

  const WEAK = ['BCRYPT_COST', 'JWT_SECRET', 'JWT_PREVIOUS_SECRET'];
  test.each([
    ['the embedded database on loopback', {}, []],
    ['every interface', { HOST: '0.0.0.0' }, WEAK],
    ['a database of its own', { DATABASE_URL }, WEAK],
    ['production', { DATABASE_URL, NODE_ENV: 'production' }, WEAK],
  ])('that are weak are rejected wherever others could profit: %s', (_where, where, expected) => {
    const weak = { BCRYPT_COST: '9', JWT_SECRET: 'ab'.repeat(11), JWT_PREVIOUS_SECRET: 'short' };
    const problems = problemsOf({ ...weak, ...where });
    expect(problems.map((problem) => /^settings: (\w+)/.exec(problem)?.[1])).toEqual(expected);
    expect(problems.join()).not.toContain(weak.JWT_SECRET);
    expect(problemsOf({ ...where, BCRYPT_COST: '10', JWT_SECRET: secret })).toEqual([]);
  });

  test('of production are all needed, and all that is wrong is told at once', () => {
    const problems = problemsOf({ NODE_ENV: 'production', PORT: 'x' });
    expect(problems).toEqual([
      'settings: PORT must be a whole number from 0 to 65535',
      expect.stringMatching(/DATABASE_URL is missing/),
      expect.stringMatching(/JWT_SECRET is missing/),
    ]);
  });
});

test('A request is answered after all that it may wait for, which PostgreSQL ends first', () => {
  const limits = timeLimits({ RESPONSE_TIMEOUT_MS: 5000 });
  expect(limits.queue + limits.connection + limits.query).toBeLessThan(limits.answer);
  expect(Math.max(limits.lock, limits.statement)).toBeLessThan(limits.query);
  expect(limits.answer).toBeLessThan(5000);
});

describe('TRUST_PROXY', () => {
  /** The client that Express sees for a request from `peer`, whose X-Forwarded-For every proxy added to. */
  function clientOf(setting: string, peer: string | undefined, forwarded: string): string {
    const app = express().set('trust proxy', parseTrustedProxies(setting));
    const headers = { 'x-forwarded-for': forwarded };
    const request = { headers, socket: { remoteAddress: peer }, app };
    return clientAddress(Object.setPrototypeOf(request, app.request));
  }

  const [PROXY, INNER, CLIENT] = ['10.0.0.1', '10.0.0.2', '203.0.113.7'];
  const ONE = `198.51.100.9, ${CLIENT}`; // the first is what the client made up
  const TWO = `${ONE}, ${INNER}`;
  test.each([
    ['', PROXY, ONE, PROXY],
    ['1', PROXY, ONE, CLIENT],
    ['loopback, 10.0.0.0/8', PROXY, ONE, CLIENT],
    ['loopback', PROXY, ONE, PROXY],
    ['1', PROXY, TWO, INNER],
    ['2', PROXY, TWO, CLIENT],
    ['10.0.0.0/8', PROXY, TWO, CLIENT],
    ['10.0.0.0/8', `::ffff:${PROXY}`, `${ONE}:1234, 10.0.0.2:443, [::ffff:10.0.0.3]:80`, CLIENT],
    ['loopback', '127.0.0.1', '[2001:db8::7]:443', '2001:db8::7'],
    ['loopback', '127.0.0.1', 'fe80::1%eth0', 'fe80::1'],
    ['loopback', '127.0.0.1', '[::ffff:203.0.113.7]:80', CLIENT],
    ['loopback', '127.0.0.1', "1.2.3.4' OR 1=1 --", 'unknown'],
    ['1', undefined, '', 'unknown'], // the peer has disconnected
    ['loopback', undefined, CLIENT, 'unknown'],
  ])('%j: for %s, which forwards %j, it is %s', (setting, peer, sent, client) => {
    expect(clientOf(setting, peer, sent)).toBe(client);
  });

  test.each(['blah', '10.0.0.1/33', '-1', 'true'])('%s is invalid', (setting) =>
    expect(parseTrustedProxies(setting)).toBeUndefined(),
  );
});

test('A secret is generated once, for its owner alone, and kept; not where one is configured; refused by its file where that is weak', () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'jwt-secret-'));
  const file = join(DATA_DIR, 'jwt-secret');
  const read = (JWT_SECRET = ''): string =>
    withJwtSecret(configWith({ DATA_DIR, JWT_SECRET })).JWT_SECRET;
  expect(read('configured')).toBe('configured');
  expect(readdirSync(DATA_DIR)).toEqual([]);
  const secret = read();
  expect(secret).toMatch(/^[\w-]{64}$/);
  expect([read(), readFileSync(file, 'utf8')]).toEqual([secret, secret]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(DATA_DIR)).toEqual(['jwt-secret']);
  writeFileSync(file, '');
  expect(() => read()).toThrow(`${file} is shorter than 32 bytes`);
  rmSync(DATA_DIR, { recursive: true });
});
