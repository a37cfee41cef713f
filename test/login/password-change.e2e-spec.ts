import { Piscina } from 'piscina';
import { PasswordsService } from '../../src/users/passwords.service.js';
import type { Answer } from '../support/client.js';
import { CommandLine } from '../support/command-line.js';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { expectLocked, from, RIGHT, tally } from '../support/logins.js';
import { day } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const PATH = '/api/v1/auth/password';
const NEW = 'a new long password';

let service: TestApp;
let other: TestApp;
beforeAll(async () => {
  service = await createTestApp({ TRUST_PROXY: 'loopback', LOGIN_USERNAME_MAX_FAILURES: 8 });
  other = await service.another();
});
afterAll(() => service.close());

let addresses = 0;
const newAddress = (): string => `198.19.0.${++addresses}`;
let user: string;
let token: string;
let home: string;
beforeEach(async () => {
  home = newAddress();
  ({ username: user, token } = await givenTill(service, { password: RIGHT }));
  ({ access_token: token } = (await login()).body);
});

const login = (password = RIGHT, address = home): Promise<Answer> =>
  service.client.login(user, password, from(address));

const change = (
  current: unknown = RIGHT,
  next: unknown = NEW,
  { address = home, instance = service, sent = token } = {},
): Promise<Answer> =>
  instance.client.post(
    PATH,
    { current_password: current, new_password: next },
    { token: sent, headers: from(address) },
  );

const statusOf = async (sent: string): Promise<number> =>
  (await other.client.get('/api/v1/restaurants', { token: sent })).status;

const events = (): Promise<{ outcome: string; client_address: string }[]> =>
  service.database.query(
    `SELECT outcome, client_address FROM audit_log JOIN users ON actor = 'user:' || users.id
     WHERE username = $1 AND action = 'password change' ORDER BY at`,
    [user],
  );

test('a change gives a fresh token, and ends all others of the user at once on every instance, and of nobody else', async () => {
  const { token: stranger } = await givenTill(service);
  const second = (await login()).body.access_token as string;
  const answer = await change();
  expect([answer.status, answer.headers.get('Cache-Control')]).toEqual([200, 'no-store']);
  const { access_token, ...rest } = answer.body as { access_token: string };
  expect(rest).toEqual({ token_type: 'Bearer', expires_in: 7200 });
  expect(await Promise.all([token, second, access_token, stranger].map(statusOf))).toEqual([
    401, 401, 200, 200,
  ]);
  expect((await service.client.upload(token, day())).status).toBe(401);
  expect((await service.client.upload(access_token, day())).status).toBe(200);
  expect((await login()).status).toBe(401);
  expect((await login(NEW)).status).toBe(200);
  expect(await events()).toEqual([{ outcome: 'success', client_address: home }]);
});

test('a change takes one turn of a hashing thread, and a weak password none', async () => {
  const turns = jest.spyOn(Piscina.prototype, 'run');
  expect((await change(RIGHT, 'password1234')).status).toBe(400);
  expect(turns).not.toHaveBeenCalled();
  expect((await change()).status).toBe(200);
  expect(turns).toHaveBeenCalledTimes(1);
  turns.mockRestore();
});

test('a change is 503 and changes nothing where the passwords took so long that the response would be late', async () => {
  const passwords = service.app.get(PasswordsService);
  const replace = passwords.replace.bind(passwords);
  const late = performance.now() + service.config.RESPONSE_TIMEOUT_MS;
  const now = jest.spyOn(performance, 'now');
  const slow = jest.spyOn(passwords, 'replace').mockImplementation(async (...given) => {
    const hashed = await replace(...given);
    now.mockReturnValue(late);
    return hashed;
  });
  expectError(await change().finally(() => now.mockRestore()), 503);
  slow.mockRestore();
  expect(await statusOf(token)).toBe(200);
  expect((await change()).status).toBe(200);
});

test('a change leaves the address known, and no other, as whoever knew the old password may have used it', async () => {
  const elsewhere = newAddress();
  await login(RIGHT, elsewhere);
  await change();
  for (let time = 0; time < 8; time++) await login(`guess ${time}`, newAddress());
  expect((await login(NEW)).status).toBe(200);
  expectLocked(await login(NEW, elsewhere), 900);
});

test('a wrong current password is 403, and nothing changes', async () => {
  const answer = await change('wrong password');
  expectError(answer, 403, /the current password is wrong/);
  expect(answer.headers.get('X-Error-Code')).toBe('wrong_current_password');
  expect(await statusOf(token)).toBe(200);
  expect((await login()).status).toBe(200);
  expect(await events()).toEqual([{ outcome: 'failure', client_address: home }]);
});

test('a stolen token guesses five times at an address, together with the logins there, and then gets 429', async () => {
  const thief = newAddress();
  for (let time = 0; time < 2; time++) await login(`guess ${time}`, thief);
  for (let time = 0; time < 3; time++)
    expect((await change(`other ${time}`, NEW, { address: thief })).status).toBe(403);
  for (const instance of [service, other])
    expectLocked(await change(RIGHT, NEW, { address: thief, instance }), 900);
  expectLocked(await login(RIGHT, thief), 900);
  expect((await change()).status).toBe(200);
});

test('a stolen token at many addresses guesses as often as a login, and then gets 429, but not where the user is known', async () => {
  for (let time = 0; time < 8; time++)
    expect((await change(`${time}`, NEW, { address: newAddress() })).status).toBe(403);
  expectLocked(await change(RIGHT, NEW, { address: newAddress() }), 900);
  expect((await change()).status).toBe(200);
});

test('a change clears the failures of the user at the address', async () => {
  for (let time = 0; time < 4; time++) await change(`wrong ${time}`);
  const { access_token: sent } = (await change()).body as { access_token: string };
  for (let time = 0; time < 5; time++)
    expect((await change(`wrong ${time}`, RIGHT, { sent })).status).toBe(403);
});

test.each([
  ['short', 'short', /has fewer than 12 characters/],
  ['the name of the user', 'USERNAME', /is the username/],
  ['common', 'password1234', /is one of the most common/],
  ['the current one', RIGHT, /is the current one/],
  ['with NUL', 'a\0b and more of it', /NUL/],
  ['of 74 bytes', 'ü'.repeat(37), /longer than 72 bytes/],
  ['of 90,000 bytes', 'x'.repeat(90_000), /longer than 72 bytes/],
])(
  'a new password that is %s is 400, and does not count as a failure',
  async (_what, next, telling) => {
    if (next === 'USERNAME') ({ username: user, token } = await givenTill(service, { username: 'till-of-the-harbour', password: RIGHT })); // prettier-ignore
    for (let time = 0; time < 6; time++) {
      const answer = await change(RIGHT, next === 'USERNAME' ? user.toUpperCase() : next);
      expectError(answer, 400, telling);
      expect(answer.headers.get('X-Error-Code')).toBe('invalid_password');
      expect(answer.headers.get('X-Error-Fields')).toBe('/new_password');
    }
    expect((await change()).status).toBe(200);
  },
);

test.each([
  ['nothing', {}, '/current_password, /new_password'],
  ['no new one', { current_password: RIGHT }, '/new_password'],
  ['an empty one', { current_password: RIGHT, new_password: '' }, '/new_password'],
  ['a list', { current_password: [RIGHT], new_password: NEW }, '/current_password'],
  ['a number', { current_password: RIGHT, new_password: 123456789012 }, '/new_password'],
  ['null', { current_password: null, new_password: NEW }, '/current_password'],
])('a body with %s is 400', async (_row, body, fields) => {
  const answer = await service.client.post(PATH, body, { token, headers: from(home) });
  expectError(answer, 400);
  expect(answer.headers.get('X-Error-Fields')).toBe(fields);
});

test('no token, or one that was revoked, is 401, whatever the body is', async () => {
  expectError(await service.client.post(PATH, '{"', {}), 401, /access token is required/);
  await service.client.post('/api/v1/auth/revoke', '', { token });
  expectError(await service.client.post(PATH, '{"', { token }), 401, /revoked/);
});

test('of two changes at once one wins, and its password and token alone are good', async () => {
  const answers = await Promise.all([
    change(RIGHT, `${NEW} 1`),
    change(RIGHT, `${NEW} 2`, { instance: other }),
  ]);
  const winner = answers.findIndex(({ status }) => status === 200);
  expect([401, 403]).toContain(answers[1 - winner]!.status);
  expect((await login(`${NEW} ${winner + 1}`)).status).toBe(200);
  expect((await login(`${NEW} ${2 - winner}`)).status).toBe(401);
  expect(await statusOf(answers[winner]!.body.access_token as string)).toBe(200);
});

test('a change and a command at once leave the password of the one that comes last, and no token of the other', async () => {
  const command = new CommandLine(service.app).run(
    ['user', 'set-password', user, '--password-stdin'],
    'set by the command\n',
  );
  const [answer, ran] = await Promise.all([change(), command]);
  expect(ran).toMatchObject({ status: 0, stderr: '' });
  const isLast = (await login(NEW)).status === 200;
  expect((await login('set by the command')).status).toBe(isLast ? 401 : 200);
  if (answer.status === 200)
    expect(await statusOf(answer.body.access_token as string)).toBe(isLast ? 200 : 401);
  else expect([401, 403]).toContain(answer.status);
});

test('fifty guesses at once are compared five times, and the others are 429', async () => {
  const comparisons = jest.spyOn(PasswordsService.prototype, 'replace');
  const guesses = Array.from({ length: 50 }, (_, index) =>
    change(`wrong ${index}`, NEW, { instance: index % 2 === 0 ? service : other }),
  );
  expect(tally(await Promise.all(guesses))).toEqual({ 403: 5, 429: 45 });
  expect(comparisons).toHaveBeenCalledTimes(5);
  comparisons.mockRestore();
});

test('a change is 503 with the seconds to wait while no hash can be made, and nothing has changed or counted', async () => {
  const busy = await service.another({ HASH_THREADS: 1, HASH_QUEUE_MAX: 1 });
  const passwords = busy.app.get(PasswordsService);
  let isOver = false;
  const others = Promise.all([1, 2, 3].map(async () => {
    while (!isOver) await passwords.hash('x').catch(() => new Promise(setImmediate));
  })); // prettier-ignore
  const answers: Answer[] = [];
  while (!answers.some(({ status }) => status === 503))
    answers.push(await change(RIGHT, 'short password 1', { instance: busy }));
  isOver = true;
  await others;
  const answer = answers.at(-1)!;
  expectError(answer, 503, /too many logins at this moment/);
  expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
  if (answers.length === 1) expect((await change()).status).toBe(200);
});
