import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Clock } from '../../src/calendar/business-calendar.js';
import type { Config } from '../../src/config/config.js';
import type { TestClock } from '../../src/testing/test-server.js';
import { CommandLine } from '../support/command-line.js';
import { expectError } from '../support/expect-error.js';
import { givenTill, givenUser } from '../support/given.js';
import { CLIENT, FormBrowser, IdentityProvider } from '../support/identity-provider.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { TEST_SECRET } from '../support/test-service.js';
import { decode, sign } from '../tokens/forge.js';

const COMPANY = '/api/v1/auth/company';

let service: TestApp;
let provider: IdentityProvider;
let settings: Partial<Config>;
beforeAll(async () => {
  service = await createTestApp(CLIENT);
  const page = `${service.url}/app/`;
  provider = await IdentityProvider.start(page);
  settings = { ...CLIENT, COMPANY_LOGIN_ISSUER: provider.issuer, COMPANY_LOGIN_PAGE: page };
  Object.assign(service.config, settings); // the address is known once it listens
});
afterAll(async () => {
  await provider.stop();
  await service.close();
});

const begin = async (prompt = 'continue') =>
  (await service.client.post(`${COMPANY}/begin`, { prompt })).body;
const complete = (login: string, answer: string, { client } = service) =>
  client.post(`${COMPANY}/complete`, { login, answer });
const admin = (...argv: string[]) => new CommandLine(service.app).run(argv, 'right password\n');
const tokenWorks = async (token: string) =>
  (await service.client.get('/api/v1/restaurants', { token })).status === 200;

/** All of a sign-in but the page. */
async function signIn(name: string): Promise<[login: string, answer: string]> {
  const { authorization_url: url, login } = await begin();
  const answer = await new FormBrowser().signIn(url, name, settings.COMPANY_LOGIN_PAGE!);
  return [login, answer];
}

async function givenLinked(name: string): Promise<void> {
  await givenUser(service, { username: name });
  const link = ['user', 'link', name, '--account'] as const;
  const till = await admin(...link, 'x');
  expect([till.status, till.stderr]).toEqual([
    1,
    expect.stringMatching(/a till has no company account: user set-kind/),
  ]);
  await admin('user', 'set-kind', name, 'person');
  const empty = await admin(...link, '');
  expect([empty.status, empty.stderr]).toEqual([1, expect.stringMatching(/account has 1 to/)]);
  const ran = await admin(...link, `${name.toUpperCase()}@company.example`);
  expect(ran).toMatchObject({ status: 0, stderr: '' });
}

test('a linked person gets a token as a login gives it, on whatever instance; the code is redeemed once', async () => {
  await givenLinked('anna');
  const [login, answer] = await signIn('anna');
  const other = await service.another(settings);
  const { status, body } = await complete(login, answer, other);
  expect([status, body]).toEqual([
    200,
    {
      ...{ access_token: expect.any(String), token_type: 'Bearer', expires_in: 7200 },
      ...{ last_login_at: null, last_login_address: null, failed_since: 0 },
      ...{ password_changed_at: null, username: 'anna' },
    },
  ]);
  expect(await tokenWorks(body.access_token as string)).toBe(true);
  expectError(await complete(login, answer), 400, /was not completed/);
  const [event] = await service.database.query(
    `SELECT outcome, client_address, details FROM audit_log WHERE action = 'login' ORDER BY at DESC LIMIT 1`,
  );
  expect(event).toMatchObject({
    ...{ outcome: 'success', client_address: '127.0.0.1' },
    details: { by: 'company account', token_id: expect.any(String) },
  });
});

test('the address goes to the provider with PKCE, state and nonce, and comes back in a fragment', async () => {
  const { authorization_url: url } = await begin();
  expect(Object.fromEntries(new URL(url as string).searchParams)).toMatchObject({
    ...{ code_challenge_method: 'S256', response_type: 'code', response_mode: 'fragment' },
    ...{ state: expect.any(String), nonce: expect.any(String) },
  });
  const { authorization_url: anew } = await begin('login');
  expect(new URL(anew as string).searchParams.get('prompt')).toBe('login');
});

test('Google, which has no prompt login, asks which account', async () => {
  const COMPANY_LOGIN_ISSUER = 'https://accounts.google.com';
  const google = await service.another({ ...settings, COMPANY_LOGIN_ISSUER });
  const post = google.client.post(`${COMPANY}/begin`, { prompt: 'login' });
  const published = { issuer: COMPANY_LOGIN_ISSUER, authorization_endpoint: 'https://google.test' };
  const fetching = jest.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json(published));
  const { authorization_url: url } = (await post).body;
  fetching.mockRestore();
  expect(new URL(url as string).searchParams.get('prompt')).toBe('select_account');
});

test('an answer of another sign-in, a changed ticket, a refusal, a wrong nonce, and an answer after ten minutes are 400', async () => {
  const [[first, answer], [second, later]] = [await signIn('anna'), await signIn('anna')];
  const { token } = await givenTill(service);
  for (const ticket of [second, `${first}x`, token])
    expectError(await complete(ticket, answer), 400, /was not completed/);
  expectError(await complete(first, 'error=access_denied'), 400);
  const state = new URLSearchParams(answer).get('state')!;
  const refusal = new URLSearchParams({ error: 'access_denied', state, iss: provider.issuer });
  expectError(await complete(first, String(refusal)), 400);
  const { header, payload } = decode(first);
  expectError(await complete(sign(header, { ...payload, nonce: 'another' }), answer), 400);
  const clock = service.app.get<Clock, TestClock>(Clock);
  clock.ahead = 601_000;
  expectError(await complete(second, later), 400);
  clock.ahead = 0;
  expect((await complete(second, later)).status).toBe(200);
  expect(await tokenWorks(second)).toBe(false); // a ticket is no access token
});

test('a clock of the provider that differs by half a minute, and a JWT_SECRET that is rotated meanwhile, harm nothing', async () => {
  const [login, answer] = await signIn('anna');
  const rotated = { JWT_SECRET: 'r'.repeat(40), JWT_PREVIOUS_SECRET: TEST_SECRET };
  const other = await service.another({ ...settings, ...rotated });
  const now = jest.spyOn(Date, 'now').mockImplementation(() => performance.timeOrigin + performance.now() - 25_000); // prettier-ignore
  const { status } = await complete(login, answer, other);
  now.mockRestore();
  expect(status).toBe(200);
});

test('an account that nobody has, an address that is not verified, and a disabled user are 403', async () => {
  await givenLinked('unverified-carl');
  await givenLinked('dora');
  await admin('user', 'disable', 'dora');
  expectError(await complete(...(await signIn('nobody'))), 403, /linked to your company account/);
  expectError(await complete(...(await signIn('unverified-carl'))), 403, /is not verified/);
  expectError(await complete(...(await signIn('dora'))), 403, /account is disabled/);
  const refused = await service.database.query(
    `SELECT details ->> 'reason' AS reason, details ->> 'account' AS account FROM audit_log
     WHERE action = 'login' AND outcome = 'refused' ORDER BY at`,
  );
  expect(refused).toEqual([
    { reason: 'company_account_unknown', account: 'nobody@company.example' },
    {
      reason: 'company_address_unverified',
      account: 'unverified-carl@company.example',
    },
    { reason: 'account_disabled', account: null },
  ]);
});

test('a link is bound to the subject of the first sign-in; unlinking ends the tokens', async () => {
  await givenLinked('emil');
  const { body } = await complete(...(await signIn('emil')));
  await service.database.query(
    `UPDATE company_accounts SET subject = 'before' WHERE account = 'emil@company.example'`,
  );
  expectError(await complete(...(await signIn('emil'))), 403); // somebody else has got the address
  await admin('user', 'unlink', 'emil');
  expect(await tokenWorks(body.access_token as string)).toBe(false);
  await givenUser(service, { username: 'fritz' });
  await admin('user', 'set-kind', 'fritz', 'person');
  const taken = await admin('user', 'link', 'fritz', '--account', 'anna@company.example');
  expect([taken.status, taken.stderr]).toEqual([1, expect.stringMatching(/to another user/)]);
  await admin('user', 'link', 'fritz', '--account', 'fritz@company.example');
  await admin('user', 'set-kind', 'fritz', 'till');
  expect((await admin('user', 'unlink', 'fritz')).stdout).toMatch(/has no company account,/);
});

test('linked people cannot log in by password where the setting says so, and tills always can', async () => {
  const strict = await service.another({ ...settings, COMPANY_LOGIN_AND_PASSWORDS: false });
  const till = await givenTill(service);
  expect((await strict.client.login(till.username, till.password)).status).toBe(200);
  expectError(await strict.client.login('anna', 'right password'), 403, /with the company account/);
  expectError(await strict.client.login('anna', 'wrong password'), 401);
  expect((await service.client.login('anna', 'right password')).status).toBe(200);
  const ways = async ({ client }: TestApp) => (await client.get('/api/v1/auth/ways')).body;
  const minutes = { sign_out_minutes: 30 };
  expect(await ways(strict)).toEqual({ password: false, company: true, ...minutes });
  expect(await ways(service)).toEqual({ password: true, company: true, ...minutes });
});

test('a person without a password signs in with the company account alone, and need not change one', async () => {
  await admin('user', 'add', 'gina', '--person', '--without-password');
  await admin('user', 'link', 'gina', '--account', 'gina@company.example');
  for (const password of ['', ' ', 'right password'])
    expect((await service.client.login('gina', password)).status).not.toBe(200);
  const { body } = await complete(...(await signIn('gina')));
  expect(body.restricted).toBeUndefined();
  expect(await tokenWorks(body.access_token as string)).toBe(true);
});

test('the provider ends the tokens of a person by a logout token, and nobody else can', async () => {
  const { body } = await complete(...(await signIn('anna')));
  const logOut = (form: Record<string, string>) =>
    service.client.send('POST', `${COMPANY}/logout`, String(new URLSearchParams(form)), {
      'Content-Type': 'application/x-www-form-urlencoded',
    });
  const forged = sign({ alg: 'HS256' }, decode(provider.logoutToken({ sub: 'anna' })).payload);
  for (const logout_token of [
    forged,
    provider.logoutToken({ sub: 'anna' }, 'JWT'),
    provider.logoutToken({ sub: 'anna', nonce: 'x' }),
    provider.logoutToken({ sub: 'anna', aud: 'another' }),
    provider.logoutToken({ sub: 'anna', events: {} }),
    provider.logoutToken({ sub: 'anna', iat: 1, exp: 2 }),
  ])
    expectError(await logOut({ logout_token }), 400, /logout token/);
  expectError(await logOut({}), 400, /logout_token is missing/);
  expect(await tokenWorks(body.access_token as string)).toBe(true);
  expect((await logOut({ logout_token: provider.logoutToken({ sub: 'nobody' }) })).body).toEqual({ revoked: 0 }); // prettier-ignore
  const { body: ended } = await logOut({ logout_token: provider.logoutToken({ sub: 'anna' }) });
  expect(ended.revoked).toBeGreaterThanOrEqual(1);
  expect(await tokenWorks(body.access_token as string)).toBe(false);
});

test('a sign-in is 503 within the time limit while the provider is away or silent; the start and passwords do not depend on it', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const port = (silent.address() as AddressInfo).port;
  for (const address of ['http://127.0.0.1:9', `http://127.0.0.1:${port}`]) {
    const instance = await service.another({ ...settings, COMPANY_LOGIN_ISSUER: address });
    const answer = await instance.client.post(`${COMPANY}/begin`, { prompt: 'continue' });
    expectError(answer, 503, /does not answer/);
    expect(answer.headers.get('Retry-After')).toBe('5');
    expect((await instance.client.login('anna', 'right password')).status).toBe(200);
    const [login, given] = await signIn('anna');
    Object.assign(instance.config, settings); // it is back: nothing has to be restarted
    expect((await complete(login, given, instance)).status).toBe(200);
  }
  silent.closeAllConnections();
  silent.close();
});

test('a sign-in is 503 where the provider does not take the secret of the service', async () => {
  const wrong = await service.another({ ...settings, COMPANY_LOGIN_CLIENT_SECRET: 'another' });
  expectError(await complete(...(await signIn('anna')), wrong), 503, /does not answer/);
});

describe('An attacker', () => {
  test('gets nothing with two tabs: an answer belongs to the sign-in that began in the same tab', async () => {
    await givenLinked('mallory');
    const [[victim, ofVictim], [first, ofFirst], [second, ofSecond]] = [
      await signIn('anna'),
      await signIn('mallory'),
      await signIn('mallory'),
    ];
    for (const [ticket, answer] of [
      [first, ofSecond], // a login begun in one tab, completed in another
      [second, ofFirst],
      [first, ofVictim], // the victim's answer, without what the victim's tab keeps
      [victim, ofFirst], // the victim, to be signed in as the attacker
    ])
      expectError(await complete(ticket!, answer!), 400, /was not completed/);
    // State and issuer of the one with the code of the other: verifier and nonce are of the tab.
    const mixed = new URLSearchParams(ofFirst);
    mixed.set('code', new URLSearchParams(ofVictim).get('code')!);
    expectError(await complete(first, String(mixed)), 400, /was not completed/);
    expect((await complete(victim, ofVictim)).body.username).toBe('anna');
    expect((await complete(second, ofSecond)).body.username).toBe('mallory');
  });

  test('gets nothing with a stolen ticket', async () => {
    const [ticket, answer] = await signIn('anna');
    const [, own] = await signIn('mallory');
    expect(await tokenWorks(ticket)).toBe(false);
    const { header, payload } = decode(ticket);
    const state = new URLSearchParams(own).get('state');
    const forged = sign(header, { ...payload, state }, { secret: 'x'.repeat(40) });
    for (const stolen of [ticket, forged]) expectError(await complete(stolen, own), 400);
    const parts = new URLSearchParams(own);
    parts.set('state', (payload as { state: string }).state);
    expectError(await complete(ticket, String(parts)), 400); // PKCE: the code has another verifier
    expect((await complete(ticket, answer)).body.username).toBe('anna');
    for (const again of [answer, String(parts)]) expectError(await complete(ticket, again), 400);
  });
});

test('a key that the provider has rotated is read once the known ones are a minute old, for sign-ins and logouts', async () => {
  const warm = await service.another(settings);
  expect((await complete(...(await signIn('anna')), warm)).status).toBe(200);
  const logOut = (token = provider.logoutToken({ sub: 'anna' })) =>
    warm.client.send('POST', `${COMPANY}/logout`, `logout_token=${token}`, {
      'Content-Type': 'application/x-www-form-urlencoded',
    });
  expect((await logOut()).status).toBe(200);
  const port = Number(new URL(provider.issuer).port);
  await provider.stop();
  provider = await IdentityProvider.start(`${service.url}/app/`, port);
  // A flood of unknown keys makes no flood of requests to the provider.
  expectError(await complete(...(await signIn('anna')), warm), 503, /try again in a moment/);
  expectError(await logOut(), 400, /logout token/);
  const token = provider.logoutToken({ sub: 'anna' });
  const later = performance.timeOrigin + 61_000;
  const now = jest.spyOn(Date, 'now').mockImplementation(() => later + performance.now());
  const { status } = await complete(...(await signIn('anna')), warm);
  const ended = await logOut(token);
  now.mockRestore();
  expect([status, ended.status]).toEqual([200, 200]);
});

test('at most twenty exchanges with the provider at once, and 503 for more', async () => {
  let [open, most] = [0, 0];
  const hanging = createServer((request, response) => {
    if (request.method === 'GET') return void response.setHeader('Content-Type', 'application/json').end(metadata); // prettier-ignore
    most = Math.max(most, ++open);
    response.on('close', () => open--);
  }).listen(0, '127.0.0.1');
  await once(hanging, 'listening');
  const issuer = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
  const endpoints = { authorization_endpoint: issuer, token_endpoint: issuer, jwks_uri: issuer };
  const metadata = JSON.stringify({ issuer, ...endpoints });
  const instance = await service.another({ ...settings, COMPANY_LOGIN_ISSUER: issuer });
  const { body } = await instance.client.post(`${COMPANY}/begin`, { prompt: 'continue' });
  const { state } = decode(body.login as string).payload as { state: string };
  const answer = String(new URLSearchParams({ code: 'x', state }));
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => complete(body.login as string, answer, instance)),
  );
  const codes = answers.map(({ headers }) => headers.get('X-Error-Code'));
  expect(new Set(codes)).toEqual(new Set(['company_provider_away', 'overloaded']));
  expect(most).toBe(20);
  hanging.closeAllConnections();
  hanging.close();
});

test('a sign-in is 404 where the company account is not set up', async () => {
  const plain = await service.another({ COMPANY_LOGIN_ISSUER: '' });
  expectError(await plain.client.post(`${COMPANY}/begin`, { prompt: 'continue' }), 404);
  expectError(await plain.client.post(`${COMPANY}/complete`, { login: 'x', answer: 'x' }), 404);
});
