import { Table } from '../../src/admin/command-result.js';
import { CommandLine } from '../support/command-line.js';

const admin = new CommandLine(); // nothing here may get as far as a database

describe('Wrong usage, 2', () => {
  test.each([
    ['no command', [], /^Usage: /],
    ['a group alone', ['user'], /^Usage: .* user \[options\]/],
    ['an unknown group', ['users'], /^error: unknown command 'users'\n\(Did you mean user\?\)/],
    ['an unknown verb', ['user', 'remove'], /^error: unknown command 'remove'/],
    ['an argument that is missing', ['user', 'disable'], /^error: missing required argument 'username'\n\nUsage: /],
    ['an argument too many', ['user', 'disable', 'a', 'b'], /^error: too many arguments.*\n\nUsage: /],
    ['an option that is missing', ['restaurant', 'add', '1'], /^error: required option '--name <name>' not specified/],
    [
      'an option without its value',
      ['restaurant', 'add', '1', '--name'],
      /^error: option '--name <name>' argument missing/,
    ],
    ['an unknown option', ['user', 'list', '--all'], /^error: unknown option '--all'/],
    ['a word for a number', ['restaurant', 'add', 'abc', '--name', 'x'], /^error: .*'abc' is invalid.* whole number/],
    ['a fraction for a number', ['restaurant', 'add', '1.5', '--name', 'x'], /^error: .*'1.5' is invalid/],
    ['an empty number', ['user', 'grant', 'a', ''], /^error: .*'' is invalid/],
    ['bytes that are not UTF-8', ['user', 'disable', 'caf\uFFFD'], /^error: an argument is not valid UTF-8/],
    ['no password', ['user', 'add', 'a'], /^error: the password is read from standard input with --password-stdin/],
    ['a password as an argument', ['user', 'add', 'a', 'password', '--password-stdin'], /^error: too many arguments/],
  ])('%s', async (_row, args, text) => {
    const ran = await admin.run(args);
    expect(ran).toMatchObject({ status: 2, stdout: '' });
    expect(ran.stderr).toMatch(text);
    expect(ran.stderr).toContain('Usage: npm run --silent admin -- ');
  });
});

describe('Help, 0', () => {
  test.each([
    ['--help', [], ['restaurant', 'user', 'token', 'migration']],
    ['user --help', ['user'], ['add', 'list', 'disable', 'enable', 'unlock', 'set-password', 'grant', 'ungrant']],
    ['user grant --help', ['user', 'grant'], ['<username>', '[restaurantIds...]', '--all', '--json']],
  ])('%s', async (_row, command, words) => {
    const ran = await admin.run([...command, '--help']);
    expect(ran).toMatchObject({ status: 0, stderr: '' });
    for (const word of words) expect(ran.stdout).toContain(word);
  });
});

test('A table is aligned where characters take two columns or are put together', () => {
  const table = new Table(
    ['NAME', 'N'],
    [
      ['海南', 1],
      ['Cafe\u0301', 20],
      ['plain', new Date(0)],
    ],
  );
  expect(table.toString()).toBe('NAME   N\n海南   1\nCafe\u0301   20\nplain  1970-01-01T00:00:00Z');
});
