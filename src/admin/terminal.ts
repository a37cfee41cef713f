import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadStream } from 'node:tty';
import { Table, type Answer } from './answer.js';

/** What a command line reads and writes; the process itself, or streams of a test. */
export interface Terminal {
  readonly stdin: NodeJS.ReadableStream & Pick<Partial<ReadStream>, 'isTTY'>;
  readonly stdout: Writable;
  readonly stderr: NodeJS.WritableStream;
}

/** Writes an answer to standard output, and nothing else is ever written there. */
export async function print({ text, json }: Answer, asJson: boolean, stdout: NodeJS.WritableStream): Promise<void> {
  if (asJson) await write(`${JSON.stringify(json)}\n`, stdout);
  else if (typeof text === 'string' || text instanceof Table) await write(`${text.toString()}\n`, stdout);
  else await pipeline(text, stdout, { end: false });
}

function write(text: string, stream: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}
