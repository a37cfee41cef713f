import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultSettings, provideSettings } from '../../src/config/feature-settings.js';
import { secretWeakness } from '../../src/config/jwt-secret.js';
import { InvalidConfig, parseConfig } from '../../src/config/load-config.js';
import { FormerName, WholeNumber } from '../../src/config/setting.decorators.js';
import { envExampleOf } from '../support/env-example.js';

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

describe('The settings', () => {
  test('stand in .env.example, each with its meaning and default', () => {
    const expected = envExampleOf(root);
    const names = Object.keys(defaultSettings()).filter((name) => !expected.includes(`\n${name}=`));
    expect({ 'give these a comment /** ... */, their manual': names }).toEqual({
      'give these a comment /** ... */, their manual': [],
    });
    const file = join(root, '.env.example');
    if (process.env['UPDATE_ENV_EXAMPLE'] === '1') writeFileSync(file, expected);
    const remedy = 'write .env.example anew with UPDATE_ENV_EXAMPLE=1 npx jest test/operation/settings';
    expect({ [remedy]: readFileSync(file, 'utf8') }).toEqual({ [remedy]: expected });
  });

  test('that .env.example gives are the defaults', () => {
    const lines = readFileSync(join(root, '.env.example'), 'utf8')
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line));
    expect(parseConfig(Object.fromEntries(lines.map((line) => line.split('=', 2))))).toEqual(parseConfig({}));
  });

  test('of a feature have a name of their own', () => {
    class TwiceConfig {
      readonly UPLOAD_MAX_FUTURE_DAYS: string = '';
    }
    expect(() => provideSettings(TwiceConfig)).toThrow(
      'TwiceConfig: there is a setting UPLOAD_MAX_FUTURE_DAYS already',
    );
  });

  test('are numbers and booleans where they should be', () => {
    expect(parseConfig({ PORT: '8080', MIGRATE_ON_START: 'false', LOG_LEVEL: 'warn' })).toMatchObject({
      PORT: 8080,
      MIGRATE_ON_START: false,
      LOG_LEVEL: 'warn',
    });
  });

  test.each([
    [{ PORT: 'http' }, /^settings: PORT must be a whole number$/],
    [{ PORT: '65536' }, /PORT/],
    [{ BCRYPT_COST: '31' }, /BCRYPT_COST/],
    [{ MIGRATE_ON_START: 'yes' }, /MIGRATE_ON_START must be true or false/],
    [{ DATABASE_URL: 'mysql://x' }, /DATABASE_URL must begin with postgres/],
    [{ PUBLIC_URL: 'sales.example' }, /PUBLIC_URL must be like https/],
    [{ PUBLIC_URL: 'https://sales.example/' }, /without a slash at its end/],
    [{ UPLOAD_MAX_FUTURE_DAYS: 'many' }, /^settings: UPLOAD_MAX_FUTURE_DAYS must be a whole number or empty$/],
    [{ LOG_LEVEL: 'loud' }, /LOG_LEVEL/],
    [{ TIME_ZONE: 'Mars/Olympus' }, /TIME_ZONE/],
    [{ NODE_ENV: 'Production' }, /^settings: NODE_ENV must be production, development or test$/],
    [{ NODE_ENV: 'prod' }, /NODE_ENV/],
    [{ TRUST_PROXY: 'blah' }, /^settings: TRUST_PROXY must list IP addresses, networks, loopback, .* or be a number/],
    [{ TRUST_PROXY: '10.0.0.1, 10.0.0.0/33' }, /TRUST_PROXY/],
    [{ PASSWORD_MIN_LENGTH: '7' }, /PASSWORD_MIN_LENGTH must be a whole number from 8 to 72/],
  ])('that make no sense are refused by name: %j', (environment, text) => {
    expect(problemsOf(environment)).toEqual([expect.stringMatching(text)]);
  });

  test('that are empty are the defaults: no address becomes every interface', () => {
    const empty = Object.keys(defaultSettings()).map((name) => [name, ' ']);
    expect(parseConfig(Object.fromEntries(empty))).toEqual({ ...defaultSettings() });
  });

  test('are all checked before any is reported', () => {
    const problems = problemsOf({ PORT: 'x', TRUST_PROXY: 'blah', NODE_ENV: 'x', HOST: '0.0.0.0', BCRYPT_COST: '4' });
    expect(problems.map((problem) => /^settings: (\w+)/.exec(problem)?.[1]).sort()).toEqual([
      'BCRYPT_COST',
      'NODE_ENV',
      'PORT',
      'TRUST_PROXY',
    ]);
  });

  test.each([
    ['the embedded database on loopback', {}, []],
    ['localhost', { HOST: 'localhost' }, []],
    ['loopback in IPv6', { HOST: '::1' }, []],
    ['every interface', { HOST: '0.0.0.0' }, ['BCRYPT_COST', 'JWT_SECRET', 'JWT_PREVIOUS_SECRET']],
    ['every interface in IPv6', { HOST: '::' }, ['BCRYPT_COST', 'JWT_SECRET', 'JWT_PREVIOUS_SECRET']],
    ['a name', { HOST: 'sales.internal' }, ['BCRYPT_COST', 'JWT_SECRET', 'JWT_PREVIOUS_SECRET']],
    ['a database of its own', { DATABASE_URL }, ['BCRYPT_COST', 'JWT_SECRET', 'JWT_PREVIOUS_SECRET']],
    [
      'a test with a database of its own',
      { DATABASE_URL, NODE_ENV: 'test' },
      ['BCRYPT_COST', 'JWT_SECRET', 'JWT_PREVIOUS_SECRET'],
    ],
    ['a test elsewhere', { HOST: '0.0.0.0', NODE_ENV: 'test' }, ['BCRYPT_COST', 'JWT_SECRET', 'JWT_PREVIOUS_SECRET']],
  ])('that are weak are rejected wherever others could profit: %s', (_where, environment, expected) => {
    const weak = { BCRYPT_COST: '9', JWT_SECRET: 'ab'.repeat(22), JWT_PREVIOUS_SECRET: 'short' };
    const problems = problemsOf({ ...weak, ...environment });
    expect(problems.map((problem) => /^settings: (\w+)/.exec(problem)?.[1])).toEqual(expected);
    expect(problemsOf({ ...environment, BCRYPT_COST: '10', JWT_SECRET: secret })).toEqual([]);
  });

  test('of production are all needed, and all that is wrong is told at once', () => {
    const problems = problemsOf({ NODE_ENV: 'production', PORT: 'x' }).join('\n');
    expect(problems).toMatch(/PORT/);
    expect(problems).toMatch(/DATABASE_URL is missing/);
    expect(problems).toMatch(/JWT_SECRET is missing/);
  });

  test.each([
    [secret.slice(0, 31), /shorter than 32 bytes/],
    ['change-me-change-me-change-me-change-me', /placeholder/],
    ['your-secret-key-your-secret-key-your', /placeholder/],
    ['secretsecretsecretsecretsecretsecret', /placeholder/],
    ['a-string-secret-at-least-256-bits-long', /placeholder/],
    ['qwertyuiopasdfghjklzxcvbnm1234567890', /placeholder/],
    ['x'.repeat(40), /placeholder/],
    ['a'.repeat(44), /too little variety/],
    ['ab'.repeat(22), /too little variety/],
    ['0123456789abcdef'.repeat(2), /too little variety/],
    ['Jk3v9Q0sYw7ZbT2mL'.repeat(2) + 'Jk3', /too little variety/],
    ['abcdefghijklmnopqrstuvwxyz0123456789', /too little variety/],
    ['zyxwvutsrqponmlkjihgfedcba9876543210', /too little variety/],
    ['aaaabbbbccccddddeeeeffffgggghhhhiiiijjjjkkkk', /too little variety/],
    ['0000000000000000000000000000000000123456789abc', /too little variety/],
    ['passwordpasswordpasswordpassw0rd', /too little variety/],
  ])('of production include no weak secret: %s', (weak, text) => {
    const environment = { NODE_ENV: 'production', DATABASE_URL: 'postgres://db/sales', JWT_SECRET: weak };
    expect(problemsOf(environment)).toEqual([expect.stringMatching(text)]);
    expect(problemsOf(environment).join()).not.toContain(weak);
    expect(problemsOf({ ...environment, JWT_SECRET: secret, JWT_PREVIOUS_SECRET: weak })).toHaveLength(1);
  });

  test('of production include any random secret', () => {
    for (let time = 0; time < 2000; time++) {
      const bytes = createHash('sha256').update(String(time)).digest(); // random, but the same in each run
      expect(secretWeakness(bytes.toString('hex', 0, 16))).toBeUndefined();
      expect(secretWeakness(bytes.toString('base64', 0, 24))?.replace(/is a placeholder.*/, '') ?? '').toBe('');
    }
  });

  test('of production that are right are taken', () => {
    expect(problemsOf({ NODE_ENV: 'production', DATABASE_URL: 'postgres://db/sales', JWT_SECRET: secret })).toEqual([]);
  });

  test('that were renamed are read by their former name, with a warning, unless the new one is set', () => {
    class RenamedConfig {
      @FormerName('OLD_DAYS')
      @WholeNumber(1, 9)
      readonly NEW_DAYS: number = 3;
    }
    provideSettings(RenamedConfig); // last in this file: it stays
    const warn = jest.spyOn(process, 'emitWarning').mockReturnValue();
    const read = (environment: Record<string, string>): unknown => Reflect.get(parseConfig(environment), 'NEW_DAYS');
    expect([read({}), read({ NEW_DAYS: '4', OLD_DAYS: '5' }), warn.mock.calls]).toEqual([3, 4, []]);
    expect(read({ NEW_DAYS: ' ', OLD_DAYS: '5' })).toBe(5);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('OLD_DAYS is now NEW_DAYS'));
    expect(problemsOf({ OLD_DAYS: '0' })).toEqual(['settings: NEW_DAYS must be a whole number from 1 to 9']);
  });
});
