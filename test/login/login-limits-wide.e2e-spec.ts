import { CommandLine } from '../support/command-line.js';
import { expectLocked, failTimes, from, givenUser, RIGHT } from '../support/logins.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const HOME = '192.0.2.1';
const ELSEWHERE = '198.51.100.1';

let service: TestApp;
let other: TestApp;

async function start(settings: Parameters<typeof createTestApp>[0]): Promise<void> {
  service = await createTestApp({ TRUST_PROXY: 'loopback', ...settings });
  other = await service.another();
}

describe('Failed logins of a username from all addresses', () => {
  beforeAll(() => start({ LOGIN_USERNAME_MAX_FAILURES: 6, LOGIN_USERNAME_LOCK_SECONDS: 60 }));
  afterAll(() => service.close());

  test('429 at an unknown address, on every instance; not where the user logged in before', async () => {
    const username = await givenUser(service);
    await service.client.login(username, RIGHT, from(HOME));
    for (let time = 0; time < 6; time++) await failTimes(1, service.client, username, `198.51.100.${time}`);
    expectLocked(await other.client.login(username, RIGHT, from('203.0.113.1')), 60);
    expect((await other.client.login(username, RIGHT, from(HOME))).status).toBe(200);
    expect(await failTimes(6, other.client, username, HOME)).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test('an address is known for 30 days', async () => {
    const username = await givenUser(service);
    await service.client.login(username, RIGHT, from(HOME));
    for (let time = 0; time < 6; time++) await failTimes(1, service.client, username, `198.51.100.${time}`);
    const age = (days: number): Promise<unknown> =>
      service.database.query('UPDATE known_addresses SET last_login_at = now() - make_interval(days => $1)', [days]);
    await age(30);
    expect((await service.client.login(username, RIGHT, from(HOME))).status).toBe(200);
    await age(31);
    expectLocked(await service.client.login(username, RIGHT, from(HOME)), 60);
  });

  test.each([
    ['token revoke', [['token', 'revoke']]],
    ['user set-password', [['user', 'set-password']]],
    ['user disable', [['user', 'disable'], ['user', 'enable']]], // prettier-ignore
  ])('%s forgets the addresses of the user, and of no other', async (_row, commands) => {
    const [username, another] = [await givenUser(service), await givenUser(service)];
    for (const name of [username, another]) await service.client.login(name, RIGHT, from(HOME));
    for (const command of commands) {
      const args = [...command, username, ...(command[1] === 'set-password' ? ['--password-stdin'] : [])];
      expect(await new CommandLine(service.app).run(args, `${RIGHT}\n`)).toMatchObject({ status: 0, stderr: '' });
    }
    for (let time = 0; time < 6; time++) {
      for (const name of [username, another]) await failTimes(1, service.client, name, `198.51.100.${time}`);
    }
    expectLocked(await other.client.login(username, RIGHT, from(HOME)), 60);
    expect((await other.client.login(another, RIGHT, from(HOME))).status).toBe(200);
  });

  test('a login renews what is known of its address, and writes it once a day', async () => {
    const username = await givenUser(service);
    const seen = async (): Promise<unknown> =>
      (
        await service.database.query('SELECT last_login_at FROM known_addresses ORDER BY last_login_at DESC LIMIT 1')
      )[0];
    await service.client.login(username, RIGHT, from(HOME));
    const first = await seen();
    await service.client.login(username, RIGHT, from(HOME));
    expect(await seen()).toEqual(first);
    await service.database.query(`UPDATE known_addresses SET last_login_at = last_login_at - interval '25 hours'`);
    await service.client.login(username, RIGHT, from(HOME));
    expect(await seen()).not.toEqual(first);
  });
});

describe('Failed logins from an address under all usernames', () => {
  beforeAll(() => start({ LOGIN_ADDRESS_MAX_FAILURES: 6, LOGIN_ADDRESS_LOCK_SECONDS: 60 }));
  afterAll(() => service.close());

  test('429 for everybody there, on every instance; elsewhere nobody is concerned', async () => {
    const username = await givenUser(service);
    await service.client.login(username, RIGHT, from(HOME));
    for (let time = 0; time < 6; time++)
      expect(await failTimes(1, service.client, `guess ${time}`, HOME)).toEqual([401]);
    expectLocked(await other.client.login(username, RIGHT, from(HOME)), 60);
    expect((await other.client.login(username, RIGHT, from(ELSEWHERE))).status).toBe(200);
  });

  test('user unlock opens the address for all, where the user is known there', async () => {
    const [known, stranger] = [await givenUser(service), await givenUser(service)];
    await service.client.login(known, RIGHT, from('192.0.2.2'));
    const lock = async (): Promise<void> => {
      for (let time = 0; time < 6; time++) await failTimes(1, service.client, `other guess ${time}`, '192.0.2.2');
    };
    const admin = new CommandLine(service.app);
    await lock();
    await admin.run(['user', 'unlock', stranger]);
    expectLocked(await other.client.login(known, RIGHT, from('192.0.2.2')), 60);
    await admin.run(['user', 'unlock', known]);
    expect((await other.client.login(known, RIGHT, from('192.0.2.2'))).status).toBe(200);
  });
});
