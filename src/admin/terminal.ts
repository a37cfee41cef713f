import type { ReadStream } from 'node:tty';
import { OutputClosed } from './admin.errors.js';
import { Table, type CommandResult } from './command-result.js';

/** What a command line reads and writes; the process itself, or streams of a test. */
export interface Terminal {
  readonly stdin: NodeJS.ReadableStream & Pick<Partial<ReadStream>, 'isTTY'>;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

/** Writes an answer to standard output, and nothing else is ever written there. Throws `OutputClosed`. */
export async function print(
  { text, json }: CommandResult,
  asJson: boolean,
  stdout: NodeJS.WritableStream,
): Promise<void> {
  if (asJson) await write(`${JSON.stringify(json)}\n`, stdout);
  else if (typeof text === 'string' || text instanceof Table) await write(`${text.toString()}\n`, stdout);
  else for await (const piece of text) await write(piece, stdout);
}

/** Resolves when it is written, so that no more is read than a slow reader takes. */
function write(piece: string | Uint8Array, stream: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(piece, (error) => {
      if (!error) resolve();
      else reject('code' in error && error.code === 'EPIPE' ? new OutputClosed() : error);
    });
  });
}
