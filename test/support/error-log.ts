import pino, { type Logger } from 'pino';
import { describeError } from '../../src/logging/log.js';

/** A log whose errors are shown with the test that fails; see environment.mjs. */
export function errorLog(): Logger {
  return pino(
    { level: 'error', base: null, timestamp: false, serializers: { err: describeError } },
    { write: keepError },
  );
}

/** Keeps a line of a log until the test ends. */
export function keepError(line: string): void {
  const remedy = line.includes('"permission denied for') ? '\ngrant sales_service the right in docs/roles.sql' : '';
  (globalThis as { serviceErrors?: string[] }).serviceErrors?.push(line.trim().replaceAll('\\n', '\n') + remedy);
}
