import type { ReadStream } from 'node:tty';
import { OutputClosed } from './admin.errors.js';
import { Table, type CommandResult } from './command-result.js';
import { escapeControls } from './escape-controls.js';

export interface Terminal {
  readonly stdin: NodeJS.ReadableStream & Pick<Partial<ReadStream>, 'isTTY'>;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

export async function print(
  { text, json }: CommandResult,
  asJson: boolean,
  stdout: NodeJS.WritableStream,
): Promise<void> {
  if (asJson) await write(`${escapeControls(JSON.stringify(json))}\n`, stdout);
  else if (text instanceof Table) await write(`${text.toString()}\n`, stdout);
  else if (typeof text === 'string') await write(`${escapeControls(text)}\n`, stdout);
  else for await (const piece of text) await write(piece, stdout);
}

/** Waits for a slow reader. */
function write(piece: string | Uint8Array, stream: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(piece, (error) => {
      if (!error) resolve();
      else reject('code' in error && error.code === 'EPIPE' ? new OutputClosed() : error);
    });
  });
}
