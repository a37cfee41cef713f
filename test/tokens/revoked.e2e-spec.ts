import { TokenInvalid } from '../../src/auth/tokens/tokens.errors.js';
import { TokensService } from '../../src/auth/tokens/tokens.service.js';
import { type Sender, uploadOf } from '../../src/sales/uploads/upload.js';
import { UploadsService } from '../../src/sales/uploads/uploads.service.js';
import { UsersService } from '../../src/users/users.service.js';
import type { Answer } from '../support/client.js';
import { CommandLine } from '../support/command-line.js';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { RIGHT } from '../support/logins.js';
import { servedRoutes } from '../support/openapi.js';
import { day, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { untilBlocked } from '../support/test-database.js';

const REVOKE = '/api/v1/auth/revoke';

let service: TestApp;
let other: TestApp;

beforeAll(async () => {
  service = await createTestApp();
  other = await service.another();
});
afterAll(() => service.close());

/** What each token is answered, on each instance. Both have verified its signature before. */
async function expectStatuses(expected: Record<string, number>): Promise<void> {
  for (const { client } of [service, other]) {
    const answers = Object.keys(expected).map((token) =>
      client.get('/api/v1/restaurants', { token }),
    );
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses).toEqual(Object.values(expected));
  }
}

async function givenTwoTokens(): Promise<{ username: string; first: string; second: string }> {
  const { username, token: first } = await givenTill(service, { password: RIGHT });
  const second = await other.client.token(username, RIGHT);
  await expectStatuses({ [first]: 200, [second]: 200 });
  return { username, first, second };
}

async function admin(...args: string[]): Promise<void> {
  const ran = await new CommandLine(service.app).run(args, 'another password\n');
  expect(ran).toMatchObject({ status: 0, stderr: '' });
}

describe('A token is rejected on every instance by the very next request after', () => {
  test('POST /api/v1/auth/revoke, which ends this one and no other', async () => {
    const { first, second } = await givenTwoTokens();
    const answer = await service.client.post(REVOKE, '', { token: first });
    expect([answer.status, answer.body]).toEqual([200, { revoked: 1 }]);
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    await expectStatuses({ [first]: 401, [second]: 200 });
    expectError(await other.client.post(REVOKE, {}, { token: first }), 401, /revoked/);
  });

  test('{"all": true}, which ends all of the caller and of nobody else', async () => {
    const { username, first, second } = await givenTwoTokens();
    const another = await givenTwoTokens();
    const answer = await other.client.post(REVOKE, { all: true }, { token: first });
    expect(answer.body).toEqual({ revoked: 2 });
    await expectStatuses({ [first]: 401, [second]: 401, [another.first]: 200 });
    await expectStatuses({ [await service.client.token(username, RIGHT)]: 200 });
  });

  test.each([
    ['{"all": false}', { all: false }, 200],
    ['no body', '', 200],
    ['a field that nobody asked for', { everything: true }, 200],
    ['{"all": "true"}', { all: 'true' }, 400],
    ['a list', [], 400],
  ])('POST /api/v1/auth/revoke with %s', async (_row, body, status) => {
    const { first, second } = await givenTwoTokens();
    expect((await service.client.post(REVOKE, body, { token: first })).status).toBe(status);
    await expectStatuses({ [first]: status === 200 ? 401 : 200, [second]: 200 });
  });

  const ofUser = 'WHERE user_id = (SELECT id FROM users WHERE username = $1)';
  const inSql = (statement: string) => (name: string) => service.database.query(statement, [name]);
  const disable = inSql('UPDATE users SET disabled_at = now() WHERE username = $1');
  const disableAndEnable = async (name: string): Promise<void> => {
    await admin('user', 'disable', name);
    await admin('user', 'enable', name);
  };

  test.each<[string, (username: string) => Promise<unknown>, number]>([
    ['token revoke', (name) => admin('token', 'revoke', name), 200],
    ['user disable', (name) => admin('user', 'disable', name), 403],
    ['user disable, and user enable, which brings none back', disableAndEnable, 200],
    ['set-password', (name) => admin('user', 'set-password', name, '--password-stdin'), 401],
    ['an account disabled by hand', disable, 403],
    ['tokens whose rows are gone', inSql(`DELETE FROM tokens ${ofUser}`), 200],
  ])('%s', async (_row, revoke, loginAfter) => {
    const { username, first, second } = await givenTwoTokens();
    await revoke(username);
    await expectStatuses({ [first]: 401, [second]: 401 });
    expect((await other.client.login(username, RIGHT)).status).toBe(loginAfter);
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

test('An upload without a token is rejected unless its sender says that there is none to check', async () => {
  const { username } = await givenTill(service);
  const { id: userId } = await service.app.get(UsersService).get(username);
  const uploads = service.app.get(UploadsService, { strict: false });
  const upload = (sender: object) =>
    uploads.uploadDay(uploadOf([record({ hour: 3 })] as any, sender as Sender, '127.0.0.1'));
  for (const sender of [{}, { tokenId: null }, { checksToken: true }, { checksToken: null }])
    await expect(upload({ userId, ...sender })).rejects.toBeInstanceOf(TokenInvalid);
  await expect(upload({ userId, checksToken: false })).resolves.toBeDefined();
});

describe('No token slips out behind a revocation', () => {
  test.each([
    ['disabled', 'disabled_at = now()', 403],
    ['given a new password', 'password_version = password_version + 1', 401],
  ])(
    'a login waits for the account to be %s, where that has begun',
    async (_row, change, status) => {
      const { username } = await givenTill(service, { password: RIGHT });
      await service.database.query('BEGIN');
      await service.database.query(`UPDATE users SET ${change} WHERE username = $1`, [username]);
      const login = other.client.login(username, RIGHT);
      await untilBlocked(service.database, 1);
      await service.database.query('COMMIT');
      expect((await login).status).toBe(status);
    },
  );

  test('an account is disabled after the login that has begun, and takes its token along', async () => {
    const { username } = await givenTill(service, { password: RIGHT });
    const users = service.app.get(UsersService);
    const logins = Array.from({ length: 6 }, () => other.client.login(username, RIGHT));
    await users.setDisabled(await users.get(username), true);
    for (const { status, body } of await Promise.all(logins)) {
      if (status === 200) await expectStatuses({ [body.access_token as string]: 401 });
    }
  });

  test.each<[string, (users: UsersService, name: string) => Promise<unknown>, number, string]>([
    [
      'was disabled',
      async (users, name) => users.setDisabled(await users.get(name), true),
      403,
      'account_disabled',
    ],
    [
      'got a new password',
      async (users, name) => users.setPasswordHash((await users.get(name)).id, 'x'),
      401,
      'wrong_credentials',
    ],
  ])(
    'an account that %s between the password and the token gets none',
    async (_row, change, status, code) => {
      const { username } = await givenTill(service, { password: RIGHT });
      const tokens = service.app.get(TokensService);
      const issue = tokens.issue.bind(tokens);
      jest.spyOn(tokens, 'issue').mockImplementationOnce(async (...given) => {
        await change(service.app.get(UsersService), username);
        return issue(...given);
      });
      const answer = await service.client.login(username, RIGHT);
      jest.restoreAllMocks();
      expect([answer.status, answer.headers.get('X-Error-Code')]).toEqual([status, code]);
    },
  );
});

test('the guard leaves the check of a revocation to exactly one route, and public ones have none', async () => {
  const { token } = await givenTill(service);
  const headers = { Authorization: `Bearer ${token}` };
  const isLive = jest.spyOn(service.app.get(TokensService), 'isLive').mockResolvedValue(false);
  const unchecked: string[] = [];
  for (const route of servedRoutes(service)) {
    isLive.mockClear();
    const [method, path] = route.split(' ') as [string, string];
    await service.client.send(method, path, undefined, headers);
    if (isLive.mock.calls.length === 0) unchecked.push(route);
  }
  isLive.mockRestore();
  const ofPublic = /health|auth\/(login|ways|company)/;
  expect(unchecked.filter((route) => !ofPublic.test(route))).toEqual([
    'POST /api/v1/sales/upload-daily',
  ]);
});
