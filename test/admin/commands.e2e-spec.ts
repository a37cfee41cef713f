import { NestFactory } from '@nestjs/core';
import { adminCommands } from '../../src/admin/admin-command.decorator.js';
import { escapeControls, formatTable } from '../../src/admin/command-result.js';
import { AppModule } from '../../src/app.module.js';
import { AuditService } from '../../src/audit/audit.service.js';
import { Database } from '../../src/database/database.js';
import { UsersService } from '../../src/users/users.service.js';
import { CommandLine, type Ran } from '../support/command-line.js';
import { record } from '../support/records.js';
import { createTestApp, type TestApp, testConfig } from '../support/test-app.js';

let service: TestApp;
let admin: CommandLine;
beforeAll(async () => {
  service = await createTestApp({ LOGIN_MAX_FAILURES: 1000 });
  admin = new CommandLine(service.app);
});
afterAll(() => service.close());

describe('Commands', () => {
  beforeAll(async () => {
    await done('restaurant add 101 --name One');
    await done('restaurant add 102 --name Two');
  });

  /** What a command prints that must succeed. */
  async function done(line: string): Promise<string> {
    const ran = await admin.run(line.split(' '), 'right password\n');
    expect({ status: ran.status, stderr: ran.stderr }).toEqual({ status: 0, stderr: '' });
    return ran.stdout;
  }

  test('user add: the password is the first line, to the letter', async () => {
    const password = '  Zwölf Bäume ';
    const args = ['user', 'add', 'letter', '--password-stdin'];
    const ran = await admin.run(args, `${password}\r\nsecond line\n`);
    expect(ran).toEqual({ status: 0, stdout: 'user "letter" added\n', stderr: '' });
    expect((await service.client.login('letter', password)).status).toBe(200);
    expect((await service.client.login('letter', password.trim())).status).toBe(401);
  });

  test.each([
    ['letter', 'right password', /^there is a user "letter" already\n$/],
    ['new', `${'é'.repeat(36)}x`, /^the password is longer than 72 bytes/],
    ['new', '\n', /^the password is empty\n$/],
    ['new ', 'right password', /^a username has 1 to 200 characters/],
  ])('1: user add "%s" with the password %j', async (username, password, reason) => {
    const ran = await admin.run(['user', 'add', username, '--password-stdin'], password);
    expect(ran).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(reason) });
    expect(await done('user list --json')).not.toContain('"new');
  });

  test('user grant, user ungrant: uploads are taken for what is granted alone', async () => {
    await done('user add till --password-stdin');
    const token = await service.client.token('till', 'right password');
    const statuses = async (): Promise<number[]> => {
      const [one, two] = [record(), record({ restaurant_id: 102 })];
      const upload = service.client.upload.bind(service.client, token);
      return [(await upload([one])).status, (await upload([two])).status];
    };
    expect(await statuses()).toEqual([403, 403]);
    for (const [change, granted, expected] of [
      ['grant till 101', '101', [200, 403]],
      ['grant till 101 102', '101, 102', [200, 200]],
      ['ungrant till 101', '102', [403, 200]],
      ['grant till 102 --all', 'all restaurants', [200, 200]],
      ['ungrant till 101', 'all restaurants', [200, 200]],
      ['ungrant till --all', 'no restaurant', [403, 403]],
    ] as const) {
      expect(await done(`user ${change}`)).toBe(`user "till" may upload for ${granted}\n`);
      expect([change, await statuses()]).toEqual([change, expected]);
    }
  });

  test('user list shows status and grants', async () => {
    await done('user add listed --password-stdin');
    await done('user grant listed 101 102');
    await done('user disable listed');
    const row = /\nlisted +disabled +till +2 +\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n/;
    expect(await done('user list')).toMatch(row);
    expect(JSON.parse(await done('user list --json'))).toContainEqual({
      ...{ username: 'listed', kind: 'till', status: 'disabled', created_at: expect.any(String) },
      ...{ all_restaurants: false, restaurant_ids: [101, 102] },
      ...{ locked_until: null, locked_network: null, company_account: null },
    });
  });

  test('user list shows until when a user is locked, and where, if that is one address', async () => {
    await done('user add wronged --password-stdin');
    const status = async () => /\nwronged +(.*?) +till +0 /.exec(await done('user list'))![1];
    const lock = (suffix: string, endsAt: string, locked = true) =>
      service.database.query(
        `INSERT INTO login_counters (key, failures, locked, ends_at)
         SELECT 'user:' || id || $1, 9, $2, $3 FROM users WHERE username = 'wronged'`,
        [suffix, locked, endsAt],
      );
    await lock(' at 192.0.2.1', '2001-01-01T00:00Z');
    await lock(' at 192.0.2.2', '2101-01-01T00:00Z', false);
    expect(await status()).toBe('enabled');
    await lock(' at 192.0.2.3', '2101-01-01T09:30Z');
    expect(await status()).toBe('locked at 192.0.2.3 until 2101-01-01T09:30Z');
    await lock('', '2102-01-01T00:00Z');
    expect(await status()).toBe('locked until 2102-01-01T00:00Z');
    await done('user unlock wronged');
    expect(await status()).toBe('enabled');
  });

  const NO_USER = 'there is no user "nobody"';
  test.each([
    ['user grant till 101 999', 'there is no restaurant 999'],
    ['user ungrant till 99999999999', 'there is no restaurant 99999999999'],
    ['user grant nobody --all', NO_USER],
    ['user ungrant nobody --all', NO_USER],
    ['user disable nobody', NO_USER],
    ['user enable nobody', NO_USER],
    ['user unlock nobody', NO_USER],
    ['token revoke nobody', NO_USER],
  ])('1: %s: %s', async (line, reason) => {
    const ran = await admin.run(line.split(' '));
    expect(ran).toEqual({ status: 1, stdout: '', stderr: `${reason}\n` });
  });

  test.each([
    ['user grant till', 'name the restaurants, or give --all'],
    ['user ungrant till', 'name the restaurants, or give --all'],
    [
      'sales export --from 2025-10-01 --to 2025-10-01 --json',
      'the export is CSV: leave out --json',
    ],
  ])('2: %s: %s', async (line, reason) => {
    const [group, verb] = line.split(' ');
    const text = new RegExp(`^error: ${reason}\n\nUsage: .* ${group} ${verb} \\[`);
    const ran = await admin.run(line.split(' '));
    expect(ran).toEqual({ status: 2, stdout: '', stderr: expect.stringMatching(text) });
  });

  test('Every command is recorded, with its outcome and without a password', async () => {
    await admin.run(['user', 'add', 'kept', '--password-stdin'], 'a secret phrase');
    await admin.run(['user', 'grant', 'kept', '999']);
    const recorded = await service.database.query<any>(
      `SELECT actor, subject, outcome, details FROM audit_log WHERE subject = 'kept' ORDER BY id`,
    );
    const { run } = recorded[1]!.details;
    const added = { subject: 'kept', details: { argv: ['kept', '--password-stdin'], run } };
    const reason = 'there is no restaurant 999';
    expect(recorded).toMatchObject([
      { ...added, outcome: 'begun' },
      { ...added, outcome: 'success', actor: expect.stringMatching(/^administrator:./) },
      { subject: 'kept', outcome: 'begun' },
      { subject: 'kept', outcome: 'refused', details: { reason } },
    ]);
    expect(JSON.stringify(recorded)).not.toContain('secret');
  });
});

test('A command that changes something says every ten seconds that it lives', async () => {
  const tick = jest.spyOn(global, 'setInterval').mockReturnValue(undefined as never);
  adminCommands.push({
    ...{ name: 'slow test', description: '', ownTransactions: true },
    execute: () => {
      const [[tell, afterMs]] = tick.mock.calls as [[() => void, number]];
      expect(afterMs).toBe(10_000);
      tell();
      return Promise.resolve({ text: 'done', json: null });
    },
  });
  const { stdout, stderr } = await admin.run(['slow', 'test']);
  adminCommands.pop();
  tick.mockRestore();
  expect(stdout).toBe('done\n');
  expect(stderr).toBe('slow test: still working\n');
});

describe('A command that is marked readOnly', () => {
  const argumentsOf = ({ subject, arguments: others = [] }: (typeof adminCommands)[number]) =>
    subject ? [subject.argument, ...others] : others;

  test('does not write: each is run on connections that cannot', async () => {
    const url = `${service.database.url}?options=-c%20default_transaction_read_only%3Don`;
    const root = AppModule.forRoot(testConfig({ DATABASE_URL: url }));
    const app = await NestFactory.createApplicationContext(root, { logger: false });
    const statement = { name: 'write', text: 'DELETE FROM tokens' };
    const write = app.get(Database).run(statement, []);
    await expect(write).rejects.toThrow('cannot execute DELETE in a read-only transaction');
    jest.spyOn(app.get(AuditService, { strict: false }), 'record').mockResolvedValue();
    for (const command of adminCommands.filter((each) => each.readOnly)) {
      const valueOf = (name: string): string => (/^(date|day)$/.test(name) ? '2025-10-15' : '101');
      const values = argumentsOf(command).map((argument) => valueOf(argument.name()));
      const mandatory = (command.options ?? []).filter((option) => option.mandatory);
      const required = [
        ...values,
        ...mandatory.flatMap(({ long, flags }) => [long!, valueOf(/<(\w+)>/.exec(flags)![1]!)]),
      ];
      const { stderr } = await new CommandLine(app).run([...command.name.split(' '), ...required]);
      const remedy = 'take readOnly from the command, or the writing out of it';
      const fine = expect.not.stringContaining('read-only transaction');
      expect([command.name, { [remedy]: stderr }]).toEqual([command.name, { [remedy]: fine }]);
    }
    await app.close();
  });

  test('is recorded all the same', async () => {
    const admin = CommandLine.opening(testConfig({ DATABASE_URL: service.database.url }));
    expect(await admin.run(['restaurant', 'list'])).toMatchObject({ status: 0 });
    const recorded = `SELECT outcome FROM audit_log WHERE action = 'restaurant list'`;
    expect(await service.database.query(recorded)).toEqual([{ outcome: 'success' }]);
  });
});

describe('Passwords that may be set', () => {
  const USER = 'harbour-till-7';
  const SET = `user set-password ${USER}`;
  beforeAll(() => service.app.get(UsersService).add(USER, 'right password'));

  const tooShort = (minimum: number) => `the password has fewer than ${minimum} characters`;
  const set = (line: string, password: string, on = admin): Promise<Ran> =>
    on.run([...line.split(' '), '--password-stdin'], `${password}\n`);

  test.each([
    ['user add HARBOUR-till-7', '🍜'.repeat(11), tooShort(12)], // of two units each
    ['user add HARBOUR-till-7', 'Harbour-Till-7', 'the password is the username'],
    [SET, 'k7#mQ-vT2xP', tooShort(12)],
    [SET, 'Password1234', 'the password is one of the most common ones'],
  ])('1: %s with %j: %s', async (line, password, reason) => {
    expect(await set(line, password)).toEqual({ status: 1, stdout: '', stderr: `${reason}\n` });
    const login = await service.client.login(line.split(' ').at(-1)!, password);
    expect(login.status).toBe(401);
    expect((await service.client.login(USER, 'right password')).status).toBe(200);
  });

  test.each(['vlkqzmwpxtrb', '🍜'.repeat(12)])('0: any characters: %s', async (password) => {
    expect(await set(SET, password)).toMatchObject({ status: 0, stderr: '' });
    expect((await service.client.login(USER, password)).status).toBe(200);
  });

  test('PASSWORD_MIN_LENGTH sets the least number of characters of new passwords', async () => {
    const strict = new CommandLine((await service.another({ PASSWORD_MIN_LENGTH: 16 })).app);
    const stderr = `${tooShort(16)}\n`;
    expect(await set(SET, 'fifteen letters', strict)).toEqual({ status: 1, stdout: '', stderr });
    expect(await set(SET, 'sixteen  letters', strict)).toMatchObject({ status: 0 });
    await service.app.get(UsersService).add('old-timer', 'Pass');
    expect((await service.client.login('old-timer', 'Pass')).status).toBe(200);
  });
});

describe('What reaches the terminal holds no control characters', () => {
  /** What a terminal must never receive: controls, line separators, invisible format characters. */
  const DANGEROUS = /[^\P{Cc}\n]|[\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;

  /** Would clear the screen, rename the window and reverse what follows. */
  const hostile = 'a\u001b[2J\u001b]0;owned\u0007b\u009b31m\u202ec\u2028d\ne';

  beforeAll(async () => {
    const addUser = `INSERT INTO users (username, password_hash) VALUES ($1, 'x')`;
    await service.database.query(addUser, [hostile]);
    await service.database.query('INSERT INTO restaurants (id, name) VALUES (77, $1)', [hostile]);
    const event = { actor: 'administrator:root', action: 'x', outcome: 'success' } as const;
    const of = { subject: hostile, details: { argv: [hostile] } };
    await service.app.get(AuditService).record({ ...event, ...of });
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
