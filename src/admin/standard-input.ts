import { isUtf8 } from 'node:buffer';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { CommandRejected, Interrupted, UsageError } from './admin.errors.js';

export interface Terminal {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
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

/** Asks twice; Ctrl-C and Ctrl-D end the input. */
async function askTwice({ stdin, stderr }: Terminal): Promise<string> {
  const output = new PassThrough().resume(); // discards the echo
  const reader = createInterface({ input: stdin, output, terminal: true, historySize: 0 });
  reader.once('close', () => stderr.write('\n'));
  const lines: string[] = [];
  stderr.write('Password: ');
  for await (const line of reader) {
    if (lines.push(line) === 2) break;
    stderr.write('\nRepeat password: ');
  }
  reader.close();
  const [password, repeated] = lines;
  if (password === undefined || repeated === undefined) throw new Interrupted();
  if (password !== repeated) throw new CommandRejected('the two passwords differ');
  return password;
}
