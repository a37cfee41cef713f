import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { CommandRejected, Interrupted, UsageError } from './admin.errors.js';

export interface Terminal {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

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
  let text = '';
  for await (const piece of stdin.setEncoding('utf8')) {
    text += String(piece);
    if (text.includes('\n')) break;
  }
  const [line = ''] = text.split(/\r?\n/);
  if (line.includes('\ufffd')) throw new CommandRejected('the password is not valid UTF-8');
  return line;
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
