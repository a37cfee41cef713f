import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const LOGIN = '/api/v1/auth/login';

describe('POST /api/v1/auth/login: 400 where a field is missing or wrong', () => {
  let service: TestApp;
  let right: { grant_type: string; username: string; password: string };
  beforeAll(async () => {
    service = await createTestApp();
    const { username, password } = await givenTill(service);
    right = { grant_type: 'password', username, password };
  });
  afterAll(() => service.close());

  const login = (body: unknown, query = '') => service.client.post(`${LOGIN}${query}`, body);

  test.each(['grant_type', 'username', 'password'])('%s', async (field) => {
    const rest = { ...right, [field]: undefined };
    expectError(await login(rest), 400, new RegExp(`"${field} is missing"`));
    expectError(await login({ ...rest, [field.toUpperCase()]: 'password' }), 400, new RegExp(`"${field} is missing"`));
    for (const wrong of [
      '',
      null,
      0,
      1,
      true,
      [],
      ['x'],
      [right[field as 'password']],
      {},
      { toString: 'x' },
      { length: 3 },
    ]) {
      expectError(await login({ ...rest, [field]: wrong }), 400, new RegExp(`"${field} must be `));
    }
  });

  test.each([
    'Password',
    'PASSWORD',
    ' password',
    'password ',
    'passwort',
    'client_credentials',
    'refresh_token',
    'authorization_code',
    'password\0',
  ])('grant_type %j', async (grant_type) => {
    expectError(await login({ ...right, grant_type }), 400, /grant_type must be \\"password\\"/);
  });

  test('all faults are told at once', async () => {
    expectError(
      await login({}),
      400,
      /^\{"error":"grant_type is missing; username is missing; password is missing"\}$/,
    );
  });

  test('credentials anywhere but in the body do not count', async () => {
    const query = `?${new URLSearchParams(right).toString()}`;
    expectError(await login({}, query), 400, /username is missing/);
    expectError(await login({ grant_type: 'password' }, query), 400, /username is missing; password is missing/);
    expectError(await login({ ...right, username: '', password: '' }, query), 400);
    const basic = { Authorization: `Basic ${Buffer.from(`${right.username}:${right.password}`).toString('base64')}` };
    expectError(await service.client.post(LOGIN, { grant_type: 'password' }, { headers: basic }), 400);
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expectError(
      await service.client.post(LOGIN, new URLSearchParams(right).toString(), { headers: form }),
      400,
      /application\/json/,
    );
    expectError(
      await login({ grant_type: 'password', 'user[name]': 'x', 'username[]': right.username, password: 'x' }),
      400,
    );
  });

  test('400 before 401 and 403', async () => {
    expectError(await login({ ...right, grant_type: 'x', password: 'wrong' }), 400);
    expectError(await login({ grant_type: 'password', username: 'nobody' }), 400);
  });

  test('a query beside a right body is of no account', async () => {
    expect((await login(right, '?username=nobody&password=x&grant_type=y')).status).toBe(200);
    expectError(await login({ ...right, password: 'wrong' }, `?password=${encodeURIComponent(right.password)}`), 401);
  });
});
