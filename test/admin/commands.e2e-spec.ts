import { NestFactory } from '@nestjs/core';
import { adminCommands } from '../../src/admin/admin-command.decorator.js';
import { escapeControls, formatTable } from '../../src/admin/command-result.js';
import { AppModule } from '../../src/app.module.js';
import { AuditService } from '../../src/audit/audit.service.js';
import { Database } from '../../src/database/database.js';
import { UsersService } from '../../src/users/users.service.js';
import { CommandLine, type Ran } from '../support/command-line.js';
import { record } from '../support/records.js';
import { createTestApp, testConfig, type TestApp } from '../support/test-app.js';

let service: TestApp;
let admin: CommandLine;
beforeAll(async () => {
  service = await createTestApp({ LOGIN_MAX_FAILURES: 1000 });
  admin = new CommandLine(service.app);
});
afterAll(() => service.close());

describe('Commands', () => {
  beforeAll(async () => {
    await done('restaurant', 'add', '101', '--name', 'One');
    await done('restaurant', 'add', '102', '--name', 'Two');
  });

  /** The line of a command that must succeed. */
  async function done(...args: string[]): Promise<string> {
    const ran = await admin.run(args, 'right password\n');
    expect({ status: ran.status, stderr: ran.stderr }).toEqual({ status: 0, stderr: '' });
    return ran.stdout;
  }

  /** Takes the whole line of the reason, or a pattern of it. */
  async function expectRejected(
    args: string[],
    reason: string | RegExp,
    input = '',
  ): Promise<void> {
    const stderr = typeof reason === 'string' ? reason : expect.stringMatching(reason);
    expect(await admin.run(args, input)).toEqual({ status: 1, stdout: '', stderr });
  }

  async function json(...args: string[]): Promise<any> {
    return JSON.parse(await done(...args, '--json'));
  }

  async function uploadStatus(token: string, restaurant = 101): Promise<number> {
    return (await service.client.upload(token, [record({ restaurant_id: restaurant })])).status;
  }

  describe('user add', () => {
    test('the user logs in with the password of the first line, to the letter', async () => {
      const password = '  Zwölf Bäume ';
      const ran = await admin.run(
        ['user', 'add', 'letter', '--password-stdin'],
        `${password}\r\nsecond line\n`,
      );
      expect(ran).toEqual({ status: 0, stdout: 'user "letter" added\n', stderr: '' });
      expect((await service.client.login('letter', password)).status).toBe(200);
      expect((await service.client.login('letter', password.trim())).status).toBe(401);
    });

    test.each([
      ['taken', 'right password', 'there is a user "taken" already\n'],
      ['new', `${'é'.repeat(36)}x`, /^the password is longer than 72 bytes/],
      ['new', '\n', 'the password is empty\n'],
      ['new ', 'right password', /^a username has 1 to 200 characters/],
    ])('rejected, 1: the name "%s" with the password %j', async (username, password, reason) => {
      await admin.run(['user', 'add', 'taken', '--password-stdin'], 'right password');
      await expectRejected(['user', 'add', username, '--password-stdin'], reason, password);
      expect(JSON.stringify(await json('user', 'list'))).not.toContain('"new');
    });

    test('a password of 72 bytes is taken', async () => {
      await admin.run(['user', 'add', 'longest', '--password-stdin'], 'é'.repeat(36));
      expect((await service.client.login('longest', 'é'.repeat(36))).status).toBe(200);
    });
  });

  describe('user grant, user ungrant, user list', () => {
    test('an upload is taken for what is granted, and only for that', async () => {
      await done('user', 'add', 'till', '--password-stdin');
      const token = await service.client.token('till', 'right password');
      expect(await uploadStatus(token)).toBe(403);
      expect(await done('user', 'grant', 'till', '101')).toBe(
        'user "till" may upload for restaurant 101\n',
      );
      expect([await uploadStatus(token), await uploadStatus(token, 102)]).toEqual([200, 403]);
      expect(await done('user', 'grant', 'till', '101', '102')).toBe(
        'user "till" may upload for restaurants 101, 102\n',
      );
      expect(await uploadStatus(token, 102)).toBe(200);
      expect(await done('user', 'ungrant', 'till', '101')).toBe(
        'user "till" may upload for restaurant 102\n',
      );
      expect([await uploadStatus(token), await uploadStatus(token, 102)]).toEqual([403, 200]);
    });

    test('--all is for every restaurant, and taken away it leaves none', async () => {
      await done('user', 'add', 'office', '--password-stdin');
      const token = await service.client.token('office', 'right password');
      expect(await done('user', 'grant', 'office', '102', '--all')).toBe(
        'user "office" may upload for all restaurants\n',
      );
      expect([await uploadStatus(token), await uploadStatus(token, 102)]).toEqual([200, 200]);
      expect(await done('user', 'ungrant', 'office', '101')).toBe(
        'user "office" may upload for all restaurants\n',
      );
      expect(await done('user', 'ungrant', 'office', '--all')).toBe(
        'user "office" may upload for no restaurant\n',
      );
      expect([await uploadStatus(token), await uploadStatus(token, 102)]).toEqual([403, 403]);
    });

    test('the list shows status and grants', async () => {
      await done('user', 'add', 'listed', '--password-stdin');
      await done('user', 'grant', 'listed', '101', '102');
      await done('user', 'disable', 'listed');
      expect(await done('user', 'list')).toMatch(
        /\nlisted +disabled +2 +\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n/,
      );
      const listed = {
        username: 'listed',
        status: 'disabled',
        all_restaurants: false,
        restaurant_ids: [101, 102],
      };
      expect(await json('user', 'list')).toContainEqual({
        ...listed,
        created_at: expect.any(String),
      });
    });

    test.each([
      ['till 101 999', 'there is no restaurant 999\n'],
      ['till 99999999999', 'there is no restaurant 99999999999\n'],
      ['nobody --all', 'there is no user "nobody"\n'],
    ])('rejected, 1: %s', async (args, reason) => {
      for (const verb of ['grant', 'ungrant'])
        await expectRejected(['user', verb, ...args.split(' ')], reason);
    });

    test.each(['grant', 'ungrant'])(
      'wrong usage, 2: %s with neither restaurants nor --all',
      async (verb) => {
        const ran = await admin.run(['user', verb, 'till']);
        expect(ran).toMatchObject({ status: 2, stdout: '' });
        expect(ran.stderr).toMatch(
          /^error: name the restaurants, or give --all\n\nUsage: .* user (un)?grant \[options\]/,
        );
      },
    );
  });

  test.each(['user disable', 'user enable', 'user unlock', 'token revoke'])(
    'rejected, 1: %s of an unknown user',
    (command) => expectRejected([...command.split(' '), 'nobody'], 'there is no user "nobody"\n'),
  );

  describe('Every command', () => {
    test('is recorded, with its outcome and without a password', async () => {
      admin.recorded.length = 0;
      await admin.run(['user', 'add', 'kept', '--password-stdin'], 'a secret phrase');
      await admin.run(['user', 'grant', 'kept', '999']);
      const [begun, added, , rejected] = admin.recorded;
      expect(begun).toMatchObject({
        subject: 'kept',
        outcome: 'begun',
        details: { run: added?.details.run },
      });
      expect(added).toMatchObject({
        subject: 'kept',
        outcome: 'success',
        details: { argv: ['kept', '--password-stdin'] },
      });
      expect(added?.actor).toMatch(/^administrator:./);
      expect(rejected).toMatchObject({
        subject: 'kept',
        outcome: 'refused',
        details: { reason: 'there is no restaurant 999' },
      });
      expect(JSON.stringify(admin.recorded)).not.toContain('secret');
    });
  });
});

describe('A command that is marked readOnly', () => {
  /** Values for the arguments of any command. */
  const ANY_VALUES: Record<string, string> = { date: '2025-10-15', day: '2025-10-15' };

  test('does not write: each is run on connections that cannot', async () => {
    const url = `${service.database.url}?options=-c%20default_transaction_read_only%3Don`;
    const root = AppModule.forRoot(testConfig({ DATABASE_URL: url }));
    const app = await NestFactory.createApplicationContext(root, { logger: false });
    const statement = { name: 'write', text: 'DELETE FROM tokens' };
    const write = app.get(Database).run(statement, []);
    await expect(write).rejects.toThrow('cannot execute DELETE in a read-only transaction');
    for (const command of adminCommands.filter((each) => each.readOnly)) {
      const valueOf = (name: string): string => ANY_VALUES[name] ?? '101';
      const values = (command.arguments ?? []).map((argument) => valueOf(argument.name()));
      const mandatory = (command.options ?? []).filter((option) => option.mandatory);
      const required = [
        ...values,
        ...mandatory.flatMap(({ long, flags }) => [long!, valueOf(/<(\w+)>/.exec(flags)![1]!)]),
      ];
      const { stderr } = await new CommandLine(app).run([...command.name.split(' '), ...required]);
      const remedy = 'take readOnly from the command, or the writing out of it';
      expect({ command: command.name, [remedy]: stderr }).toEqual({
        command: command.name,
        [remedy]: expect.not.stringContaining('read-only transaction'),
      });
    }
    await app.close();
  });

  test('is recorded all the same', async () => {
    const admin = CommandLine.opening(testConfig({ DATABASE_URL: service.database.url }));
    expect(await admin.run(['restaurant', 'list'])).toMatchObject({ status: 0 });
    const rows = await service.database.query(
      `SELECT outcome FROM audit_log WHERE action = 'restaurant list'`,
    );
    expect(rows).toEqual([{ outcome: 'success' }]);
  });
});

describe('Passwords that may be set', () => {
  beforeAll(() => service.app.get(UsersService).add('harbour-till-7', 'right password'));

  const COMMON = 'the password is one of the most common ones\n';
  const tooShort = (minimum: number) => `the password has fewer than ${minimum} characters\n`;

  const setters: readonly [command: string, username: string][] = [
    ['user add', 'new-Till-Of-Ours'],
    ['user set-password', 'harbour-till-7'],
  ];
  const set = (command: string, username: string, password: string): Promise<Ran> =>
    admin.run([...command.split(' '), username, '--password-stdin'], `${password}\n`);

  test.each<[string, string | ((username: string) => string), string]>([
    ['eleven characters', 'k7#mQ-vT2xP', tooShort(12)],
    ['eleven characters of two units each', '🍜'.repeat(11), tooShort(12)],
    ['one of the most common passwords', 'qwertyuiop12', COMMON],
    ['a common one in capitals', 'Password1234', COMMON],
    ['digits in a row', '1234567890123', COMMON],
    ['one character', 'aaaaaaaaaaaa', COMMON],
    ['the username', (username) => username, 'the password is the username\n'],
    [
      'the username in capitals',
      (username) => username.toUpperCase(),
      'the password is the username\n',
    ],
  ])('1: %s', async (_what, given, reason) => {
    for (const [command, username] of setters) {
      const password = typeof given === 'string' ? given : given(username);
      const ran = await set(command, username, password);
      expect(ran).toEqual({ status: 1, stdout: '', stderr: reason });
      expect((await service.client.login(username, password)).status).toBe(401);
    }
  });

  test.each(['vlkqzmwpxtrb', '海南雞飯好吃又便宜得很啊', '🍜'.repeat(12)])(
    '0: twelve characters of any kind; no rule of composition: %s',
    async (password) => {
      const fresh = `fresh-${password.codePointAt(0)}`;
      for (const [command, username] of [['user add', fresh], setters[1]!] as const) {
        expect(await set(command, username, password)).toMatchObject({ status: 0, stderr: '' });
        expect((await service.client.login(username, password)).status).toBe(200);
      }
    },
  );

  test('PASSWORD_MIN_LENGTH sets the least number of characters', async () => {
    const strict = await service.another({ PASSWORD_MIN_LENGTH: 16 });
    const args = ['user', 'set-password', 'harbour-till-7', '--password-stdin'];
    const line = new CommandLine(strict.app);
    expect(await line.run(args, 'fifteen letters\n')).toMatchObject({
      status: 1,
      stderr: tooShort(16),
    });
    expect(await line.run(args, 'sixteen  letters\n')).toMatchObject({ status: 0 });
  });

  test('A password that was set before stays valid', async () => {
    await service.app.get(UsersService).add('old-timer', 'Pass');
    expect((await service.client.login('old-timer', 'Pass')).status).toBe(200);
  });
});

describe('Hostile texts', () => {
  const ESC = '\u001b[2J\u001b]0;owned\u0007';
  const RIGHT_TO_LEFT = '\u202e';
  /** What a terminal must never receive, 8-bit CSI, line separators and invisible format characters included. */
  const DANGEROUS = /[^\P{Cc}\n]|[\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;

  describe('What reaches the terminal holds no control characters', () => {
    const hostile = `a${ESC}b\u009b31m${RIGHT_TO_LEFT}c\u2028d\ne`;

    beforeAll(async () => {
      await service.database.query(`INSERT INTO users (username, password_hash) VALUES ($1, 'x')`, [
        hostile,
      ]);
      await service.database.query('INSERT INTO restaurants (id, name) VALUES (77, $1)', [hostile]);
      const actor = 'administrator:root';
      const event = {
        actor,
        action: 'x',
        subject: hostile,
        outcome: 'success',
        details: { argv: [hostile] },
      } as const;
      await service.app.get(AuditService).record(event);
    });

    test.each([[], ['--json']])('names and audit details in a list %j', async (...options) => {
      for (const list of ['user', 'restaurant', 'audit']) {
        const { status, stdout } = await admin.run([list, 'list', ...options]);
        expect([status, DANGEROUS.exec(stdout)]).toEqual([0, null]);
        expect(stdout).toContain('a\\u001b[2J\\u001b]0;owned\\u0007b\\u009b31m\\u202ec\\u2028d');
        expect(stdout).not.toMatch(/^e/m); // no line of its own
        if (options.length > 0)
          expect(JSON.stringify(JSON.parse(stdout))).toContain(JSON.stringify(hostile));
      }
    });

    test.each([
      [1, ['user', 'disable', `no ${hostile}`]],
      [2, ['user', hostile]],
      [2, ['restaurant', 'add', hostile, '--name', 'x']],
    ])('errors, exit %i', async (exitStatus, args) => {
      const { status, stdout, stderr } = await admin.run(args);
      expect([status, stdout, DANGEROUS.exec(stderr)]).toEqual([exitStatus, '', null]);
      if (exitStatus === 1) expect(stderr).toMatch(/^there is no user "no a\\u001b.*\\u000ae"\n$/);
    });

    test('but every script and emoji', () => {
      const names = ['Café 海南', 'می‌خواهم', '👩‍🍳', 'O\u2019Neill', 'back\\slash', 'two\nlines'];
      for (const name of names) expect(escapeControls(name)).toBe(name);
      expect(formatTable(['NAME'], [['two\nlines']])).toBe('NAME\ntwo\\u000alines');
    });
  });
});
