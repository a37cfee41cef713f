import { PassThrough } from 'node:stream';
import { formatTable } from '../../src/admin/command-result.js';
import { readPassword, type Terminal } from '../../src/admin/standard-input.js';
import { CommandLine } from '../support/command-line.js';

describe('A password', () => {
  /** The password that was read, or why none was. */
  const readFrom = (isStdin: boolean, terminal: Terminal): Promise<string> =>
    readPassword(isStdin, terminal).catch(
      (error: unknown) => `${(error as Error).constructor.name}: ${(error as Error).message}`,
    );
  const PIECES = [...Buffer.from('é')].map((byte) => Buffer.from([byte]));
  const rejected = (reason: string): string => `CommandRejected: the ${reason}`;
  const ONCE = 'Password: \n';
  const TWICE = 'Password: \nRepeat password: \n';

  test.each<[how: string, keys: (string | Buffer)[], result: string, screen: string]>([
    ['is typed twice', ['s', 'ecret', '\r', 'secret', '\r'], 'secret', TWICE],
    ['may be pasted, both lines at once', ['secret\rsecret\r'], 'secret', TWICE],
    ['may be corrected, and have bytes apart', ['x\u007F', ...PIECES, '\r', 'é\r'], 'é', TWICE],
    ['is rejected', ['secret\r', 'secrte\r'], rejected('two passwords differ'), TWICE],
    ['is given up with Ctrl-C', ['\u0003'], 'Interrupted: ', ONCE],
    ['is given up with Ctrl-D', ['\u0004'], 'Interrupted: ', ONCE],
  ])('on a terminal %s; nothing of it is shown', async (_how, keys, result, expectedScreen) => {
    const modes: boolean[] = [];
    const setRawMode = (raw: boolean) => void modes.push(raw);
    const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode });
    const screen = new PassThrough();
    const reading = readFrom(false, { stdin, stdout: screen, stderr: screen });
    for (const key of keys) {
      await new Promise(setImmediate);
      stdin.write(key);
    }
    expect(await reading).toBe(result);
    expect([String(screen.read()), modes]).toEqual([expectedScreen, [true, false]]); // echoes again
  });

  /** `null` is the end of the input; without it the writer keeps the pipe open. */
  test.each<[how: string, pieces: (string | Buffer | null)[], result: string]>([
    ['ends at the line feed', ['secret\nrest'], 'secret'],
    ['ends at carriage return and line feed', ['secret\r\n'], 'secret'],
    ['ends with the input', ['secret', null], 'secret'],
    ['comes in pieces', ['se', 'cr', 'et\n'], 'secret'],
    ['keeps a carriage return of its own', ['secret\r\r\n'], 'secret\r'],
    ['keeps spaces', [' a b \n'], ' a b '],
    ['may be empty, for the service to reject', ['\n'], ''],
    ['is UTF-8', [Buffer.from('a\xff\n', 'latin1')], rejected('password is not valid UTF-8')],
  ])('on standard input %s', async (_how, pieces, result) => {
    const stdin = new PassThrough();
    for (const piece of pieces)
      if (piece === null) stdin.end();
      else stdin.write(piece);
    const output = new PassThrough();
    expect(await readFrom(true, { stdin, stdout: output, stderr: output })).toBe(result);
  });
});

describe('Usage', () => {
  const admin = new CommandLine(); // nothing here may get as far as a database
  const NO_DAY = /^error: .* is invalid. It must be a date that exists, as YYYY-MM-DD/;

  test.each([
    ['', /^Usage: /],
    ['user', /^Usage: .* user \[options\]/],
    ['users', /^error: unknown command 'users'\n\(Did you mean user\?\)/],
    ['user disable', /^error: missing required argument 'usernames'\n\nUsage: /],
    ['user list --all', /^error: unknown option '--all'/],
    ['user grant a ', /^error: .*'' is invalid for .* It must be a whole number/],
    ['user add a', /^error: the password is read from standard input with --password-stdin/],
    ['user add a password --password-stdin', /^error: too many arguments/],
    ['restaurant add 1', /^error: required option '--name <name>' not specified/],
    ['restaurant add abc --name x', /^error: .*'abc' is invalid for .* It must be a whole number/],
    ['restaurant close 1', /^error: required option '--from <date>' not specified/],
    ['restaurant close 1 --from 2025-02-29', NO_DAY],
    ['restaurant reopen 1 --from 15.10.2025', NO_DAY],
    ['sales missing --date 2025-02-29', NO_DAY],
    ['sales export --from 2025-02-29 --to 2025-10-01', NO_DAY],
    ['sales export --from 2025-10-01 --to 2025-02-29', NO_DAY],
    ['sales export --to 2025-10-01', /^error: required option '--from <date>' not specified/],
    ['sales export --from 2025-10-01', /^error: required option '--to <date>' not specified/],
    ['sales import', /^error: missing required argument 'files'/],
    ['sales import a.csv --machine 4012345', /^error: .*'4012345' is invalid. It must be NAME=ID/],
    ['sales import a.csv --machine 1=x', /^error: .*'1=x' is invalid. It must be a whole number/],
    ['audit list --since 2025-02-30', /^error: .* is invalid. It must be a date or a time/],
    ['audit list --since 2025-02-28T25:00', /^error: .* is invalid. It must be a date or a time/],
    ['audit list --limit 0', /^error: .*'0' is invalid. It must be at least 1/],
  ])('2: wrong: %j', async (line, text) => {
    const ran = await admin.run(line === '' ? [] : line.split(' '));
    expect(ran).toMatchObject({ status: 2, stdout: '' });
    expect(ran.stderr).toMatch(text);
    expect(ran.stderr).toContain('Usage: sales-admin ');
  });

  test.each([
    ['--help', 'restaurant user token migration'],
    ['--version', '1.'],
    ['user --help', 'add list disable enable unlock set-password grant ungrant'],
    ['user grant --help', '<username> [restaurantIds...] --all --json'],
  ])('0: %s', async (line, words) => {
    const ran = await admin.run(line.split(' '));
    expect(ran).toMatchObject({ status: 0, stderr: '' });
    for (const word of words.split(' ')) expect(ran.stdout).toContain(word);
  });

  test('A table is aligned where characters take two columns or are put together', () => {
    const rows = [['海南', 1], ['Cafe\u0301', 20], ['plain', new Date(0)]]; // prettier-ignore
    const table = 'NAME   N\n海南   1\nCafe\u0301   20\nplain  1970-01-01T00:00:00Z';
    expect(formatTable(['NAME', 'N'], rows)).toBe(table);
  });

  test('A table of ten times as many rows takes about ten times as long, not a hundred', () => {
    const secondsOf = (count: number): number => {
      const begin = process.cpuUsage();
      formatTable(['ID', 'NAME', 'DATE'], Array(count).fill([101, 'Restaurant', '2025-10-15']));
      return process.cpuUsage(begin).user / 1e6;
    };
    secondsOf(2000);
    expect(secondsOf(20_000)).toBeLessThan(40 * Math.max(secondsOf(2000), 0.01));
  });
});
