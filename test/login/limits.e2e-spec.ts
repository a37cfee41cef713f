import { CommandLine } from '../support/command-line.js';
import { expectLocked, failTimes, from, givenUser, RIGHT } from '../support/logins.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

describe('Failed logins of a username from an address', () => {
  const HOME = '192.0.2.1';
  const ELSEWHERE = '198.51.100.1';

  let service: TestApp;
  let other: TestApp;

  /** Moves all that was counted into the past. */
  async function letPass(seconds: number): Promise<void> {
    await service.database.query(
      'UPDATE login_counters SET ends_at = ends_at - make_interval(secs => $1)',
      [seconds],
    );
  }

  beforeAll(async () => {
    service = await createTestApp({ TRUST_PROXY: 'loopback' });
    other = await service.another();
  });
  afterAll(() => service.close());

  test('429 after five, for a right password too, on every instance, with the seconds to wait', async () => {
    const username = await givenUser(service);
    expect(await failTimes(3, service.client, username, HOME)).toEqual([401, 401, 401]);
    expect(await failTimes(2, other.client, username, HOME)).toEqual([401, 401]);
    expectLocked(await service.client.login(username, RIGHT, from(HOME)), 900);
    expectLocked(await other.client.login(username, RIGHT, from(HOME)), 900);
  });

  test('a lock outlives a restart', async () => {
    const username = await givenUser(service);
    await failTimes(5, service.client, username, HOME);
    const restarted = await service.another();
    expectLocked(await restarted.client.login(username, RIGHT, from(HOME)), 900);
  });

  test('another address and another user are not concerned', async () => {
    const [username, another] = [await givenUser(service), await givenUser(service)];
    await failTimes(5, service.client, username, HOME);
    expect((await other.client.login(username, RIGHT, from(ELSEWHERE))).status).toBe(200);
    expect((await other.client.login(another, RIGHT, from(HOME))).status).toBe(200);
    expectLocked(await other.client.login(username, RIGHT, from(HOME)), 900);
  });

  test('a username that nobody has locks in the same way', async () => {
    const name = 'nobody\0 at all';
    expect(await failTimes(6, service.client, name, HOME)).toEqual([401, 401, 401, 401, 401, 429]);
    expectLocked(await other.client.login(name, RIGHT, from(HOME)), 900);
    expect(await failTimes(1, service.client, name.slice(1), HOME)).toEqual([401]);
  });

  test('a success clears the counter', async () => {
    const username = await givenUser(service);
    await failTimes(4, service.client, username, HOME);
    expect((await other.client.login(username, RIGHT, from(HOME))).status).toBe(200);
    expect(await failTimes(6, service.client, username, HOME)).toEqual([
      401, 401, 401, 401, 401, 429,
    ]);
  });

  test('a request with a fault in its fields does not count', async () => {
    const username = await givenUser(service);
    for (let time = 0; time < 6; time++)
      expect((await service.client.login(username, '', from(HOME))).status).toBe(400);
    expect((await service.client.login(username, RIGHT, from(HOME))).status).toBe(200);
  });

  test('a right password of a disabled account neither counts nor clears', async () => {
    const username = await givenUser(service);
    await failTimes(4, service.client, username, HOME);
    const admin = new CommandLine(service.app);
    await admin.run(['user', 'disable', username]);
    for (let time = 0; time < 6; time++) {
      expect((await service.client.login(username, RIGHT, from(HOME))).status).toBe(403);
    }
    expect(await failTimes(2, service.client, username, HOME)).toEqual([401, 429]);
  });

  test('a locked attempt does not prolong the lock, and the lock ends by itself', async () => {
    const username = await givenUser(service);
    await failTimes(6, service.client, username, HOME); // the sixth begins the lock
    await letPass(600);
    expect(await failTimes(6, service.client, username, HOME)).toEqual([
      429, 429, 429, 429, 429, 429,
    ]);
    expectLocked(await service.client.login(username, RIGHT, from(HOME)), 300);
    await letPass(300);
    expect(await failTimes(1, service.client, username, HOME)).toEqual([401]);
    expect((await service.client.login(username, RIGHT, from(HOME))).status).toBe(200);
  });

  test('the window begins with the first failure', async () => {
    const username = await givenUser(service);
    await failTimes(4, service.client, username, HOME);
    await letPass(901); // another window begins
    const six = [401, 401, 401, 401, 401, 429];
    expect(await failTimes(6, service.client, username, HOME)).toEqual(six);
  });

  test('user unlock opens at once, on every instance', async () => {
    const username = await givenUser(service);
    await failTimes(5, service.client, username, HOME);
    await failTimes(5, service.client, username, ELSEWHERE);
    const ran = await new CommandLine(service.app).run(['user', 'unlock', username]);
    expect(ran).toEqual({ status: 0, stdout: `user "${username}" unlocked\n`, stderr: '' });
    expect((await other.client.login(username, RIGHT, from(HOME))).status).toBe(200);
    expect((await service.client.login(username, RIGHT, from(ELSEWHERE))).status).toBe(200);
  });

  test.each([
    ['addresses of one IPv6 /64 are one', '2001:db8:1:2::1', '2001:db8:1:2:ffff::9', 429],
    ['IPv6 networks are apart', '2001:db8:1:2::1', '2001:db8:1:3::1', 200],
    ['an IPv4 address in IPv6 clothes is the same', '203.0.113.7', '::ffff:203.0.113.7', 429],
    ['what is no address is one', 'invented', 'otherwise', 429],
  ])('%s', async (_row, address, another, status) => {
    const username = await givenUser(service);
    await failTimes(5, service.client, username, address);
    expect((await service.client.login(username, RIGHT, from(another))).status).toBe(status);
  });

  test('an address that no trusted proxy told is not believed', async () => {
    const plain = await service.another({ TRUST_PROXY: '' });
    const username = await givenUser(service);
    for (let time = 0; time < 5; time++)
      await failTimes(1, plain.client, username, `192.0.2.${time}`);
    expectLocked(await plain.client.login(username, RIGHT, from('192.0.2.77')), 900);
  });
});

describe('Wider limits', () => {
  const HOME = '192.0.2.1';
  const ELSEWHERE = '198.51.100.1';

  let service: TestApp;
  let other: TestApp;

  async function start(settings: Parameters<typeof createTestApp>[0]): Promise<void> {
    service = await createTestApp({ TRUST_PROXY: 'loopback', ...settings });
    other = await service.another();
  }

  describe('Failed logins of a username from all addresses', () => {
    beforeAll(() => start({ LOGIN_USERNAME_MAX_FAILURES: 6, LOGIN_LOCK_SECONDS: 60 }));
    afterAll(() => service.close());

    test('429 at an unknown address, on every instance; not where the user logged in before', async () => {
      const username = await givenUser(service);
      await service.client.login(username, RIGHT, from(HOME));
      for (let time = 0; time < 6; time++)
        await failTimes(1, service.client, username, `198.51.100.${time}`);
      expectLocked(await other.client.login(username, RIGHT, from('203.0.113.1')), 60);
      expect((await other.client.login(username, RIGHT, from(HOME))).status).toBe(200);
      expect(await failTimes(6, other.client, username, HOME)).toEqual([
        401, 401, 401, 401, 401, 429,
      ]);
    });

    test('an address is known for 30 days', async () => {
      const username = await givenUser(service);
      await service.client.login(username, RIGHT, from(HOME));
      for (let time = 0; time < 6; time++)
        await failTimes(1, service.client, username, `198.51.100.${time}`);
      const age = (hours: number): Promise<unknown> =>
        service.database.query(
          'UPDATE known_addresses SET last_login_at = now() - make_interval(hours => $1)',
          [hours],
        );
      await age(30 * 24 - 1);
      expect((await service.client.login(username, RIGHT, from(HOME))).status).toBe(200);
      await age(30 * 24);
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
        const args = [
          ...command,
          username,
          ...(command[1] === 'set-password' ? ['--password-stdin'] : []),
        ];
        expect(await new CommandLine(service.app).run(args, `${RIGHT}\n`)).toMatchObject({
          status: 0,
          stderr: '',
        });
      }
      for (let time = 0; time < 6; time++) {
        for (const name of [username, another])
          await failTimes(1, service.client, name, `198.51.100.${time}`);
      }
      expectLocked(await other.client.login(username, RIGHT, from(HOME)), 60);
      expect((await other.client.login(another, RIGHT, from(HOME))).status).toBe(200);
    });

    test('a login renews what is known of its address', async () => {
      const username = await givenUser(service);
      const seen = async (): Promise<unknown> =>
        (await service.database.query('SELECT max(last_login_at) AS at FROM known_addresses'))[0];
      await service.client.login(username, RIGHT, from(HOME));
      const first = await seen();
      await service.client.login(username, RIGHT, from(HOME));
      expect(await seen()).not.toEqual(first);
    });
  });

  describe('Failed logins from an address under all usernames', () => {
    beforeAll(() => start({ LOGIN_ADDRESS_MAX_FAILURES: 6, LOGIN_LOCK_SECONDS: 60 }));
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
        for (let time = 0; time < 6; time++)
          await failTimes(1, service.client, `other guess ${time}`, '192.0.2.2');
      };
      const admin = new CommandLine(service.app);
      await lock();
      await admin.run(['user', 'unlock', stranger]);
      expectLocked(await other.client.login(known, RIGHT, from('192.0.2.2')), 60);
      await admin.run(['user', 'unlock', known]);
      expect((await other.client.login(known, RIGHT, from('192.0.2.2'))).status).toBe(200);
    });
  });
});
