import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandLine, type Ran } from '../support/command-line.js';
import { record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let folder: string;
beforeAll(async () => {
  service = await createTestApp({ TRUST_PROXY: 'loopback' });
  for (const id of [101, 102]) await admin('restaurant', 'add', String(id), '--name', `R${id}`);
});
afterAll(() => service.close());
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'user-import-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const admin = (...args: string[]): Promise<Ran> =>
  new CommandLine(service.app).run(args, 'right password\n');

const made = (): string => join(folder, 'passwords.csv');

/** Imports the lines as a file. */
function importUsers(lines: string[], ...options: string[]): Promise<Ran> {
  const file = join(folder, 'users.csv');
  writeFileSync(file, lines.join('\n'));
  return admin('user', 'import', file, ...options);
}

const usernames = async (): Promise<string[]> =>
  JSON.parse((await admin('user', 'list', '--json')).stdout).map((user: any) => user.username);

const events = (username: string) =>
  service.database.query(
    `SELECT action, outcome, details->'restaurants' AS restaurants FROM audit_log WHERE subject = $1`,
    [username],
  );

test('users log in with the given password, or with the one in a file that only its owner reads', async () => {
  const lines = [
    'username;restaurants;password',
    'harbour;101 102;the harbour is blue',
    '"office; head";all;',
    'none;;',
  ];
  const ran = await importUsers(lines, '--passwords', made());
  expect(ran).toEqual({
    status: 0,
    stdout: `3 users added; new passwords of 2 are in ${made()}: hand them out and delete it\n`,
    stderr: '',
  });
  expect(statSync(made()).mode & 0o777).toBe(0o600);
  const [head, ...rows] = readFileSync(made(), 'utf8').trimEnd().split('\n');
  expect(head).toBe('username,password');
  expect(rows).toEqual([
    expect.stringMatching(/^office; head,([a-z2-9]{5}-){3}[a-z2-9]{5}$/),
    expect.stringMatching(/^none,([a-z2-9]{5}-){3}[a-z2-9]{5}$/),
  ]);
  const passwords = ['the harbour is blue', ...rows.map((row) => row.split(',')[1]!)];
  const statuses: number[][] = [];
  for (const [index, username] of ['harbour', 'office; head', 'none'].entries()) {
    const token = await service.client.token(username, passwords[index]!);
    const uploads = [101, 102].map((id) =>
      service.client.upload(token, [record({ restaurant_id: id, hour: index })]),
    );
    statuses.push((await Promise.all(uploads)).map(({ status }) => status));
  }
  expect(statuses).toEqual([
    [200, 200],
    [200, 200],
    [403, 403],
  ]);
  const event = { action: 'user import', outcome: 'success' };
  expect(await events('harbour')).toEqual([{ ...event, restaurants: [101, 102] }]);
  expect(await events('office; head')).toEqual([{ ...event, restaurants: 'all' }]);
  const { rows: logged } = { rows: await service.database.query('SELECT * FROM audit_log') };
  for (const password of passwords) expect(JSON.stringify(logged)).not.toContain(password);
});

test('--dry-run: the same checks and nothing is saved, nor a file made', async () => {
  const before = await usernames();
  const ran = await importUsers(['username,restaurants', 'dry,101'], '--dry-run', '--passwords', made(), '--json'); // prettier-ignore
  expect(ran.status).toBe(0);
  expect(JSON.parse(ran.stdout)).toEqual({
    dry_run: true,
    users: [{ username: 'dry', restaurants: [101], has_new_password: true }],
    passwords: made(),
  });
  expect(await usernames()).toEqual(before);
  expect(() => statSync(made())).toThrow('ENOENT');
  const [head, row] = ['username,restaurants', 'dry,101'];
  expect(await importUsers([head, row], '--dry-run')).toEqual({
    ...{ status: 0, stderr: '' },
    stdout: '1 user added\nnothing was saved, as this was a dry run\n',
  });
  const refused = await importUsers([head, 'dry,999'], '--dry-run');
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('line 2')]);
});

test.each([
  ['a name that is taken', 'taken,101,', 'line 2: there is a user "taken" already'],
  ['a name twice', 'twin,101,\ntwin,102,', 'line 3: there is a user "twin" already'],
  ['a name too long', `${'x'.repeat(201)},101,`, 'line 2: a username has 1 to 200'],
  ['no name', ',101,', 'line 2: a username has 1 to 200'],
  ['an unknown restaurant', 'new,101 999,', 'line 2: there is no restaurant 999'],
  ['a word', 'new,101 and 102,', 'line 2: restaurants "101 and 102": It must be a whole number.'],
  [
    'numbers beside all',
    'new,all 101,',
    'line 2: restaurants "all 101": It must be a whole number.',
  ],
  ['a short password', 'new,101,short', 'line 2: the password has fewer than 12'],
  ['a common one', 'new,101,password1234', 'line 2: the password is one of the most'],
  ['the username', 'long-username,101,LONG-username', 'line 2: the password is the user'],
  ['only some bad lines', 'good,101,\nbad,999,\nworse,,x', 'line 4: the password has'],
])('1: %s: nobody is added, and no file is made', async (_row, lines, telling) => {
  await admin('user', 'add', 'taken', '--password-stdin');
  const before = await usernames();
  const ran = await importUsers(['username,restaurants,password', lines], '--passwords', made());
  expect([ran.status, ran.stdout]).toEqual([1, '']);
  expect(ran.stderr).toContain(telling);
  expect(await usernames()).toEqual(before);
  expect(() => statSync(made())).toThrow('ENOENT');
});

test('exit 1: new passwords are never written over a file, nor left out', async () => {
  const before = await usernames();
  writeFileSync(made(), 'of last time');
  const taken = await importUsers(['username,restaurants', 'a,101'], '--passwords', made());
  expect([taken.status, taken.stderr]).toEqual([
    1,
    `${made()} exists already: name another file\n`,
  ]);
  expect(readFileSync(made(), 'utf8')).toBe('of last time');
  const missing = await importUsers(['username,restaurants', 'a,101', 'b,102']);
  const text = '2 users have no password: give --passwords FILE, into which new ones are written\n';
  expect([missing.status, missing.stderr]).toEqual([1, text]);
  const nowhere = await importUsers(
    ['username,restaurants', 'a,101'],
    '--passwords',
    '/no/folder/x',
  );
  expect([nowhere.status, nowhere.stderr]).toEqual([1, '/no/folder/x cannot be written: ENOENT\n']);
  expect(await usernames()).toEqual(before);
});

test('three hundred users at once, each with an event', async () => {
  const lines = Array.from({ length: 300 }, (_, index) => `chain-${index},101 102`);
  const ran = await importUsers(['username,restaurants', ...lines], '--passwords', made());
  expect(ran.status).toBe(0);
  expect(ran.stderr).toMatch(/^(user import: still working\n)*$/);
  const [counted] = await service.database.query(
    `SELECT count(*)::int FROM audit_log WHERE action = 'user import' AND subject LIKE 'chain-%'`,
  );
  expect(counted).toEqual({ count: 300 });
  const last = readFileSync(made(), 'utf8').trimEnd().split('\n').at(-1)!.split(',');
  expect((await service.client.login(last[0]!, last[1]!)).status).toBe(200);
});

describe('Several users at once', () => {
  test('user disable: all or none, with an event for each', async () => {
    for (const name of ['leaver 1', 'leaver 2'])
      await admin('user', 'add', name, '--password-stdin');
    const failed = await admin('user', 'disable', 'leaver 1', 'nobody');
    expect([failed.status, failed.stderr]).toEqual([1, 'there is no user "nobody"\n']);
    expect((await service.client.login('leaver 1', 'right password')).status).toBe(200);
    const ran = await admin('user', 'disable', 'leaver 1', 'leaver 2', '--json');
    expect(JSON.parse(ran.stdout)).toEqual([
      { username: 'leaver 1', status: 'disabled', revoked: 1 },
      { username: 'leaver 2', status: 'disabled', revoked: 0 },
    ]);
    const events = `SELECT subject FROM audit_log
      WHERE action = 'user disable' AND outcome = 'success' AND subject LIKE 'leaver%' ORDER BY 1`;
    const subjects = [{ subject: 'leaver 1' }, { subject: 'leaver 2' }];
    expect(await service.database.query(events)).toEqual(subjects);
    const enabled = await admin('user', 'enable', 'leaver 1', 'leaver 2');
    expect(enabled.stdout).toBe('user "leaver 1" enabled\nuser "leaver 2" enabled\n');
    await service.client.login('leaver 2', 'right password');
    const revoked = await admin('token', 'revoke', 'leaver 1', 'leaver 2', '--json');
    expect(JSON.parse(revoked.stdout)).toEqual([
      { username: 'leaver 1', revoked: 0 },
      { username: 'leaver 2', revoked: 1 },
    ]);
  });

  test('user set-password --generate: into a new file, where a name is never a formula', async () => {
    for (const name of ['=cmd()', 'mover']) await admin('user', 'add', name, '--password-stdin');
    const ran = await admin('user', 'set-password', '=cmd()', 'mover', 'mover', '--generate', '--passwords', made()); // prettier-ignore
    expect(ran).toMatchObject({ status: 0, stderr: '' });
    const [head, formula, row] = readFileSync(made(), 'utf8').trimEnd().split('\n');
    expect([head, formula]).toEqual(['username,password', expect.stringMatching(/^"'=cmd\(\)",/)]);
    expect((await service.client.login('mover', 'right password')).status).toBe(401);
    expect((await service.client.login('mover', row!.split(',')[1]!)).status).toBe(200);
  });

  test.each([
    [['mover', 'taken', '--password-stdin'], 2, 'several users, and --passwords, need --generate'],
    [['mover', '--generate'], 1, 'give --passwords FILE'],
    [['mover', 'nobody', '--generate', '--passwords', 'FILE'], 1, 'there is no user "nobody"'],
  ])('user set-password %j: exit %i, and nothing has changed', async (args, status, telling) => {
    await admin('user', 'add', 'mover', '--password-stdin');
    const given = args.map((each) => (each === 'FILE' ? made() : each));
    const ran = await admin('user', 'set-password', ...given);
    expect([ran.status, ran.stdout]).toEqual([status, '']);
    expect(ran.stderr).toContain(telling);
    expect(() => statSync(made())).toThrow('ENOENT');
  });
});

describe('user rename', () => {
  test('the user logs in by the new name alone; tokens, grants and figures stay', async () => {
    await admin('user', 'add', 'old', '--password-stdin');
    await admin('user', 'grant', 'old', '101');
    const token = await service.client.token('old', 'right password');
    const ran = await admin('user', 'rename', 'old', '--name', 'new');
    expect(ran).toEqual({ status: 0, stdout: 'user "old" is now called "new"\n', stderr: '' });
    expect((await service.client.login('old', 'right password')).status).toBe(401);
    expect((await service.client.login('new', 'right password')).status).toBe(200);
    expect((await service.client.upload(token, [record()])).status).toBe(200);
  });

  test.each([
    ['nobody', 'free', 'there is no user "nobody"\n'],
    ['new', 'taken', 'there is a user "taken" already\n'],
    ['new', 'new', 'there is a user "new" already\n'],
    ['new', ' x', expect.stringContaining('a username has 1 to 200 characters')],
  ])('1: %j cannot become %j', async (username, name, stderr) => {
    await admin('user', 'add', 'taken', '--password-stdin');
    const ran = await admin('user', 'rename', username, '--name', name);
    expect(ran).toEqual({ status: 1, stdout: '', stderr });
  });
});

test('a column says who is a person, who has to change the password; a till with all restaurants is marked', async () => {
  const lines = [
    'username,restaurants,password,kind',
    'paul,101,right password,person',
    'oven,all,right password,',
  ];
  expect(await importUsers(lines)).toMatchObject({ status: 0, stderr: '' });
  expect((await service.client.login('paul', 'right password')).body.restricted).toBe('password_must_change'); // prettier-ignore
  expect((await service.client.login('oven', 'right password')).body.restricted).toBeUndefined();
  expect((await admin('user', 'list')).stdout).toMatch(
    /\noven +enabled +till +all \(is it a person\?\)/,
  );
  const wrong = await importUsers(['username,restaurants,password,kind', 'x,101,right password,robot']); // prettier-ignore
  expect(wrong.stderr).toContain('line 2: kind "robot": It must be till or person.');
});

test('a column links people to company accounts, who need no password', async () => {
  const file = ['username,restaurants,password,kind,account', 'ada,101,,,Ada@company.example'];
  const off = await importUsers(file);
  expect(off).toMatchObject({ status: 1, stderr: expect.stringMatching(/line 2: .* takes no company/) }); // prettier-ignore
  Object.assign(service.config, { COMPANY_LOGIN_ISSUER: 'https://login.example' });
  const ran = await importUsers(file);
  expect(ran).toEqual({ status: 0, stdout: '1 user added\n', stderr: '' });
  const accounts = `SELECT kind, account, password_must_change FROM users JOIN company_accounts ON user_id = users.id`;
  expect(await service.database.query(accounts)).toEqual([
    { kind: 'person', account: 'ada@company.example', password_must_change: false },
  ]);
  expect((await admin('user', 'list')).stdout).toMatch(/^ada .* ada@company\.example$/m);
  const wrong = [
    'username,restaurants,kind,account',
    'bea,101,,ADA@company.example',
    'cy,101,,cy@company.example',
    'di,101,,Cy@company.example',
    'oven 2,101,till,oven@company.example',
  ];
  for (const options of [[], ['--dry-run']]) {
    const { status, stderr } = await importUsers(wrong, ...options);
    expect(status).toBe(1);
    expect(stderr).toMatch(/line 2: .* is linked to another user/);
    expect(stderr).toMatch(/line 4: .* is linked to another user/);
    expect(stderr).toMatch(/line 5: a till has no company account/);
  }
  Object.assign(service.config, { COMPANY_LOGIN_ISSUER: '' });
});

test('user anonymize: name, password, tokens and addresses are gone; the ledger keeps the number', async () => {
  await admin('user', 'add', 'Jane Doe', '--password-stdin');
  await admin('user', 'grant', 'Jane Doe', '101');
  const token = await service.client.token('Jane Doe', 'right password');
  await service.client.upload(token, [record({ date: '2025-11-01' })]);
  const [user] = await service.database.query<{ id: number }>(
    `SELECT id FROM users WHERE username = 'Jane Doe'`,
  );
  const { id } = user!;
  const name = `former-user-${id}`;
  const ran = await admin('user', 'anonymize', 'Jane Doe', '--json');
  expect(ran.stderr).toBe('');
  expect(JSON.parse(ran.stdout)).toEqual({ username: name, status: 'disabled', revoked: 1 });
  expect((await service.client.get('/api/v1/restaurants', { token })).status).toBe(401);
  for (const username of ['Jane Doe', name])
    expect((await service.client.login(username, 'right password')).status).toBe(401);
  await admin('user', 'enable', name);
  expect((await service.client.login(name, 'right password')).status).toBe(401);
  const count = async (from: string) =>
    (await service.database.query<{ count: number }>(`SELECT count(*)::int FROM ${from}`, [id]))[0]!
      .count;
  expect(await count('known_addresses WHERE user_id = $1')).toBe(0);
  expect(await count('uploads WHERE user_id = $1')).toBe(1);
  expect((await admin('user', 'anonymize', name)).status).toBe(0);
});
