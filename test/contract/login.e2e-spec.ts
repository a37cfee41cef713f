import { createHmac } from 'node:crypto';
import { UsersService } from '../../src/users/users.service.js';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { TEST_SECRET } from '../support/test-service.js';

describe('POST /api/v1/auth/login', () => {
  const LOGIN = '/api/v1/auth/login';
  const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

  const decoded = (part: string | undefined): Record<string, unknown> =>
    JSON.parse(Buffer.from(part ?? '', 'base64url').toString()) as Record<string, unknown>;

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
    test('exactly the three fields, as JSON that nobody keeps', async () => {
      const answer = await login(right);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        access_token: expect.any(String),
        token_type: 'Bearer',
        expires_in: 7200,
      });
      expect(answer.headers.get('Content-Type')).toMatch(/^application\/json/);
      expect(answer.headers.get('Cache-Control')).toContain('no-store');
      expect(answer.headers.get('X-Request-Id')).toMatch(UUID);
      for (const name of ['X-Powered-By', 'Set-Cookie', 'ETag', 'X-Error-Code'])
        expect(answer.headers.get(name)).toBeNull();
    });

    test('the token is a JWT, signed with HS256, valid for 7200 seconds from now', async () => {
      const before = Math.floor(Date.now() / 1000);
      const [header, payload, signature, ...rest] = (await login(right)).body.access_token.split(
        '.',
      );
      expect(rest).toEqual([]);
      expect(decoded(header)).toMatchObject({ alg: 'HS256', typ: 'JWT' });
      const claims = decoded(payload);
      expect(claims).toEqual({
        sub: expect.stringMatching(/^[1-9]\d*$/),
        jti: expect.stringMatching(UUID),
        iat: expect.any(Number),
        exp: Number(claims['iat']) + 7200,
      });
      expect(claims['iat']).toBeGreaterThanOrEqual(before);
      expect(claims['iat']).toBeLessThanOrEqual(Date.now() / 1000);
      expect(
        createHmac('sha256', TEST_SECRET).update(`${header}.${payload}`).digest('base64url'),
      ).toBe(signature);
    });

    test('logins within one second give different tokens, and all of them are valid', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => login(right)));
      const tokens = answers.map(({ body }) => body.access_token as string);
      expect(new Set(tokens).size).toBe(20);
      const statuses = await Promise.all(
        tokens.map(async (token) => (await service.client.upload(token, [])).status),
      );
      expect(new Set(statuses)).toEqual(new Set([400]));
    });

    test('unknown fields are ignored', async () => {
      const more = {
        ...right,
        scope: 'all',
        client_id: 1,
        refresh_token: null,
        __proto__x: {},
        'username[]': 'x',
        user: {},
      };
      expect((await login(more)).status).toBe(200);
      const text = JSON.stringify(right).replace(
        '{',
        '{"__proto__":{"username":"x"},"a":"\\ud800","b":"\\u0000",',
      );
      expect((await login(text)).status).toBe(200);
    });

    test('names and passwords of any script', async () => {
      for (const [username, password] of [
        ['Café Zürich №1', 'пароль 密码 🔑'],
        ['レストラン', '\u{1F354}'.repeat(18)],
        [' x y'.trim(), ' leading and trailing '],
        ['o\'brien"; --', '\\" \' ; --'],
        ['a'.repeat(200), 'b'.repeat(72)],
        ['%', '_'],
      ] as const) {
        await service.app.get(UsersService).add(username, password);
        expect([username, (await service.client.login(username, password)).status]).toEqual([
          username,
          200,
        ]);
        expectError(await service.client.login(username, `${password} `), 401);
      }
    });

    test("a name or password is nobody else's in another spelling", async () => {
      await service.app.get(UsersService).add('Ångström', 'Pass');
      for (const [username, password] of [
        ['ångström', 'Pass'],
        ['A\u030angstro\u0308m', 'Pass'],
        [' Ångström', 'Pass'],
        ['Ångström ', 'Pass'],
        ['Ångström', 'pass'],
        ['Ångström', 'Pass\0'],
        ['Ångström\0', 'Pass'],
        ['%', 'Pass'],
      ] as const) {
        expectError(await service.client.login(username, password), 401);
      }
    });
  });

  describe('401: wrong username or password', () => {
    test('one answer for both', async () => {
      const wrong = await login({ ...right, password: 'wrong' });
      const nobody = await login({ ...right, username: 'nobody' });
      expectError(wrong, 401, /^{"error":"the username or the password is wrong"}$/);
      expect(wrong.headers.get('WWW-Authenticate')).toBe('Bearer');
      expect(wrong.headers.get('X-Error-Code')).toBe('wrong_credentials');
      expect(nobody.text).toBe(wrong.text);
      const fixed = ({ headers }: typeof wrong) =>
        Object.fromEntries(
          [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)),
        );
      expect(fixed(nobody)).toEqual(fixed(wrong));
    });

    test.each<[string, { username?: string; password?: string }]>([
      ['a NUL in the username', { username: 'a\0b' }],
      ['lone surrogates', { username: '\ud800', password: '\udfff' }],
      ['a username of 16 KB', { username: 'x'.repeat(16_000) }],
      ['a password of 16 KB', { password: 'x'.repeat(16_000) }],
      ['a password of 73 bytes', { password: 'x'.repeat(73) }],
      ['names of the prototype', { username: '__proto__', password: 'constructor' }],
      ['control characters', { username: '\r\n\t\u001b[0m\u2028', password: '\r\n' }],
    ])('%s', async (_name, changes) => {
      expectError(await login({ ...right, ...changes }), 401, /username or the password is wrong/);
    });

    test('what lies behind 72 bytes of a password counts', async () => {
      await service.app.get(UsersService).add('long', 'x'.repeat(72));
      expect((await service.client.login('long', 'x'.repeat(72))).status).toBe(200);
      for (const more of ['x', 'y', '\0', 'é'])
        expectError(await service.client.login('long', 'x'.repeat(72) + more), 401);
    });
  });

  test('403: the account is disabled, told only to who knows the password', async () => {
    const { username, password } = await givenTill(service);
    await service.database.query('UPDATE users SET disabled_at = now() WHERE username = $1', [
      username,
    ]);
    const disabled = await service.client.login(username, password);
    expectError(disabled, 403, /account is disabled/);
    expect(disabled.headers.get('X-Error-Code')).toBe('account_disabled');
    expectError(
      await service.client.login(username, 'wrong'),
      401,
      /username or the password is wrong/,
    );
    expectError(await login({ username, password }), 400);
    await service.database.query('UPDATE users SET disabled_at = NULL WHERE username = $1', [
      username,
    ]);
    expect((await service.client.login(username, password)).status).toBe(200);
  });

  describe('400: a field is missing or wrong', () => {
    test.each(['grant_type', 'username', 'password'])('%s', async (field) => {
      const rest = { ...right, [field]: undefined };
      expectError(await login(rest), 400, new RegExp(`"${field} is missing"`));
      expectError(
        await login({ ...rest, [field.toUpperCase()]: 'password' }),
        400,
        new RegExp(`"${field} is missing"`),
      );
      for (const wrong of ['', null, 0, true, [], [right[field as 'password']], { length: 3 }])
        expectError(
          await login({ ...rest, [field]: wrong }),
          400,
          new RegExp(`"${field} must be `),
        );
    });

    test.each(['Password', ' password', 'passwort', 'refresh_token', 'password\0'])(
      'grant_type %j',
      async (grant_type) => {
        const answer = await login({ ...right, grant_type });
        expectError(answer, 400, /grant_type must be \\"password\\"/);
      },
    );

    test('all faults are told at once', async () => {
      expectError(
        await login({}),
        400,
        /^\{"error":"grant_type is missing; username is missing; password is missing"\}$/,
      );
    });

    test('credentials anywhere but in the body do not count', async () => {
      const query = `?${new URLSearchParams(right).toString()}`;
      const granted = { grant_type: 'password' };
      expectError(await login(granted, query), 400, /username is missing; password is missing/);
      expectError(await login({ ...right, username: '', password: '' }, query), 400);
      const pair = Buffer.from(`${right.username}:${right.password}`).toString('base64');
      const basic = { headers: { Authorization: `Basic ${pair}` } };
      expectError(await service.client.post(LOGIN, granted, basic), 400);
      const form = { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };
      const pairs = new URLSearchParams(right).toString();
      expectError(await service.client.post(LOGIN, pairs, form), 400, /application\/json/);
      expectError(await login({ ...granted, 'username[]': right.username, password: 'x' }), 400);
    });

    test('a query beside a right body is of no account', async () => {
      expect((await login(right, '?username=nobody&password=x&grant_type=y')).status).toBe(200);
      expectError(
        await login(
          { ...right, password: 'wrong' },
          `?password=${encodeURIComponent(right.password)}`,
        ),
        401,
      );
    });
  });
});
