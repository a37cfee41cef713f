import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import express from 'express';
import { configWith } from '../../src/config/config.js';
import { InvalidConfig, parseConfig } from '../../src/config/load-config.js';
import { parseTrustedProxies } from '../../src/config/trusted-proxies.js';
import { clientAddress } from '../../src/http/adapter/client-address.decorator.js';
import { envExampleOf } from './env-example.js';

describe('The settings', () => {
  const root = join(__dirname, '../..');
  const DATABASE_URL = 'postgres://db/sales';
  const secret = 'Jk3v9Q0sYw7ZbT2mLpX8uRdA4cHn6Ei1';

  function problemsOf(environment: Record<string, string>): string[] {
    try {
      parseConfig(environment);
      return [];
    } catch (error) {
      if (!(error instanceof InvalidConfig)) throw error;
      return error.message.split('\n');
    }
  }

  test('stand in .env.example, each with its meaning and default', () => {
    const expected = envExampleOf(root);
    const names = Object.keys(configWith()).filter((name) => !expected.includes(`\n${name}=`));
    expect({ 'give these a comment /** ... */, their manual': names }).toEqual({
      'give these a comment /** ... */, their manual': [],
    });
    const file = join(root, '.env.example');
    if (process.env['UPDATE_ENV_EXAMPLE'] === '1') writeFileSync(file, expected);
    const remedy =
      'write .env.example anew with UPDATE_ENV_EXAMPLE=1 npx jest test/operation/configuration';
    expect({ [remedy]: readFileSync(file, 'utf8') }).toEqual({ [remedy]: expected });
  });

  test('that .env.example gives are the defaults', () => {
    const lines = readFileSync(join(root, '.env.example'), 'utf8')
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line));
    expect(parseConfig(Object.fromEntries(lines.map((line) => line.split('=', 2))))).toEqual(
      parseConfig({}),
    );
  });

  test('are numbers and booleans where they should be', () => {
    expect(
      parseConfig({ PORT: '8080', MIGRATE_ON_START: 'false', LOG_LEVEL: 'warn' }),
    ).toMatchObject({
      PORT: 8080,
      MIGRATE_ON_START: false,
      LOG_LEVEL: 'warn',
    });
  });

  test.each([
    [{ PORT: 'http' }, /^settings: PORT must be a whole number$/],
    [{ MIGRATE_ON_START: 'yes' }, /MIGRATE_ON_START must be true or false/],
    [{ DATABASE_URL: 'mysql://x' }, /DATABASE_URL must begin with postgres/],
    [{ PUBLIC_URL: 'sales.example' }, /PUBLIC_URL must be like https/],
    [
      { UPLOAD_MAX_FUTURE_DAYS: 'many' },
      /^settings: UPLOAD_MAX_FUTURE_DAYS must be a whole number or empty$/,
    ],
    [{ TIME_ZONE: 'Mars/Olympus' }, /TIME_ZONE/],
    [{ NODE_ENV: 'Production' }, /^settings: NODE_ENV must be production, development or test$/],
    [
      { TRUST_PROXY: 'blah' },
      /^settings: TRUST_PROXY must list IP addresses, networks, loopback, .* or be a number/,
    ],
    [{ PASSWORD_MIN_LENGTH: '7' }, /PASSWORD_MIN_LENGTH must be a whole number from 8 to 72/],
  ])('that make no sense are refused by name: %j', (environment, text) => {
    expect(problemsOf(environment)).toEqual([expect.stringMatching(text)]);
  });

  test('that are empty are the defaults: no address becomes every interface', () => {
    const empty = Object.keys(configWith()).map((name) => [name, ' ']);
    expect(parseConfig(Object.fromEntries(empty))).toEqual({ ...configWith() });
  });

  test('are all checked before any is reported', () => {
    const problems = problemsOf({
      PORT: 'x',
      TRUST_PROXY: 'blah',
      NODE_ENV: 'x',
      HOST: '0.0.0.0',
      BCRYPT_COST: '4',
    });
    expect(problems.map((problem) => /^settings: (\w+)/.exec(problem)?.[1]).sort()).toEqual([
      'BCRYPT_COST',
      'NODE_ENV',
      'PORT',
      'TRUST_PROXY',
    ]);
  });

  test.each([
    ['the embedded database on loopback', {}, []],
    ['every interface', { HOST: '0.0.0.0' }, ['BCRYPT_COST', 'JWT_SECRET', 'JWT_PREVIOUS_SECRET']],
    [
      'a database of its own',
      { DATABASE_URL },
      ['BCRYPT_COST', 'JWT_SECRET', 'JWT_PREVIOUS_SECRET'],
    ],
    [
      'a test with a database of its own',
      { DATABASE_URL, NODE_ENV: 'test' },
      ['BCRYPT_COST', 'JWT_SECRET', 'JWT_PREVIOUS_SECRET'],
    ],
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
  ])('of production include no weak secret: %s', (weak, text) => {
    const environment = {
      NODE_ENV: 'production',
      DATABASE_URL: 'postgres://db/sales',
      JWT_SECRET: weak,
    };
    expect(problemsOf(environment)).toEqual([expect.stringMatching(text)]);
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

  test.each([
    ['', PROXY],
    ['1', CLIENT],
    ['true', CLIENT],
    ['10.0.0.1', CLIENT],
    ['loopback, 10.0.0.0/8', CLIENT],
    ['loopback', PROXY],
  ])('%s: one proxy in front, and a client that forges an entry', (setting, client) => {
    expect(clientOf(setting, PROXY, `${FORGED}, ${CLIENT}`)).toBe(client);
  });

  test.each([
    ['1', INNER],
    ['2', CLIENT],
    ['10.0.0.0/8', CLIENT],
  ])('%s: two proxies in a row', (setting, client) => {
    expect(clientOf(setting, PROXY, `${FORGED}, ${CLIENT}, ${INNER}`)).toBe(client);
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

  test.each(['loopback', '1', ''])('%j: a peer that has disconnected has no address', (setting) => {
    expect(clientOf(setting, undefined, '')).toBe('unknown');
    expect(clientOf(setting, undefined, CLIENT)).toBe(setting === '1' ? CLIENT : 'unknown');
  });

  test('entries with ports and mapped addresses of trusted proxies are recognised', () => {
    expect(
      clientOf(
        '10.0.0.0/8',
        '::ffff:10.0.0.1',
        `${FORGED}, ${CLIENT}:1234, 10.0.0.2:443, [::ffff:10.0.0.3]:80`,
      ),
    ).toBe(CLIENT);
    expect(
      clientOf(
        'uniquelocal,linklocal',
        '192.168.1.1',
        `${FORGED}, ${CLIENT}, [fd00::1]:80, fe80::9%eth0`,
      ),
    ).toBe(CLIENT);
  });

  test.each(['blah', '10.0.0.1/33', '::1/129', '-1', '*'])('%s is invalid', (setting) =>
    expect(parseTrustedProxies(setting)).toBeUndefined(),
  );
});
