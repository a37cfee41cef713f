import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.js';

const MIN_BYTES = 32;

/** Describes why a secret is not accepted, without quoting it. */
export function secretWeakness(secret: string): string | undefined {
  if (Buffer.byteLength(secret) >= MIN_BYTES) return undefined;
  return `is shorter than ${MIN_BYTES} bytes: make one with "openssl rand -base64 48"`;
}

/** Generates a missing JWT_SECRET, once for a DATA_DIR. */
export function withJwtSecret(config: Config): Config {
  const { JWT_SECRET, DATA_DIR } = config;
  if (JWT_SECRET !== '') return config;
  const file = join(DATA_DIR, 'jwt-secret');
  fs.mkdirSync(DATA_DIR, { recursive: true });
  if (!fs.existsSync(file)) {
    // `wx` fails if another process has just made it: its tokens must stay valid.
    const options = { flag: 'wx', mode: 0o600, flush: true };
    fs.writeFileSync(file, randomBytes(48).toString('base64url'), options);
  }
  const secret = fs.readFileSync(file, 'utf8');
  const weakness = secretWeakness(secret);
  if (weakness !== undefined) throw new Error(`${file} ${weakness}, or delete the file`);
  return { ...config, JWT_SECRET: secret };
}
