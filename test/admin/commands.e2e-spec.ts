import { CommandLine } from '../support/command-line.js';
import { record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let admin: CommandLine;

beforeAll(async () => {
  service = await createTestApp();
  admin = new CommandLine(service.app);
  await done('restaurant', 'add', '101', '--name', 'One');
  await done('restaurant', 'add', '102', '--name', 'Two');
});
afterAll(() => service.close());

/** The line of a command that must succeed. */
async function done(...args: string[]): Promise<string> {
  const ran = await admin.run(args, 'right password\n');
  expect({ status: ran.status, stderr: ran.stderr }).toEqual({ status: 0, stderr: '' });
  return ran.stdout;
}

async function json(...args: string[]): Promise<any> {
  return JSON.parse(await done(...args, '--json'));
}

async function uploadStatus(token: string, restaurant = 101): Promise<number> {
  return (await service.client.upload(token, [record({ restaurant_id: restaurant })])).status;
}

describe('restaurant add, restaurant list', () => {
  test('a new restaurant is in the list', async () => {
    expect(await done('restaurant', 'add', '7', '--name', 'Café 海南')).toBe('restaurant 7 (Café 海南) added\n');
    expect(await done('restaurant', 'list')).toMatch(/^ID +NAME +STATUS\n7 +Café 海南 +open\n101 +One +open\n/);
    const [first] = await json('restaurant', 'list');
    expect(first).toMatchObject({ restaurant_id: 7, name: 'Café 海南', status: 'open' });
  });

  test.each([
    ['a number that is taken', ['101', '--name', 'x'], 'there is a restaurant 101 already\n'],
    ['the number 0', ['0', '--name', 'x'], 'a restaurant id is a whole number from 1 to 2147483647\n'],
    ['a number beyond 2147483647', ['2147483648', '--name', 'x'], /^a restaurant id is a whole number/],
    ['no name', ['8', '--name', ''], /^a restaurant name has 1 to 200 characters/],
  ])('rejected, 1: %s', async (_row, args, reason) => {
    const ran = await admin.run(['restaurant', 'add', ...args]);
    expect(ran).toMatchObject({ status: 1, stdout: '' });
    expect(ran.stderr).toMatch(reason);
  });
});

describe('user add', () => {
  test('the user logs in with the password of the first line, to the letter', async () => {
    const password = '  Zwölf Bäume ';
    const ran = await admin.run(['user', 'add', 'letter', '--password-stdin'], `${password}\r\nsecond line\n`);
    expect(ran).toEqual({ status: 0, stdout: 'user "letter" added\n', stderr: '' });
    expect((await service.client.login('letter', password)).status).toBe(200);
    expect((await service.client.login('letter', password.trim())).status).toBe(401);
  });

  test.each([
    ['a name that is taken', 'taken', 'right password', 'there is a user "taken" already\n'],
    ['a password of 73 bytes', 'new', 'é'.repeat(36) + 'x', /^the password is longer than 72 bytes/],
    ['no password', 'new', '\n', 'the password is empty\n'],
    ['a name with a space at its end', 'new ', 'right password', /^a username has 1 to 200 characters/],
  ])('rejected, 1: %s', async (_row, username, password, reason) => {
    await admin.run(['user', 'add', 'taken', '--password-stdin'], 'right password');
    const ran = await admin.run(['user', 'add', username, '--password-stdin'], password);
    expect(ran).toMatchObject({ status: 1, stdout: '' });
    expect(ran.stderr).toMatch(reason);
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
    expect(await done('user', 'grant', 'till', '101')).toBe('user "till" may upload for restaurant 101\n');
    expect([await uploadStatus(token), await uploadStatus(token, 102)]).toEqual([200, 403]);
    expect(await done('user', 'grant', 'till', '101', '102')).toBe('user "till" may upload for restaurants 101, 102\n');
    expect(await uploadStatus(token, 102)).toBe(200);
    expect(await done('user', 'ungrant', 'till', '101')).toBe('user "till" may upload for restaurant 102\n');
    expect([await uploadStatus(token), await uploadStatus(token, 102)]).toEqual([403, 200]);
  });

  test('--all is for every restaurant, and taken away it leaves none', async () => {
    await done('user', 'add', 'office', '--password-stdin');
    const token = await service.client.token('office', 'right password');
    expect(await done('user', 'grant', 'office', '102', '--all')).toBe(
      'user "office" may upload for all restaurants\n',
    );
    expect([await uploadStatus(token), await uploadStatus(token, 102)]).toEqual([200, 200]);
    expect(await done('user', 'ungrant', 'office', '101')).toBe('user "office" may upload for all restaurants\n');
    expect(await done('user', 'ungrant', 'office', '--all')).toBe('user "office" may upload for no restaurant\n');
    expect([await uploadStatus(token), await uploadStatus(token, 102)]).toEqual([403, 403]);
  });

  test('the list shows status and grants', async () => {
    await done('user', 'add', 'listed', '--password-stdin');
    await done('user', 'grant', 'listed', '101', '102');
    await done('user', 'disable', 'listed');
    expect(await done('user', 'list')).toMatch(/\nlisted +disabled +2 +\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n/);
    const listed = { username: 'listed', status: 'disabled', all_restaurants: false, restaurant_ids: [101, 102] };
    expect(await json('user', 'list')).toContainEqual({ ...listed, created_at: expect.any(String) });
  });

  test.each([
    ['an unknown restaurant', ['till', '101', '999'], 'there is no restaurant 999\n'],
    ['a number that is none', ['till', '99999999999'], 'there is no restaurant 99999999999\n'],
    ['an unknown user', ['nobody', '--all'], 'there is no user "nobody"\n'],
  ])('rejected, 1: %s', async (_row, args, reason) => {
    expect(await admin.run(['user', 'grant', ...args])).toEqual({ status: 1, stdout: '', stderr: reason });
    expect(await admin.run(['user', 'ungrant', ...args])).toEqual({ status: 1, stdout: '', stderr: reason });
  });

  test.each(['grant', 'ungrant'])('wrong usage, 2: %s with neither restaurants nor --all', async (verb) => {
    const ran = await admin.run(['user', verb, 'till']);
    expect(ran).toMatchObject({ status: 2, stdout: '' });
    expect(ran.stderr).toMatch(/^error: name the restaurants, or give --all\n\nUsage: .* user (un)?grant \[options\]/);
  });
});

describe('user disable, user enable, user set-password, token revoke', () => {
  test('a disabled user is out at once, and in again when enabled, with a new token', async () => {
    await done('user', 'add', 'waiter', '--password-stdin');
    await done('user', 'grant', 'waiter', '101');
    const token = await service.client.token('waiter', 'right password');
    expect(await done('user', 'disable', 'waiter')).toMatch(/^user "waiter" disabled/);
    expect(await uploadStatus(token)).toBe(401);
    expect((await service.client.login('waiter', 'right password')).status).toBe(403);
    expect(await done('user', 'enable', 'waiter')).toBe('user "waiter" enabled\n');
    expect(await uploadStatus(token)).toBe(401);
    expect((await service.client.login('waiter', 'right password')).status).toBe(200);
  });

  test('a new password shuts out the old one and its tokens', async () => {
    await done('user', 'add', 'changed', '--password-stdin');
    await done('user', 'grant', 'changed', '101');
    const token = await service.client.token('changed', 'right password');
    const ran = await admin.run(['user', 'set-password', 'changed', '--password-stdin'], 'another password');
    expect(ran).toMatchObject({ status: 0, stdout: expect.stringMatching(/^password of user "changed" set/) });
    expect(await uploadStatus(token)).toBe(401);
    expect((await service.client.login('changed', 'right password')).status).toBe(401);
    expect((await service.client.login('changed', 'another password')).status).toBe(200);
  });

  test('token revoke takes all tokens back and leaves the login', async () => {
    await done('user', 'add', 'lost', '--password-stdin');
    await done('user', 'grant', 'lost', '101');
    const tokens = [];
    for (let count = 0; count < 2; count++) tokens.push(await service.client.token('lost', 'right password'));
    expect(await done('token', 'revoke', 'lost')).toBe('2 tokens of user "lost" revoked\n');
    expect(await Promise.all(tokens.map((token) => uploadStatus(token)))).toEqual([401, 401]);
    expect(await json('token', 'revoke', 'lost')).toEqual({ username: 'lost', revoked: 0 });
    expect((await service.client.login('lost', 'right password')).status).toBe(200);
  });

  test('unlock lets a locked user try again', async () => {
    await done('user', 'add', 'locked', '--password-stdin');
    for (let count = 0; count < 5; count++) await service.client.login('locked', 'wrong');
    expect((await service.client.login('locked', 'right password')).status).toBe(429);
    await done('user', 'unlock', 'locked');
    expect((await service.client.login('locked', 'right password')).status).toBe(200);
  });

  test.each([
    ['user', 'disable'],
    ['user', 'enable'],
    ['user', 'unlock'],
    ['token', 'revoke'],
  ])('rejected, 1: %s %s of an unknown user', async (...command) => {
    const ran = await admin.run([...command, 'nobody']);
    expect(ran).toEqual({ status: 1, stdout: '', stderr: 'there is no user "nobody"\n' });
  });
});

describe('Every command', () => {
  test('is recorded, with its outcome and without a password', async () => {
    admin.recorded.length = 0;
    await admin.run(['user', 'add', 'kept', '--password-stdin'], 'a secret phrase');
    await admin.run(['user', 'grant', 'kept', '999']);
    const [begun, added, , rejected] = admin.recorded;
    expect(begun).toMatchObject({ subject: 'kept', outcome: 'begun', id: added?.id });
    expect(added).toMatchObject({ subject: 'kept', outcome: 'success', argv: ['kept', '--password-stdin'] });
    expect(added?.actor).toMatch(/^administrator:./);
    expect(rejected).toMatchObject({ subject: 'kept', outcome: 'refused', reason: 'there is no restaurant 999' });
    expect(JSON.stringify(admin.recorded)).not.toContain('secret');
  });
});
