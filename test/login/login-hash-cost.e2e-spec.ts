import { hash } from 'bcrypt';
import { PasswordHasher } from '../../src/users/password-hasher.js';
import { givenTill } from '../support/given.js';
import { givenUser, RIGHT, tally } from '../support/logins.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

describe('The cost of a stored password hash', () => {
  let service: TestApp;
  beforeAll(async () => (service = await createTestApp({ BCRYPT_COST: 6 })));
  afterAll(() => service.close());

  async function storeWithCost(username: string, cost: number): Promise<string> {
    const stored = await hash(RIGHT, cost);
    await service.database.query('UPDATE users SET password_hash = $2 WHERE username = $1', [username, stored]);
    return stored;
  }

  async function storedHash(username: string): Promise<string> {
    const rows = await service.database.query<{ password_hash: string }>(
      'SELECT password_hash FROM users WHERE username = $1',
      [username],
    );
    return rows[0]!.password_hash;
  }

  async function renewed(username: string, before: string): Promise<string> {
    for (let now = before; ; now = await storedHash(username)) if (now !== before) return now;
  }

  test('is raised by a right login, and the password and the tokens stay as they are', async () => {
    const { username, token } = await givenTill(service, { password: RIGHT });
    const stored = await storeWithCost(username, 4);
    expect((await service.client.login(username, RIGHT)).status).toBe(200);
    expect(await renewed(username, stored)).toMatch(/^\$2b\$06\$/);
    expect((await service.client.login(username, RIGHT)).status).toBe(200);
    expect((await service.client.login(username, 'wrong')).status).toBe(401);
    expect((await service.client.get('/api/v1/restaurants', { token })).status).toBe(200);
  });

  test('is raised under fifty logins at once, none of which is refused', async () => {
    const username = await givenUser(service);
    const stored = await storeWithCost(username, 4);
    const hashed = jest.spyOn(PasswordHasher.prototype, 'hash');
    const logins = Array.from({ length: 50 }, () => service.client.login(username, RIGHT));
    expect(tally(await Promise.all(logins))).toEqual({ 200: 50 });
    expect(await renewed(username, stored)).toMatch(/^\$2b\$06\$/);
    expect(hashed).toHaveBeenCalledTimes(1);
    hashed.mockRestore();
  });

  test.each([
    ['a wrong password', 4, 'wrong', 401],
    ['a hash of the same cost', 6, RIGHT, 200],
    ['a hash of a higher cost', 7, RIGHT, 200],
  ])('is left alone by %s', async (_row, cost, password, status) => {
    const username = await givenUser(service);
    const stored = await storeWithCost(username, cost);
    expect((await service.client.login(username, password)).status).toBe(status);
    await service.client.login(username, 'wrong'); // what the first one left to be hashed would be done before
    expect(await storedHash(username)).toBe(stored);
  });
});
