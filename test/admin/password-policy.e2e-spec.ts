import { UsersService } from '../../src/users/users.service.js';
import { CommandLine, type Ran } from '../support/command-line.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let admin: CommandLine;
beforeAll(async () => {
  service = await createTestApp({ LOGIN_MAX_FAILURES: 1000 });
  admin = new CommandLine(service.app);
  await service.app.get(UsersService).add('harbour-till-7', 'right password');
});
afterAll(() => service.close());

const COMMON = 'the password is one of the most common ones\n';
const tooShort = (minimum: number) => `the password has fewer than ${minimum} characters\n`;

describe.each(['user add', 'user set-password'])('%s', (command) => {
  const username = command === 'user add' ? 'new-Till-Of-Ours' : 'harbour-till-7';
  const set = (password: string): Promise<Ran> =>
    admin.run([...command.split(' '), username, '--password-stdin'], `${password}\n`);

  test.each([
    ['eleven characters', 'k7#mQ-vT2xP', tooShort(12)],
    ['eleven characters of two units each', '🍜'.repeat(11), tooShort(12)],
    ['one of the most common passwords', 'qwertyuiop12', COMMON],
    ['a common one in capitals', 'Password1234', COMMON],
    ['digits in a row', '1234567890123', COMMON],
    ['one character', 'aaaaaaaaaaaa', COMMON],
    ['the username', username, 'the password is the username\n'],
    ['the username in capitals', username.toUpperCase(), 'the password is the username\n'],
  ])('1: %s', async (_what, password, reason) => {
    expect(await set(password)).toEqual({ status: 1, stdout: '', stderr: reason });
    expect((await service.client.login(username, password)).status).toBe(401);
  });

  test('0: twelve characters of any kind; no rule of composition', async () => {
    for (const password of ['vlkqzmwpxtrb', '海南雞飯好吃又便宜得很啊', '🍜'.repeat(12)]) {
      const name = command === 'user add' ? `fresh-${password.length}-${password.codePointAt(0)}` : username;
      const ran = await admin.run([...command.split(' '), name, '--password-stdin'], `${password}\n`);
      expect(ran).toMatchObject({ status: 0, stderr: '' });
      expect((await service.client.login(name, password)).status).toBe(200);
    }
  });
});

test('PASSWORD_MIN_LENGTH sets the least number of characters', async () => {
  const strict = await service.another({ PASSWORD_MIN_LENGTH: 16 });
  const args = ['user', 'set-password', 'harbour-till-7', '--password-stdin'];
  const line = new CommandLine(strict.app);
  expect(await line.run(args, 'fifteen letters\n')).toMatchObject({ status: 1, stderr: tooShort(16) });
  expect(await line.run(args, 'sixteen  letters\n')).toMatchObject({ status: 0 });
});

test('A password that was set before stays valid', async () => {
  await service.app.get(UsersService).add('old-timer', 'Pass');
  expect((await service.client.login('old-timer', 'Pass')).status).toBe(200);
});
