import { UsersService } from '../../src/users/users.service.js';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { TEST_SECRET } from '../support/test-service.js';
import { decode, sign } from '../tokens/forge.js';

describe('POST /api/v1/auth/login', () => {
  const LOGIN = '/api/v1/auth/login';
  const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
  const WRONG = /^{"error":"the username or the password is wrong"}$/;

  let service: TestApp;
  let right: { grant_type: string; username: string; password: string };
  beforeAll(async () => {
    service = await createTestApp({
      LOGIN_MAX_FAILURES: 1_000_000,
      LOGIN_USERNAME_MAX_FAILURES: 1_000_000,
      LOGIN_ADDRESS_MAX_FAILURES: 1_000_000,
    });
    const { username, password } = await givenTill(service);
    right = { grant_type: 'password', username, password };
  });
  afterAll(() => service.close());

  const login = (body: unknown, query = '') => service.client.post(`${LOGIN}${query}`, body);

  describe('200', () => {
    test('has exactly the three fields, as JSON that nobody caches', async () => {
      const answer = await login(right);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        access_token: expect.any(String),
        token_type: 'Bearer',
        expires_in: 7200,
      });
      expect(answer.headers.get('Cache-Control')).toBe('no-store');
      for (const name of ['Set-Cookie', 'ETag', 'X-Error-Code'])
        expect(answer.headers.get(name)).toBeNull();
    });

    test('has a token that is a JWT, signed with HS256 and valid for 7200 seconds', async () => {
      const before = Math.floor(Date.now() / 1000);
      const token: string = (await login(right)).body.access_token;
      const { header, payload } = decode(token);
      expect(header).toEqual({ alg: 'HS256', typ: 'JWT' });
      expect(payload).toEqual({
        sub: expect.stringMatching(/^[1-9]\d*$/),
        jti: expect.stringMatching(UUID),
        iat: expect.any(Number),
        exp: Number(payload.iat) + 7200,
      });
      expect(payload.iat).toBeGreaterThanOrEqual(before);
      expect(payload.iat).toBeLessThanOrEqual(Date.now() / 1000);
      expect(sign(header, payload, { secret: TEST_SECRET })).toBe(token);
    });

    test('ignores unknown fields and a query beside the body', async () => {
      const query = '?username=nobody&password=x&grant_type=y';
      const more = { ...right, scope: 'all', client_id: 1, 'username[]': 'x', user: {} };
      expect((await login(more, query)).status).toBe(200);
      const odd = '{"__proto__":{"username":"x"},"a":"\\ud800","b":"\\u0000",';
      expect((await login(JSON.stringify(right).replace('{', odd))).status).toBe(200);
    });

    test.each([
      ['Café Zürich №1', 'пароль 密码 🔑', ['Cafe\u0301 Zürich №1', 'café Zürich №1']],
      ['o\'brien"; --', ' leading and trailing ', ["o'brien", ' o\'brien"; --', 'o\'brien"; --\0']],
      ['a'.repeat(200), 'b'.repeat(72), ['a'.repeat(199), '%']],
    ])('takes the name %s with the password %j, and no other spelling', async (...given) => {
      const [username, password, otherNames] = given;
      await service.app.get(UsersService).add(username, password);
      expect((await service.client.login(username, password)).status).toBe(200);
      for (const other of [`${password} `, `${password}\0`, password.toUpperCase()])
        expectError(await service.client.login(username, other), 401, WRONG);
      for (const other of otherNames)
        expectError(await service.client.login(other, password), 401, WRONG);
    });
  });

  describe('401: wrong username or password', () => {
    test('is one answer for both', async () => {
      const wrong = await login({ ...right, password: 'wrong' });
      const nobody = await login({ ...right, username: 'nobody' });
      expectError(wrong, 401, WRONG);
      expect(wrong.headers.get('WWW-Authenticate')).toBe('Bearer');
      expect(wrong.headers.get('X-Error-Code')).toBe('wrong_credentials');
      expect(nobody.text).toBe(wrong.text);
      const fixed = ({ headers }: typeof wrong) =>
        [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
      expect(fixed(nobody)).toEqual(fixed(wrong));
    });

    test.each<[string, { username?: string; password?: string }]>([
      ['lone surrogates', { username: '\ud800', password: '\udfff' }],
      ['a password of 16 KB', { password: 'x'.repeat(16_000) }],
      ['names of the prototype', { username: '__proto__', password: 'constructor' }],
      ['control characters', { username: '\r\n\t\u001b[0m\u2028', password: '\r\n' }],
    ])('%s', async (_name, changes) => {
      expectError(await login({ ...right, ...changes }), 401, WRONG);
    });
  });

  test('says 403 that an account is disabled only to a client that knows the password', async () => {
    const { username, password } = await givenTill(service);
    const users = service.app.get(UsersService);
    await users.setDisabled(await users.get(username), true);
    const disabled = await service.client.login(username, password);
    expectError(disabled, 403, /account is disabled/);
    expect(disabled.headers.get('X-Error-Code')).toBe('account_disabled');
    expectError(await service.client.login(username, 'wrong'), 401, WRONG);
    expectError(await login({ username, password }), 400);
  });

  describe('400: a field is missing or wrong', () => {
    const ANY = ['', null, 0, true, ['password'], { length: 3 }];
    test.each<[field: string, fault: string, values: unknown[]]>([
      ['grant_type', 'must be "password"', [...ANY, 'Password', ' password', 'password\0']],
      ['username', 'must be a non-empty string', ANY],
      ['password', 'must be a non-empty string', ANY],
    ])('%s', async (field, fault, values) => {
      const rest = { ...right, [field]: undefined };
      for (const [sent, text] of [
        [{ [field.toUpperCase()]: 'password' }, 'is missing'],
        ...values.map((value) => [{ [field]: value }, fault] as const),
      ] as const) {
        const answer = await login({ ...rest, ...sent });
        expectError(answer, 400);
        expect([sent, answer.body.error]).toEqual([sent, `${field} ${text}`]);
      }
    });

    test('all faults are named at once, and credentials outside of the body do not count', async () => {
      const query = `?${new URLSearchParams(right).toString()}`;
      const pair = Buffer.from(`${right.username}:${right.password}`).toString('base64');
      const headers = { Authorization: `Basic ${pair}` };
      const answer = await service.client.post(`${LOGIN}${query}`, {}, { headers });
      expectError(answer, 400);
      const error = 'grant_type is missing; username is missing; password is missing';
      expect(answer.body).toEqual({ error });
    });
  });
});
