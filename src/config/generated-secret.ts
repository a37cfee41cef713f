import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AppConfig } from './app-config.js';

/** Outside of production a secret is made where none is given, and kept so that tokens outlive a restart. */
export function withSecret(config: AppConfig): AppConfig {
  if (config.JWT_SECRET !== '') return config;
  mkdirSync(config.DATA_DIR, { recursive: true });
  const file = join(config.DATA_DIR, 'jwt-secret');
  try {
    writeFileSync(file, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return Object.assign(config, { JWT_SECRET: readFileSync(file, 'utf8') });
}
