import type { LoggerService } from '@nestjs/common';
import pino, { type DestinationStream, type Level, type Logger } from 'pino';
import type { OperationConfig } from '../config/operation.config.js';
import { LineWriter } from './line-writer.js';

export type Log = Logger;

/** What a terminal shows of a line; that of a request has no message. */
const MESSAGE_FORMAT =
  '{if method}{method} {route}{path} {end}{if status}{status} {end}{if ms}{ms} ms {end}{msg}';
const FIELDS = 'level,time,code,reason,username,restaurant,context,err';
const TERMINAL = { singleLine: true, messageFormat: MESSAGE_FORMAT, include: FIELDS };

/** Opens the log, by default on standard output. */
export async function createLog(
  { LOG_LEVEL }: Pick<OperationConfig, 'LOG_LEVEL'>,
  destination?: DestinationStream,
): Promise<Log> {
  if (LOG_LEVEL === 'silent') return pino({ level: LOG_LEVEL });
  // Opening process.stdout also makes a pipe non-blocking.
  if (!destination) process.stdout.on('error', () => undefined);
  return pino(
    {
      level: LOG_LEVEL,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
    },
    destination ?? (process.stdout.isTTY ? await prettyStream() : new LineWriter(1)),
  );
}

async function prettyStream(): Promise<DestinationStream> {
  const { PinoPretty } = await import('pino-pretty');
  return PinoPretty({ sync: true, ...TERMINAL });
}

/** Describes an error by chosen fields: the driver's errors carry parameters and rows. */
export function describeError(error: unknown): Record<string, unknown> {
  const { name: type, message, code, stack } = Object(error) as Error & { code?: unknown };
  return { type, message, code, stack };
}

/** Makes a logger of Nest that writes to the log. */
export function nestLogger(log: Log): LoggerService {
  const logAt =
    (level: Level) =>
    (message: unknown, ...rest: unknown[]): void => {
      const err = message instanceof Error ? message : undefined;
      log[level]({ context: rest.pop(), err, stack: rest[0] }, String(message));
    };
  return {
    log: logAt('debug'), // Nest logs every route and module
    fatal: logAt('fatal'),
    error: logAt('error'),
    warn: logAt('warn'),
    debug: logAt('debug'),
    verbose: logAt('trace'),
  };
}
