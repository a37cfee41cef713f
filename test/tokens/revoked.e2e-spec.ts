import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { Client } from 'pg';
import { ChecksRevocation } from '../../src/auth/tokens/checks-revocation.decorator.js';
import { TokensService } from '../../src/auth/tokens/tokens.service.js';
import { UsersService } from '../../src/users/users.service.js';
import type { Answer } from '../support/client.js';
import { CommandLine } from '../support/command-line.js';
import { expectError } from '../support/expect-error.js';
import { decode } from './forge.js';
import { givenTill } from '../support/given.js';
import { RIGHT } from '../support/logins.js';
import { day, record } from '../support/records.js';
import { routesOf } from './routes.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

describe('Revoked tokens', () => {
  const REVOKE = '/api/v1/auth/revoke';

  let service: TestApp;
  let other: TestApp;

  beforeAll(async () => {
    service = await createTestApp();
    other = await service.another();
  });
  afterAll(() => service.close());

  /** Whether each token is taken, on each instance. Both have verified its signature before. */
  async function statuses(...tokens: string[]): Promise<number[][]> {
    const each = [service, other].map(async ({ client }) => {
      const answers = await Promise.all(
        tokens.map((token) => client.get('/api/v1/restaurants', { token })),
      );
      return answers.map(({ status }) => status);
    });
    return Promise.all(each);
  }

  async function givenTwoTokens(): Promise<{ username: string; first: string; second: string }> {
    const { username, token: first } = await givenTill(service, { password: RIGHT });
    const second = await other.client.token(username, RIGHT);
    expect(await statuses(first, second)).toEqual([[200, 200], [200, 200]]); // prettier-ignore
    return { username, first, second };
  }

  async function admin(...args: string[]): Promise<void> {
    const ran = await new CommandLine(service.app).run(args, 'another password\n');
    expect(ran).toMatchObject({ status: 0, stderr: '' });
  }

  describe('A token is refused on every instance by the very next request', () => {
    test('POST /api/v1/auth/revoke: this one, and none but this one', async () => {
      const { first, second } = await givenTwoTokens();
      const answer = await service.client.post(REVOKE, '', { token: first });
      expect([answer.status, answer.body]).toEqual([200, { revoked: 1 }]);
      expect(answer.headers.get('Cache-Control')).toBe('no-store');
      expect(await statuses(first, second)).toEqual([[401, 200], [401, 200]]); // prettier-ignore
      expectError(await other.client.post(REVOKE, {}, { token: first }), 401, /revoked/);
    });

    test('{"all": true}: all of the caller, and of nobody else', async () => {
      const { username, first, second } = await givenTwoTokens();
      const another = await givenTwoTokens();
      const answer = await other.client.post(REVOKE, { all: true }, { token: first });
      expect(answer.body).toEqual({ revoked: 2 });
      expect(await statuses(first, second, another.first)).toEqual([[401, 401, 200], [401, 401, 200]]); // prettier-ignore
      const fresh = await service.client.token(username, RIGHT);
      expect(await statuses(fresh)).toEqual([[200], [200]]);
    });

    test.each([
      ['{"all": false}', { all: false }, 200],
      ['no body', '', 200],
      ['a field that nobody asked for', { everything: true }, 200],
      ['{"all": "true"}', { all: 'true' }, 400],
      ['{"all": null}', { all: null }, 400],
      ['a list', [], 400],
    ])('POST /api/v1/auth/revoke with %s', async (_row, body, status) => {
      const { first, second } = await givenTwoTokens();
      expect((await service.client.post(REVOKE, body, { token: first })).status).toBe(status);
      const after = status === 200 ? 401 : 200;
      expect(await statuses(first, second)).toEqual([[after, 200], [after, 200]]); // prettier-ignore
    });

    test.each([
      ['token revoke', (username: string) => ['token', 'revoke', username], 200],
      ['user disable', (username: string) => ['user', 'disable', username], 403],
      [
        'user set-password',
        (username: string) => ['user', 'set-password', username, '--password-stdin'],
        401,
      ],
    ])('%s', async (_row, command, loginAfter) => {
      const { username, first, second } = await givenTwoTokens();
      await admin(...command(username));
      expect(await statuses(first, second)).toEqual([[401, 401], [401, 401]]); // prettier-ignore
      expect((await other.client.login(username, RIGHT)).status).toBe(loginAfter);
    });

    test('an account disabled by hand, in SQL', async () => {
      const { username, first } = await givenTwoTokens();
      await service.database.query('UPDATE users SET disabled_at = now() WHERE username = $1', [
        username,
      ]);
      expect(await statuses(first)).toEqual([[401], [401]]);
    });

    test('user enable brings no old token back', async () => {
      const { username, first } = await givenTwoTokens();
      await admin('user', 'disable', username);
      await admin('user', 'enable', username);
      expect(await statuses(first)).toEqual([[401], [401]]);
      expect((await other.client.login(username, RIGHT)).status).toBe(200);
    });

    test('a token whose row is gone, as of one never issued', async () => {
      const { first } = await givenTwoTokens();
      await service.database.query('DELETE FROM tokens WHERE jti = $1', [
        decode(first).payload.jti,
      ]);
      expect(await statuses(first)).toEqual([[401], [401]]);
    });
  });

  describe('An upload with a revoked token saves nothing, whatever else is wrong with it', () => {
    const huge = JSON.stringify({ records: day(), padding: 'x'.repeat(200_000) });

    test.each([
      ['nothing', { records: day() }, 200, 401],
      ['the restaurant', { records: [record({ restaurant_id: 999 })] }, 403, 401],
      ['a field', { records: [record({ hour: 24 })] }, 400, 400],
      ['the JSON', '{"records": [', 400, 400],
      ['25 records', { records: [...day(), record({ hour: 24 })] }, 413, 413],
      ['the size', huge, 413, 413],
    ])('%s', async (_row, body, before, after) => {
      const { username, token } = await givenTill(service, { password: RIGHT });
      const upload = (): Promise<Answer> =>
        other.client.post('/api/v1/sales/upload-daily', body, { token });
      expect((await upload()).status).toBe(before);
      await admin('token', 'revoke', username);
      expect((await upload()).status).toBe(after);
      const from = 'FROM uploads JOIN users ON users.id = user_id WHERE username = $1';
      const [saved] = await service.database.query(`SELECT count(*)::int ${from}`, [username]);
      expect(saved).toEqual({ count: before === 200 ? 1 : 0 });
    });
  });

  describe('No token slips out behind a revocation', () => {
    const waitsForALock = async (): Promise<void> => {
      const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      while ((await service.database.query(waiting)).length === 0);
    };

    test.each([
      ['disabled', 'disabled_at = now()', 403],
      ['given a new password', 'password_version = password_version + 1', 401],
    ])(
      'a login waits for the account to be %s, where that has begun',
      async (_row, change, status) => {
        const { username } = await givenTill(service, { password: RIGHT });
        const administrator = new Client(service.database.url);
        await administrator.connect();
        await administrator.query('BEGIN');
        await administrator.query(`UPDATE users SET ${change} WHERE username = $1`, [username]);
        const login = other.client.login(username, RIGHT);
        await Promise.race([login, waitsForALock()]);
        await administrator.query('COMMIT');
        await administrator.end();
        expect((await login).status).toBe(status);
      },
    );

    test('an account is disabled after the login that has begun, and takes its token along', async () => {
      const { username } = await givenTill(service, { password: RIGHT });
      const users = service.app.get(UsersService);
      const logins = Array.from({ length: 6 }, () => other.client.login(username, RIGHT));
      await users.setDisabled(username, true);
      for (const { status, body } of await Promise.all(logins)) {
        if (status === 200)
          expect(await statuses(body.access_token as string)).toEqual([[401], [401]]);
      }
    });

    test('an account that changed between the password and the token gets none', async () => {
      const { username } = await givenTill(service, { password: RIGHT });
      const users = service.app.get(UsersService);
      const changed = async (change: () => Promise<unknown>): Promise<unknown> => {
        const tokens = service.app.get(TokensService);
        const issue = tokens.issue.bind(tokens);
        jest.spyOn(tokens, 'issue').mockImplementationOnce(async (account) => {
          await change();
          return issue(account);
        });
        const answer = await service.client.login(username, RIGHT);
        jest.restoreAllMocks();
        return [answer.status, answer.headers.get('X-Error-Code')];
      };
      expect(await changed(() => users.setDisabled(username, true))).toEqual([
        403,
        'account_disabled',
      ]);
      await users.setDisabled(username, false);
      expect(await changed(() => users.setPassword(username, 'another password'))).toEqual([
        401,
        'wrong_credentials',
      ]);
    });
  });

  const POST = 1;

  test('the check of a revocation is left by the guard to exactly one route', () => {
    const routes = routesOf(service.app)
      .filter(({ handler }) => Reflect.hasMetadata(ChecksRevocation.KEY, handler))
      .map(({ controller, handler }) => ({
        path: [controller, handler].map((part) => Reflect.getMetadata(PATH_METADATA, part)),
        method: Reflect.getMetadata(METHOD_METADATA, handler),
      }));
    expect(routes).toEqual([{ path: ['api/v1/sales', 'upload-daily'], method: POST }]);
  });
});
