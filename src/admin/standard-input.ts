import { isUtf8 } from 'node:buffer';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { Interrupted, CommandRejected, UsageError } from './admin.errors.js';

export interface Terminal {
  readonly stdin: NodeJS.ReadableStream & Pick<Partial<ReadStream>, 'isTTY'>;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

const MAX_BYTES = 4096;

/** Reads a password from standard input, or twice from a terminal. */
export async function readPassword(fromStdin: boolean, terminal: Terminal): Promise<string> {
  if (fromStdin) return readFirstLine(terminal.stdin);
  if (terminal.stdin.isTTY !== true) {
    throw new UsageError(
      'the password is read from standard input with --password-stdin, or asked for on a terminal',
    );
  }
  return askTwice(terminal);
}

/** Reads no further than the first line, as the writer may keep the pipe open. */
async function readFirstLine(stdin: NodeJS.ReadableStream): Promise<string> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of stdin) {
    bytes = Buffer.concat([bytes, Buffer.from(chunk)]);
    if (bytes.includes('\n') || bytes.length > MAX_BYTES) break;
  }
  const end = bytes.indexOf('\n');
  const line = end < 0 ? bytes : bytes.subarray(0, bytes[end - 1] === 0x0d ? end - 1 : end);
  if (line.length > MAX_BYTES)
    throw new CommandRejected(`the password is longer than ${MAX_BYTES} bytes`);
  if (!isUtf8(line)) throw new CommandRejected('the password is not valid UTF-8');
  return line.toString('utf8');
}

async function askTwice({ stdin, stderr }: Terminal): Promise<string> {
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  // The echo of readline is discarded.
  const reader = createInterface({ input: stdin, output: discard, terminal: true, historySize: 0 });
  const lines = reader[Symbol.asyncIterator]();
  const ask = async (question: string): Promise<string> => {
    stderr.write(question);
    const interrupted = new Promise<never>((_, reject) =>
      reader.once('SIGINT', () => reject(new Interrupted())),
    );
    const line = await Promise.race([lines.next(), interrupted]).finally(() => stderr.write('\n'));
    if (line.done) throw new Interrupted();
    return line.value;
  };
  try {
    const password = await ask('Password: ');
    const repeated = await ask('Repeat password: ');
    if (password !== repeated) throw new CommandRejected('the two passwords differ');
    if (password.includes('\uFFFD')) throw new CommandRejected('the password is not valid UTF-8');
    return password;
  } finally {
    reader.close();
  }
}
