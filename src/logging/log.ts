import pino, { type DestinationStream, type Logger } from 'pino';
import type { AppConfig } from '../config/app-config.js';
import { describeError } from './describe-error.js';
import { gatherLines } from './gather-lines.js';
import { counter } from '../metrics/metrics.js';

export type Log = Logger;

/** Bytes that wait for a slow reader of the log; what comes on top is dropped, as the service matters more than its log. */
const MAX_WAITING = 8 * 1024 * 1024;

const dropped = counter('log_lines_dropped_total', 'Lines that were lost because nobody read the log fast enough');

/** The log of this process on standard output: a JSON object a line, or something to read where that is a terminal. */
export async function openLog({ LOG_LEVEL }: Pick<AppConfig, 'LOG_LEVEL'>): Promise<Log> {
  if (LOG_LEVEL === 'silent') return pino({ level: LOG_LEVEL });
  const stream = process.stdout.isTTY ? await prettyStream() : plainStream();
  return pino(
    {
      level: LOG_LEVEL,
      base: { pid: process.pid },
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
    },
    stream,
  );
}

function plainStream(): DestinationStream {
  const stream = pino.destination({ sync: false, maxLength: MAX_WAITING });
  stream.on('drop', (lines: string) => dropped.add(lines.split('\n').length - 1));
  return gatherLines(stream);
}

/** Loaded only here: a service that is not run in a terminal has no use for it. */
async function prettyStream(): Promise<DestinationStream> {
  const { PinoPretty } = await import('pino-pretty');
  return PinoPretty({
    sync: true,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'pid,requestId,method,route,path,status,ms,bytesIn,bytesOut,client,migrations',
    messageFormat: (line, key) => (line['status'] === undefined ? String(line[key]) : summary(line)),
  });
}

function summary({ method, route, path, status, ms }: Record<string, unknown>): string {
  return [method, route ?? path, status, typeof ms === 'number' ? `${ms} ms` : ''].filter(Boolean).join(' ');
}
