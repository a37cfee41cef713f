import { PassThrough } from 'node:stream';
import { Interrupted, CommandRejected, UsageError } from '../../src/admin/admin.errors.js';
import { readLines, readPassword } from '../../src/admin/standard-input.js';

/** A terminal that remembers what it shows and whether it echoes. */
function terminal(isTTY = true) {
  const shown: string[] = [];
  const modes: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), { isTTY, setRawMode: (raw: boolean) => void modes.push(raw) });
  const screen = new PassThrough().on('data', (chunk: Buffer) => shown.push(chunk.toString()));
  return { stdin, stdout: screen, stderr: screen, screen: () => shown.join(''), modes };
}

/** What is typed at a terminal, key by key. */
async function typing(...keys: (string | Buffer)[]) {
  const at = terminal();
  const reading = readPassword(false, at).then(
    (password) => ({ password }),
    (error: unknown) => ({ error }),
  );
  for (const key of keys) {
    await new Promise(setImmediate);
    at.stdin.write(key);
  }
  return { ...(await reading), screen: at.screen(), modes: at.modes };
}

describe('A password asked for on a terminal', () => {
  test('is typed twice, and nothing of it is shown', async () => {
    const typed = await typing('s', 'ecret', '\r', 'secret', '\r');
    expect(typed).toMatchObject({ password: 'secret', screen: 'Password: \nRepeat password: \n' });
  });

  test('may be pasted, both lines at once', async () => {
    expect(await typing('secret\rsecret\r')).toMatchObject({ password: 'secret' });
  });

  test('may be corrected, and may hold letters that come in pieces', async () => {
    const [first, second] = [Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1)];
    expect(await typing('x\u007F', first, second, '\r', 'é\r')).toMatchObject({ password: 'é' });
  });

  test('is rejected if the two differ', async () => {
    const { error } = (await typing('secret\r', 'secrte\r')) as { error: Error };
    expect(error).toBeInstanceOf(CommandRejected);
    expect(error.message).toBe('the two passwords differ');
  });

  test.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('is given up with %s, and the terminal echoes again', async (_key, sign) => {
    const typed = await typing(sign);
    expect(typed).toMatchObject({ error: expect.any(Interrupted), modes: [true, false] });
  });
});

describe('A password on standard input', () => {
  test.each([
    ['ends at the line feed', ['secret\nrest'], 'secret'],
    ['ends at carriage return and line feed', ['secret\r\n'], 'secret'],
    ['ends with the input', ['secret'], 'secret'],
    ['comes in pieces', ['se', 'cr', 'et\n'], 'secret'],
    ['keeps a carriage return of its own', ['secret\r\r\n'], 'secret\r'],
    ['keeps spaces', [' a b \n'], ' a b '],
    ['may be empty, for the service to reject', ['\n'], ''],
  ])('%s', async (_row, pieces, password) => {
    const at = terminal(false);
    for (const piece of pieces) at.stdin.write(piece);
    at.stdin.end();
    expect(await readPassword(true, at)).toBe(password);
  });

  test('is read no further than its line', async () => {
    const at = terminal(false);
    at.stdin.write('secret\n'); // and the writer keeps the pipe open
    expect(await readPassword(true, at)).toBe('secret');
  });

  test.each([
    ['bytes that are not UTF-8', Buffer.from([0x61, 0xff, 0x0a]), 'the password is not valid UTF-8'],
    ['a line without an end', Buffer.alloc(5000, 'x'), 'the password is longer than 4096 bytes'],
  ])('is rejected: %s', async (_row, bytes, reason) => {
    const at = terminal(false);
    at.stdin.write(bytes);
    await expect(readPassword(true, at)).rejects.toThrow(new CommandRejected(reason));
  });

  test('is not read without --password-stdin', async () => {
    await expect(readPassword(false, terminal(false))).rejects.toBeInstanceOf(UsageError);
  });
});

describe('The lines of standard input', () => {
  test('are numbered, however they come', async () => {
    const at = terminal(false);
    for (const piece of ['{"a":', '1}\r\n', '\n', 'é']) at.stdin.write(piece);
    at.stdin.end();
    const lines = [];
    for await (const line of readLines(at)) lines.push(line);
    expect(lines).toEqual([
      [1, '{"a":1}'],
      [2, ''],
      [3, 'é'],
    ]);
  });

  test('are rejected where they are not UTF-8', async () => {
    const at = terminal(false);
    at.stdin.end(Buffer.from([0x61, 0x0a, 0xff, 0x0a]));
    const lines = readLines(at);
    expect((await lines.next()).value).toEqual([1, 'a']);
    await expect(lines.next()).rejects.toThrow(new CommandRejected('line 2 is not valid UTF-8'));
  });
});
