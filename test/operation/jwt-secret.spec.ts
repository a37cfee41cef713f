import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { configWith } from '../../src/config/config.js';
import { withJwtSecret } from '../../src/config/jwt-secret.js';

let DATA_DIR: string;
let file: string;
beforeEach(() => {
  DATA_DIR = mkdtempSync(join(tmpdir(), 'jwt-secret-'));
  file = join(DATA_DIR, 'jwt-secret');
});
afterEach(() => rmSync(DATA_DIR, { recursive: true }));

const read = (JWT_SECRET = ''): string =>
  withJwtSecret(configWith({ DATA_DIR, JWT_SECRET })).JWT_SECRET;

describe('The generated secret', () => {
  test('is made once, for its owner alone, and kept', () => {
    const secret = read();
    expect(secret).toMatch(/^[\w-]{64}$/);
    expect([read(), readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual([
      secret,
      secret,
      0o600,
    ]);
    expect(readdirSync(DATA_DIR)).toEqual(['jwt-secret']);
  });

  test('is not made where one is configured', () => {
    expect(read('configured')).toBe('configured');
    expect(readdirSync(DATA_DIR)).toEqual([]);
  });

  test('is refused by its file where that is weak', () => {
    writeFileSync(file, '');
    expect(() => read()).toThrow(`${file} is shorter than 32 bytes`);
  });

  test('is one for all processes that start together', async () => {
    const module = JSON.stringify(join(__dirname, '../../dist/src/config/jwt-secret.js'));
    // All wait for the same moment, so that their first look at the file is about the same.
    const script = `const { withJwtSecret } = await import(${module});
      const moment = ${Date.now() + 1500};
      await new Promise((resolve) => setTimeout(resolve, moment - 50 - Date.now()));
      while (Date.now() < moment);
      process.stdout.write(withJwtSecret({ DATA_DIR: ${JSON.stringify(DATA_DIR)}, JWT_SECRET: '' }).JWT_SECRET);`;
    const starts = Array.from({ length: 3 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    );
    const secrets = await Promise.all(starts.map(({ stdout }) => text(stdout)));
    expect(new Set(secrets)).toEqual(new Set([readFileSync(file, 'utf8')]));
    expect(secrets[0]).toMatch(/^[\w-]{64}$/);
    expect(readdirSync(DATA_DIR)).toEqual(['jwt-secret']);
  });
});
