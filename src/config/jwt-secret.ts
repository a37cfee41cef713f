import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import type { AppConfig } from './app-config.js';

const MIN_BYTES = 32;
// random secrets of 32 hexadecimal digits have more
const MIN_DISTINCT = 8;
const MIN_BITS = 85;
const LOCK_TIMEOUT_MS = 5_000;
const POLL_MS = 20;

const PLACEHOLDER =
  /change|replace|placeholder|example|dummy|sample|insert|fixme|todo|your[-_ ]?(?:own|jwt|secret|key|token)|a-string-secret-at-least|qwertyuiop|<.*>|^(?:(?:secret|password|default|test|jwt|key)[-_ ]?)+$|^([x0*._?-])\1*$/i;

/** Describes a weakness without quoting the secret. */
export function secretWeakness(secret: string): string | undefined {
  if (Buffer.byteLength(secret) < MIN_BYTES) return `is shorter than ${MIN_BYTES} bytes`;
  if (PLACEHOLDER.test(secret)) return 'is a placeholder: make one with "openssl rand -base64 48"';
  if (isPredictable(secret)) return 'has too little variety: make one with "openssl rand -base64 48"';
  return undefined;
}

function isPredictable(secret: string): boolean {
  const codes = Array.from(secret, (character) => character.codePointAt(0)!);
  const counts = new Map<number, number>();
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1);
  const bits = [...counts.values()].reduce((sum, count) => sum - count * Math.log2(count / codes.length), 0);
  const inRow = codes.filter((code, at) => at > 0 && Math.abs(code - codes[at - 1]!) <= 1).length;
  return counts.size < MIN_DISTINCT || bits < MIN_BITS || inRow > codes.length / 2 || isRepeated(codes);
}

function isRepeated(codes: readonly number[]): boolean {
  return codes.slice(1, codes.length / 2 + 1).some((_, index) => {
    const shifted = codes.slice(index + 1);
    return shifted.filter((code, at) => code === codes[at]).length >= shifted.length * 0.75;
  });
}

export function withJwtSecret(config: AppConfig): AppConfig {
  if (config.JWT_SECRET !== '') return config;
  fs.mkdirSync(config.DATA_DIR, { recursive: true });
  return Object.assign(config, { JWT_SECRET: readOrGenerate(join(config.DATA_DIR, 'jwt-secret')) });
}

/** Processes that start together use one secret. */
function readOrGenerate(file: string): string {
  const lock = `${file}.lock`;
  for (;;) {
    const secret = readIfStrong(file);
    if (secret !== undefined) return secret;
    if (tryCreate(lock, '')) break;
    const { mtimeMs } = fs.statSync(lock, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (Math.abs(Date.now() - mtimeMs) > LOCK_TIMEOUT_MS) fs.rmSync(lock, { force: true }); // its holder was killed
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
  }
  try {
    return readIfStrong(file) ?? generate(file);
  } finally {
    fs.rmSync(lock, { force: true });
  }
}

function readIfStrong(file: string): string | undefined {
  try {
    const secret = fs.readFileSync(file, 'utf8');
    return secretWeakness(secret) === undefined ? secret : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function generate(file: string): string {
  let secret: string;
  do secret = randomBytes(48).toString('base64url');
  while (secretWeakness(secret) !== undefined);
  const draft = `${file}.new`;
  fs.rmSync(draft, { force: true }); // left by a killed start
  tryCreate(draft, secret);
  fs.renameSync(draft, file);
  return secret;
}

function tryCreate(file: string, content: string): boolean {
  try {
    fs.writeFileSync(file, content, { flag: 'wx', mode: 0o600, flush: true });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
