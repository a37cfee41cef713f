import { TOTP } from 'otpauth';
import { CommandLine } from '../support/command-line.js';
import { givenTill } from '../support/given.js';
import { CLIENT, IdentityProvider } from '../support/identity-provider.js';
import { accessibilityViolations, says, signIn, signOut, startWeb } from './web-page.js';

const web = startWeb({
  ...CLIENT,
  SECOND_FACTOR: 'offered',
  SECOND_FACTOR_KEY: 'k'.repeat(32),
});

let provider: IdentityProvider;
const admin = (...args: string[]) => new CommandLine(web.service.app).run(args, 'right password\n');
const COMPANY = 'Sign in with the company account';

afterAll(() => provider.stop());
beforeAll(async () => {
  const page = `${web.service.url}/app/`;
  provider = await IdentityProvider.start(page);
  await givenTill(web.service, { username: 'anna' });
  await admin('user', 'set-kind', 'anna', 'person');
});

test('a person sets up the second factor, signs in with a code, and removes it', async () => {
  const { page, problems } = await web.open('account', { username: 'anna' });
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
  await page.getByRole('img', { name: 'QR code of the secret' }).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  const secret = await page.locator('code.secret').innerText();
  await page.getByLabel('Code', { exact: true }).fill('000000');
  await page.getByRole('button', { name: 'Switch on' }).click();
  await says(page, 'the code is wrong, or was used before');
  await page.getByLabel('Code', { exact: true }).fill(new TOTP({ secret }).generate());
  await page.getByRole('button', { name: 'Switch on' }).click();
  await page.getByRole('heading', { name: 'Recovery codes' }).waitFor();
  const codes = (await page.locator('pre.secret').innerText()).split('\n');
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await says(page, 'It is on. Recovery codes that are left: 10.');
  await page.locator('#main').getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByLabel('Username').fill('anna');
  await page.getByLabel('Password').fill('wrong password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await says(page, 'the username or the password is wrong');
  await page.getByLabel('Password').fill('right password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.locator('input[name=code]:focus').fill(codes[0]!);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await says(page, /^Your last sign-in: \w+ \d+ \w+ 20\d\d, \d\d:\d\d, time of UTC, from 127\.0\.0\.1\. 1 sign-in has failed since then\.$/); // prettier-ignore
  await page.getByLabel('Password', { exact: true }).fill('right password');
  await page.getByLabel('Code', { exact: true }).fill(codes[1]!);
  await page.getByRole('button', { name: 'Remove the second factor' }).click();
  await page.getByRole('button', { name: 'Set up an authenticator app' }).waitFor();
  expect(problems).toEqual([]);
});

test('a password that an administrator has set must be changed before any view', async () => {
  await admin('user', 'add', 'jane', '--person', '--password-stdin');
  const { page } = await web.open();
  await page.getByLabel('Username').fill('jane');
  await page.getByLabel('Password').fill('right password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await says(page, 'Head office knows this password: set one of your own.', /At least 12/);
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByLabel('Current password').fill('right password');
  await page.getByLabel('New password', { exact: true }).fill('a long passphrase');
  await page.getByLabel('Repeat new password').fill('a long passphrase');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByRole('navigation', { name: 'Views' }).waitFor();
});

test('a session elsewhere is listed and ended', async () => {
  const { username, token } = await givenTill(web.service);
  const { page } = await web.open('account', { username });
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await page.getByRole('button', { name: 'End', exact: true }).waitFor({ state: 'detached' });
  expect((await web.service.client.get('/api/v1/restaurants', { token })).status).toBe(401);
});

test('without use the page signs out, says so a minute before, and keeps what was typed', async () => {
  const { username, token } = await givenTill(web.service);
  const { page } = await web.open();
  await page.clock.install();
  await page.reload();
  await signIn(page, username);
  await web.show(page, 'account');
  await page.getByLabel('Current password').fill('what was typed');
  await page.clock.fastForward(29.5 * 60_000);
  await says(page, 'you will be signed out in a minute');
  await page.clock.fastForward(60_000);
  await says(page, 'Your session has ended.');
  expect(await page.locator('input[name=current]').inputValue()).toBe('what was typed');
  expect((await web.service.client.get('/api/v1/restaurants', { token })).status).toBe(200);
});

describe('The company account', () => {
  beforeAll(async () => {
    const page = `${web.service.url}/app/`;
    const settings = { COMPANY_LOGIN_ISSUER: provider.issuer, COMPANY_LOGIN_PAGE: page };
    Object.assign(web.service.config, settings);
    await admin('user', 'link', 'anna', '--account', 'anna@company.example');
  });

  async function atProvider(page: any, name: string): Promise<void> {
    await page.locator('input[name=login]').fill(name);
    await page.locator('input[name=password]').fill('any');
    await page.getByRole('button', { name: /sign-in/i }).click();
    await page.getByRole('button', { name: /continue/i }).click();
  }

  test('signs in, back to the view; no code is in any address that is sent, no cookie is set', async () => {
    const { page, problems } = await web.open('day/101/2025-10-15');
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await page.getByRole('button', { name: COMPANY }).click();
    await atProvider(page, 'anna');
    await says(page, 'Nothing was uploaded for this day');
    expect(page.url()).toBe(`${web.service.url}/app/#/day/101/2025-10-15`);
    const own = addresses.filter((each) => each.startsWith(`${web.service.url}/api`));
    expect(own.filter((each) => /code=|token|eyJ/.test(each))).toEqual([]);
    expect(await page.evaluate('document.cookie')).toBe('');
    await signOut(page);
    await says(page, 'You are signed out.');
    await page.getByRole('button', { name: COMPANY }).waitFor();
    expect(addresses.filter((each) => each.endsWith('/company/complete'))).toHaveLength(1);
    await page.reload();
    // The provider would sign the next person in under this name: it asks for the password anew.
    await page.getByRole('button', { name: COMPANY }).click();
    await page.locator('input[name=password]').waitFor();
    expect(problems).toEqual([]);
  });

  test('after the session has ended, a new tab signs in and says to go on in the first one', async () => {
    const { page } = await web.open('account', { username: 'anna' });
    await page.getByLabel('Current password').fill('what was typed');
    const { token } = JSON.parse(await page.evaluate<string>('sessionStorage.session'));
    await web.service.client.post('/api/v1/auth/revoke', {}, { token });
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await says(page, 'Your session has ended.');
    const opened = page.waitForEvent('popup');
    await page.getByRole('button', { name: COMPANY }).click();
    await atProvider(await opened, 'anna');
    await says(await opened, 'What you typed is in the tab that you came from: go on there');
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
    expect(await page.locator('input[name=current]').inputValue()).toBe('what was typed');
  });

  test('an answer in a browser that did not begin is dropped; an account that nobody has is told so', async () => {
    const { page } = await web.open();
    await page.goto(`${web.service.url}/app/?code=stolen&state=x`);
    await page.getByLabel('Username').waitFor();
    expect(page.url()).toBe(`${web.service.url}/app/`);
    await page.getByRole('button', { name: COMPANY }).click();
    await atProvider(page, 'nobody');
    await says(page, 'no user of this service is linked');
  });

  test('a provider that is away is told as such', async () => {
    const { page } = await web.open();
    const headers = { 'X-Error-Code': 'company_provider_away' };
    const json = { error: 'the sign-in of the company does not answer' };
    await page.route('**/company/begin', (route) => route.fulfill({ status: 503, headers, json }));
    await page.getByRole('button', { name: COMPANY }).click();
    await says(page, json.error);
  });
});
