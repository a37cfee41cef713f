import { TOTP } from 'otpauth';
import { Clock } from '../../src/calendar/business-calendar.js';
import type { TestClock } from '../../src/testing/test-server.js';
import { CommandLine } from '../support/command-line.js';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { expectLocked, from, RIGHT, tally } from '../support/logins.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const PATH = '/api/v1/auth/second-factor';
const NEW = 'a new long password';

let service: TestApp;
let other: TestApp;
beforeAll(async () => {
  const SECOND_FACTOR_KEY = 'k'.repeat(32);
  const settings = { SECOND_FACTOR: 'offered', SECOND_FACTOR_KEY, TRUST_PROXY: 'loopback' };
  service = await createTestApp(settings);
  other = await service.another();
});
afterAll(() => service.close());

const admin = async (...args: string[]) => {
  const ran = await new CommandLine(service.app).run(args, `${RIGHT}\n`);
  expect(ran).toMatchObject({ status: 0, stderr: '' });
};

const login = (
  username: string,
  {
    code,
    address = '192.0.2.1',
    password = RIGHT,
    on = service,
  }: {
    code?: unknown;
    address?: string;
    password?: string;
    on?: TestApp;
  } = {},
) =>
  // prettier-ignore
  on.client.post(
    '/api/v1/auth/login',
    { grant_type: 'password', username, password, ...(code !== undefined && { code }) },
    { headers: from(address) },
  );

/** Goes on to the next step, whose code was not used. */
const nextStep = (): void => {
  for (const { app } of [service, other]) app.get<Clock, TestClock>(Clock).ahead += 30_000;
};
const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret }).generate({ timestamp: service.app.get(Clock).now() + steps * 30_000 });

async function givenPerson(): Promise<{ username: string; token: string }> {
  const till = await givenTill(service, { password: RIGHT });
  await admin('user', 'set-kind', till.username, 'person');
  return till;
}

async function enrolled() {
  const person = await givenPerson();
  const { body } = await service.client.post(PATH, '', { token: person.token });
  const secret = body.secret as string;
  const confirmed = await other.client.post(
    `${PATH}/confirm`,
    { code: codeOf(secret).replace(/^.../, '$& ') },
    { token: person.token },
  );
  expect(confirmed.status).toBe(200);
  nextStep();
  return { ...person, secret, confirmed: confirmed.body };
}

const works = async (token: string) =>
  (await other.client.get('/api/v1/restaurants', { token })).status;

test('a person sets a second factor up, and then a login takes a code, each once on all instances', async () => {
  const { username, token, secret, confirmed } = await enrolled();
  expect(confirmed.recovery_codes).toHaveLength(10);
  expect(await works(token)).toBe(401);
  expect(await works(confirmed.access_token)).toBe(200);
  const without = await login(username);
  expectError(without, 403, /authenticator app/);
  expect(without.headers.get('X-Error-Code')).toBe('code_required');
  expectError(await login(username, { code: codeOf(secret), password: 'wrong' }), 401, /password/);
  const code = codeOf(secret);
  expect((await login(username, { code })).status).toBe(200);
  const again = await login(username, { code, on: other });
  expectError(again, 401, /wrong, or was used before/);
  expect(again.headers.get('X-Error-Code')).toBe('wrong_code');
  nextStep();
  const racing = codeOf(secret);
  const both = [service, other, service, other].map((on) => login(username, { code: racing, on }));
  expect(tally(await Promise.all(both))).toEqual({ 200: 1, 401: 3 });
  nextStep();
  expect((await login(username, { code: codeOf(secret, 1) })).status).toBe(200);
  expectError(await login(username, { code: codeOf(secret) }), 401); // of a step before the used one
});

test('five wrong codes over all addresses lock; a right password without a code clears nothing', async () => {
  const { username, secret } = await enrolled();
  for (let time = 0; time < 5; time++) {
    expect((await login(username, { address: `198.51.100.${time}` })).status).toBe(403);
    const on = time % 2 === 0 ? service : other;
    expect((await login(username, { code: '000000', address: `198.51.100.${time}`, on })).status).toBe(401); // prettier-ignore
  }
  expectLocked(await login(username, { code: codeOf(secret), address: '198.51.100.9' }), 900);
  await admin('user', 'unlock', username);
  expect((await login(username, { code: codeOf(secret) })).status).toBe(200);
});

test('a wrong password fails five times at an address, whatever codes and right passwords without one do between', async () => {
  const { username, secret } = await enrolled();
  for (let time = 0; time < 5; time++) {
    expect((await login(username, { password: `wrong ${time}`, code: codeOf(secret) })).status).toBe(401); // prettier-ignore
    if (time < 4) expect((await login(username)).status).toBe(403);
  }
  expectLocked(await login(username, { code: codeOf(secret) }), 900);
});

test('a recovery code replaces a code once, in any case and spacing, and the audit log says so', async () => {
  const { username, confirmed } = await enrolled();
  const [code] = confirmed.recovery_codes as [string];
  expect(code).toMatch(/^[a-z2-7]{5}-[a-z2-7]{5}$/);
  expect((await login(username, { code: code.toUpperCase().replace('-', ' ') })).status).toBe(200);
  expect((await login(username, { code })).status).toBe(401);
  const { body } = await service.client.get(PATH, { token: confirmed.access_token });
  expect(body).toMatchObject({ offered: true, recovery_codes_left: 9 });
  const events = `SELECT count(*)::int FROM audit_log JOIN users ON actor = 'user:' || users.id
    WHERE username = $1 AND action = 'recovery code'`;
  expect(await service.database.query(events, [username])).toEqual([{ count: 1 }]);
});

test('removing takes the password and a code; an administrator forgets a lost phone', async () => {
  const { username, secret, confirmed } = await enrolled();
  const remove = (current_password: string, code: string) =>
    service.client.send('DELETE', PATH, JSON.stringify({ current_password, code }), {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${confirmed.access_token}`,
    });
  expectError(await remove('wrong password', codeOf(secret)), 403, /password is wrong/);
  expectError(await remove(RIGHT, '000000'), 403, /wrong, or was used/);
  expectError(await service.client.post(PATH, '', { token: confirmed.access_token }), 409);
  const removed = await remove(RIGHT, codeOf(secret));
  expect([removed.status, removed.body]).toEqual([200, { removed: true }]);
  expect((await login(username)).status).toBe(200);
  const lost = await enrolled();
  await admin('user', 'reset-second-factor', lost.username);
  expect(await works(lost.confirmed.access_token)).toBe(401);
  const { body } = await login(lost.username);
  await admin('user', 'reset-second-factor', lost.username);
  expect(await works(body.access_token)).toBe(200); // there was none
});

test('the secret is stored encrypted, in the row of its user alone', async () => {
  const [one, two] = [await enrolled(), await enrolled()];
  const rows = await service.database.query<{ secret: Buffer }>(
    'SELECT secret FROM second_factors',
  );
  const decoded = rows.flatMap(({ secret }) =>
    String(secret)
      .split('.')
      .map((part) => String(Buffer.from(part, 'base64url'))),
  );
  expect(decoded.join()).toContain('A256GCM');
  expect(decoded.join()).not.toContain(one.secret);
  await service.database.query(
    `UPDATE second_factors SET secret = (SELECT secret FROM second_factors JOIN users ON id = user_id WHERE username = $1)
     WHERE user_id = (SELECT id FROM users WHERE username = $2)`,
    [one.username, two.username],
  );
  expect((await login(two.username, { code: codeOf(one.secret) })).status).toBe(500);
});

test('a till is offered nothing, and a code that it sends is ignored', async () => {
  const { username, token } = await givenTill(service, { password: RIGHT });
  expectError(await service.client.post(PATH, '', { token }), 404, /not offered/);
  const { status, body } = await login(username, { code: 'anything' });
  expect([status, Object.keys(body)]).toEqual([200, ['access_token', 'token_type', 'expires_in']]);
});

test('where a second factor is required, a person of all restaurants gets a token for auth/ alone until it is set up', async () => {
  const strict = await service.another({ SECOND_FACTOR: 'required' });
  const { ahead } = service.app.get<Clock, TestClock>(Clock);
  strict.app.get<Clock, TestClock>(Clock).ahead = ahead;
  const { username } = await givenPerson();
  const till = await givenTill(service, { password: RIGHT });
  for (const name of [username, till.username]) await admin('user', 'grant', name, '--all');
  expect((await login(till.username, { on: strict })).body.restricted).toBeUndefined();
  const { body } = await login(username, { on: strict });
  const token = body.access_token as string;
  expect(body.restricted).toBe('second_factor_required');
  const refused = await strict.client.get('/api/v1/restaurants', { token });
  expectError(refused, 403, /set up the second factor/);
  expect(refused.headers.get('X-Error-Code')).toBe('second_factor_required');
  expectError(await strict.client.upload(token, []), 403);
  const made = await strict.client.post(PATH, '', { token });
  const code = codeOf(made.body.secret as string);
  const confirmed = await strict.client.post(`${PATH}/confirm`, { code }, { token });
  expect(await works(confirmed.body.access_token as string)).toBe(200);
});

test('a password that an administrator has set for a person must be changed first', async () => {
  await admin('user', 'add', 'jane', '--person', '--password-stdin');
  const { body } = await login('jane');
  const token = body.access_token as string;
  expect(body.restricted).toBe('password_must_change');
  expectError(
    await service.client.get('/api/v1/restaurants', { token }),
    403,
    /password of your own/,
  );
  const passwords = { current_password: RIGHT, new_password: NEW };
  const changed = await service.client.post('/api/v1/auth/password', passwords, { token });
  expect(await works(changed.body.access_token as string)).toBe(200);
  expect((await login('jane', { password: NEW })).body.restricted).toBeUndefined();
  await admin('user', 'set-password', 'jane', '--password-stdin');
  expect((await login('jane')).body.restricted).toBe('password_must_change');
});

test('a login tells a person of the one before, of failures since, and of the password', async () => {
  const { username } = await givenPerson();
  await login(username, { address: '192.0.2.7' });
  for (let time = 0; time < 2; time++) await login(username, { password: `wrong ${time}` });
  const { body } = await login(username);
  expect(body).toMatchObject({
    last_login_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    last_login_address: '192.0.2.7',
    failed_since: 2,
    password_changed_at: null,
  });
});

test('a person sees since when and from where the own sessions are, and can end each', async () => {
  const { username, token } = await givenTill(service, { password: RIGHT });
  const second = (await login(username, { address: '192.0.2.9' })).body.access_token as string;
  const stranger = await givenTill(service);
  const list = async (sent: string) =>
    (await other.client.get('/api/v1/auth/sessions', { token: sent })).body.sessions as any[];
  const sessions = await list(token);
  expect(sessions.map(({ address, current }) => [address, current]).sort()).toEqual([
    ['127.0.0.1', true],
    ['192.0.2.9', false],
  ]);
  const end = (id: string, sent: string) =>
    service.client.send('DELETE', `/api/v1/auth/sessions/${id}`, undefined, { Authorization: `Bearer ${sent}` }); // prettier-ignore
  const { id } = sessions.find(({ current }) => !current);
  expect((await end(id, stranger.token)).body).toEqual({ revoked: 0 });
  expect(await works(second)).toBe(200);
  expect((await end(id, token)).body).toEqual({ revoked: 1 });
  expect([await works(second), await works(token)]).toEqual([401, 200]);
  expectError(await end('x', token), 400);
});

test('a new password may not hold words that the operator forbids', async () => {
  const strict = await service.another({ PASSWORD_FORBIDDEN_WORDS: 'Noodle Bar, satay' });
  const { token } = await givenTill(service, { password: RIGHT });
  const passwords = { current_password: RIGHT, new_password: 'my noodle bar 2026' };
  const answer = await strict.client.post('/api/v1/auth/password', passwords, { token });
  expectError(answer, 400, /easy to guess here/);
});
