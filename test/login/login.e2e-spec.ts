import { hash } from 'bcrypt';
import { UsersService } from '../../src/users/users.service.js';
import { expectError } from '../support/expect-error.js';
import { from, givenUser, RIGHT } from '../support/logins.js';
import { undisturbedMs } from '../support/time-limits.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const ONE_TEXT = /^{"error":"the username or the password is wrong"}$/;

describe('POST /api/v1/auth/login', () => {
  let service: TestApp;
  beforeAll(async () => (service = await createTestApp({ TRUST_PROXY: 'loopback' })));
  afterAll(() => service.close());

  describe('401, and one text', () => {
    test.each([
      ['unknown user', 'nobody', RIGHT],
      ['wrong password', 'till', 'wrong'],
      ['wrong password of a disabled user', 'disabled', 'wrong'],
      ['the username in other letters', 'TILL', RIGHT],
      ['a username with a space behind it', 'till ', RIGHT],
      ['a username with a NUL', 'till\0', RIGHT],
      ['half a character as a username', '\ud800', RIGHT],
      ['the sign that half a character becomes', '\ufffd', RIGHT],
      ['a username of 16,000 characters', 'x'.repeat(16_000), RIGHT],
      ['a password of 16,000 characters', 'till', 'x'.repeat(16_000)],
      ['the right password and more, beyond the 72 bytes that bcrypt reads', 'long', `${'ü'.repeat(36)}more`],
      ['the right password, a NUL and more', 'till', `${RIGHT}\0more`],
      ['half a character for the sign that it becomes', 'odd', 'odd \ud800'],
    ])('%s', async (_row, username, password) => {
      expectError(await service.client.login(username, password, from('192.0.2.99')), 401, ONE_TEXT);
    });

    beforeAll(async () => {
      const users = service.app.get(UsersService);
      await users.add('till', RIGHT);
      await users.add('disabled', RIGHT);
      await users.setDisabled('disabled', true);
      await users.add('long', 'ü'.repeat(36));
      await users.add('odd', 'odd \ufffd');
      expect((await service.client.login('long', 'ü'.repeat(36))).status).toBe(200);
      expect((await service.client.login('odd', 'odd \ufffd')).status).toBe(200);
    });

    test('the challenge names the scheme and no more', async () => {
      const answer = await service.client.login('nobody', 'wrong');
      expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
      expect(answer.headers.get('X-Error-Code')).toBe('wrong_credentials');
    });
  });

  test('403: a disabled account, told to who knows the password', async () => {
    const username = await givenUser(service);
    await service.app.get(UsersService).setDisabled(username, true);
    const answer = await service.client.login(username, RIGHT);
    expectError(answer, 403, /account is disabled/);
    expect(answer.headers.get('X-Error-Code')).toBe('account_disabled');
  });

  test.each([
    ['73 bytes', 'ü'.repeat(36) + 'x', false],
    ['72 bytes', 'ü'.repeat(36), true],
    ['a NUL', 'a\0b', false],
    ['nothing', '', false],
  ])('setting a password of %s', async (_row, password, isFit) => {
    const username = await givenUser(service);
    const set = service.app.get(UsersService).setPassword(username, password);
    if (isFit) await set;
    else await expect(set).rejects.toMatchObject({ code: 'unfit_password' });
    expect((await service.client.login(username, isFit ? password : RIGHT)).status).toBe(200);
  });
});

describe('Time tells a stranger nothing', () => {
  const COST = 8;
  let service: TestApp;
  let other: TestApp;
  beforeAll(async () => {
    const many = { LOGIN_MAX_FAILURES: 1e6, LOGIN_USERNAME_MAX_FAILURES: 1e6, LOGIN_ADDRESS_MAX_FAILURES: 1e6 };
    service = await createTestApp({ BCRYPT_COST: COST, ...many });
    other = await createTestApp({ BCRYPT_COST: COST, ...many });
  });
  afterAll(() => Promise.all([service.close(), other.close()]));

  async function givenHash(username: string, cost: number): Promise<void> {
    await service.app.get(UsersService).add(username, RIGHT);
    const values = [username, await hash(RIGHT, cost)];
    await service.database.query('UPDATE users SET password_hash = $2 WHERE username = $1', values);
  }

  /** The least time of a wrong password, in milliseconds, of each; measured in turns, and longer while others disturb. */
  async function leastOf(
    logins: readonly [TestApp, username: string][],
    isExpected: (times: number[]) => boolean,
  ): Promise<number[]> {
    const least = logins.map(() => Infinity);
    for (let round = 0; round < 9 || (round < 100 && !isExpected(least)); round++) {
      for (const [index, [{ client }, username]] of logins.entries()) {
        const login = async () => expect((await client.login(username, 'wrong')).status).toBe(401);
        least[index] = Math.min(least[index]!, await undisturbedMs(login));
      }
    }
    return least;
  }

  /** The costs are a factor of 4 and 16 apart. */
  const areSame = (times: number[]): boolean => Math.max(...times) < 2 * Math.min(...times);

  test('an unknown user, a disabled one, and hashes of a lower or a higher cost than the settings: one time', async () => {
    await givenHash('same cost', COST);
    await givenHash('disabled', COST);
    await service.app.get(UsersService).setDisabled('disabled', true);
    await givenHash('lower cost', 4);
    const usernames = ['nobody', 'same cost', 'disabled', 'lower cost'];
    const times = await leastOf(
      usernames.map((username) => [service, username]),
      areSame,
    );
    expect([times, areSame(times)]).toEqual([times, true]);
    await givenHash('higher cost', COST + 2);
    const areLonger = ([before, ...after]: number[]): boolean => areSame(after) && after[0]! > 2 * before!;
    const longer = await leastOf(
      [
        [other, 'nobody'],
        [service, 'nobody'],
        [service, 'higher cost'],
      ],
      areLonger,
    );
    expect([longer, areLonger(longer)]).toEqual([longer, true]);
  });
});
