import { PassThrough, Writable } from 'node:stream';
import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AdminCommand } from '../../src/admin/admin-command.decorator.js';
import { Interrupted, CommandRejected, UsageError } from '../../src/admin/admin.errors.js';
import { formatTable, type CommandResult } from '../../src/admin/command-result.js';
import { runCommandLine } from '../../src/admin/run-command-line.js';
import { readPassword } from '../../src/admin/standard-input.js';
import { CommandLine } from '../support/command-line.js';

describe('An output that ends early', () => {
  const read: number[] = [];

  class EndlessCommands {
    @AdminCommand({ name: 'endless list', description: 'Never ends by itself' })
    async list(): Promise<CommandResult> {
      return Promise.resolve({ text: this.pieces(), json: null });
    }

    private async *pieces(): AsyncGenerator<string> {
      for (let piece = 1; ; piece++) {
        read.push(piece);
        yield await Promise.resolve(`${piece}\n`);
      }
    }
  }

  @Module({ providers: [EndlessCommands] })
  class EndlessModule {}

  /** Runs the command on an output that takes so many pieces and then fails. */
  async function runOn(
    takes: number,
    code: string,
  ): Promise<{ status: number; stderr: string; open: boolean }> {
    read.length = 0;
    let left = takes;
    const stdout = new Writable({
      write: (_piece, _encoding, done) =>
        done(left-- > 0 ? null : Object.assign(new Error(`write ${code}`), { code })),
    }).on('error', () => undefined);
    const stderr = new PassThrough();
    let open = true;
    const close = (): Promise<void> => Promise.resolve(void (open = false));
    const app = await Test.createTestingModule({ imports: [EndlessModule] }).compile();
    const terminal = { stdin: new PassThrough(), stdout, stderr };
    const status = await runCommandLine(['endless', 'list'], terminal, {
      open: () => Promise.resolve({ app, close }),
      record: () => Promise.resolve(),
    });
    return { status, stderr: String(stderr.read() ?? ''), open };
  }

  test('is no failure if its reader left, and no more is produced', async () => {
    expect(await runOn(3, 'EPIPE')).toEqual({ status: 0, stderr: '', open: false });
    expect(read).toEqual([1, 2, 3, 4]);
  });

  test('is a failure where the disk is full', async () => {
    expect(await runOn(3, 'ENOSPC')).toEqual({
      status: 1,
      stderr: 'write ENOSPC\n',
      open: false,
    });
  });
});

describe('Passwords', () => {
  /** A terminal that remembers what it shows and whether it echoes. */
  function terminal(isTTY = true) {
    const shown: string[] = [];
    const modes: boolean[] = [];
    const stdin = Object.assign(new PassThrough(), {
      isTTY,
      setRawMode: (raw: boolean) => void modes.push(raw),
    });
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
      expect(typed).toMatchObject({
        password: 'secret',
        screen: 'Password: \nRepeat password: \n',
        modes: [true, false],
      });
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
      [
        'bytes that are not UTF-8',
        Buffer.from([0x61, 0xff, 0x0a]),
        'the password is not valid UTF-8',
      ],
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
});

describe('Usage', () => {
  const admin = new CommandLine(); // nothing here may get as far as a database

  describe('Wrong usage, 2', () => {
    test.each([
      ['', /^Usage: /],
      ['user', /^Usage: .* user \[options\]/],
      ['users', /^error: unknown command 'users'\n\(Did you mean user\?\)/],
      ['user remove', /^error: unknown command 'remove'/],
      ['user disable', /^error: missing required argument 'username'\n\nUsage: /],
      ['user disable a b', /^error: too many arguments.*\n\nUsage: /],
      ['restaurant add 1', /^error: required option '--name <name>' not specified/],
      ['restaurant add 1 --name', /^error: option '--name <name>' argument missing/],
      ['user list --all', /^error: unknown option '--all'/],
      ['restaurant add abc --name x', /^error: .*'abc' is invalid.* whole number/],
      ['restaurant add 1.5 --name x', /^error: .*'1.5' is invalid/],
      ['user grant a ', /^error: .*'' is invalid/],
      ['user add a', /^error: the password is read from standard input with --password-stdin/],
      ['user add a password --password-stdin', /^error: too many arguments/],
    ])('%j', async (line, text) => {
      const ran = await admin.run(line === '' ? [] : line.split(' '));
      expect(ran).toMatchObject({ status: 2, stdout: '' });
      expect(ran.stderr).toMatch(text);
      expect(ran.stderr).toContain('Usage: npm run --silent admin -- ');
    });
  });

  describe('Help, 0', () => {
    test.each([
      ['--help', 'restaurant user token migration'],
      ['user --help', 'add list disable enable unlock set-password grant ungrant'],
      ['user grant --help', '<username> [restaurantIds...] --all --json'],
    ])('%s', async (line, words) => {
      const ran = await admin.run(line.split(' '));
      expect(ran).toMatchObject({ status: 0, stderr: '' });
      for (const word of words.split(' ')) expect(ran.stdout).toContain(word);
    });
  });

  test('A table is aligned where characters take two columns or are put together', () => {
    const table = formatTable(
      ['NAME', 'N'],
      [
        ['海南', 1],
        ['Cafe\u0301', 20],
        ['plain', new Date(0)],
      ],
    );
    expect(table).toBe('NAME   N\n海南   1\nCafe\u0301   20\nplain  1970-01-01T00:00:00Z');
  });
});
