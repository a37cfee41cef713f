import pino, { type DestinationStream, type Logger } from 'pino';
import type { OperationConfig } from '../config/operation.config.js';
import { LineWriter } from './line-writer.js';

export type Log = Logger;

/** Opens the log, by default on standard output. */
export async function createLog(
  { LOG_LEVEL }: Pick<OperationConfig, 'LOG_LEVEL'>,
  destination?: DestinationStream,
): Promise<Log> {
  if (LOG_LEVEL === 'silent') return pino({ level: LOG_LEVEL });
  // A listener also makes a pipe non-blocking.
  if (!destination) process.stdout.on('error', () => undefined);
  return pino(
    {
      level: LOG_LEVEL,
      base: { pid: process.pid },
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
    },
    destination ?? (process.stdout.isTTY ? await prettyStream() : new LineWriter(1)),
  );
}

async function prettyStream(): Promise<DestinationStream> {
  const { PinoPretty } = await import('pino-pretty');
  return PinoPretty({
    sync: true,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'pid,requestId,method,route,path,status,ms,bytesIn,bytesOut,client,migrations',
    messageFormat: (line, key) =>
      line['status'] === undefined ? String(line[key]) : summary(line),
  });
}

function summary({ method, route, path, status, ms }: Record<string, unknown>): string {
  return [method, route ?? path, status, typeof ms === 'number' ? `${ms} ms` : '']
    .filter(Boolean)
    .join(' ');
}

/** Describes an error by chosen fields: the driver's errors carry parameters and rows. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error))
    return { type: typeof error, message: 'the thrown value is not an Error' };
  const { name: type, message, stack } = error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const cause = error.cause instanceof Error ? describeError(error.cause) : undefined;
  return { type, message, code, stack, cause };
}
