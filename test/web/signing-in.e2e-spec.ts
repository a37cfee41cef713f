import { givenTill } from '../support/given.js';
import { record } from '../support/records.js';
import { says, signIn, signOut, startWeb } from './web-page.js';

const web = startWeb();

const NOTHING = 'Nothing was uploaded for this day';

let username: string;
let token: string;
beforeEach(async () => ({ username, token } = await givenTill(web.service)));

test('a wrong password is the words of the service, the right one signs in, by keyboard alone', async () => {
  const { page, problems } = await web.open();
  await page.locator('input[name=username]:focus').waitFor();
  await page.keyboard.type(username);
  await page.keyboard.press('Tab');
  await page.keyboard.type('wrong password');
  await page.keyboard.press('Enter');
  const rejected = await web.service.client.login(username, 'another wrong password');
  await page.getByRole('alert').filter({ hasText: rejected.body.error }).waitFor();
  await page.locator('input[name=password]:focus').waitFor();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('input[name=password]:focus').fill('right password');
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Views' }).waitFor();
  expect(problems).toEqual([]);
});

test('who must wait for long is told in minutes', async () => {
  const { page } = await web.open();
  const body = JSON.stringify({ error: 'too many failed logins: please try again in 895 seconds' });
  await page.route('**/auth/login', (route) =>
    route.fulfill({ status: 429, contentType: 'application/json', body }),
  );
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill('wrong password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await says(page, 'too many failed logins: please try again in 15 minutes');
});

test('a link opened in a new tab is signed in, and signing out signs all tabs out', async () => {
  const { page } = await web.open();
  const request = page.waitForRequest(/\/api\/v1\/restaurants/);
  await signIn(page, username);
  const used = (await (await request).headerValue('authorization'))!.replace('Bearer ', '');
  const answered = async () =>
    (await web.service.client.get('/api/v1/restaurants', { token: used })).status;
  await web.show(page, 'day/101/2025-10-15');
  await says(page, NOTHING);
  await page.reload();
  await says(page, NOTHING);
  expect(await page.evaluate('[localStorage.length, document.cookie]')).toEqual([0, '']);
  const other = await page.context().newPage();
  await other.goto(`${web.service.url}/app/#/day/101/2025-10-14`);
  await says(other, NOTHING);
  expect(await answered()).toBe(200);
  await signOut(other);
  await says(other, 'You are signed out.');
  await says(page, 'You signed out in another tab.');
  expect(await answered()).toBe(401);
  await page.reload();
  await page.getByLabel('Username').waitFor();
  await signIn(other, username);
  await says(page, NOTHING); // the tab that waited comes back to its view
});

test('a session that ended asks for the password, and comes back to what was typed', async () => {
  await web.upload(token, [record({ hour: 9 })]);
  const { page } = await web.open('day/101/2025-10-15', { username });
  await page.getByRole('button', { name: 'Correct by hand' }).click();
  await page.getByLabel('09:00 Turnover').fill('1260.50');
  await web.service.client.post('/api/v1/auth/revoke', { all: true }, { token });
  await page.getByRole('button', { name: 'Check 1 hour' }).click();
  await says(page, 'Your session has ended. Sign in again, and go on where you were.');
  const asked: string[] = [];
  page.on('request', (request) => {
    if (!request.headers()['authorization']) asked.push(new URL(request.url()).pathname);
  });
  await page.evaluate(`dispatchEvent(new Event('online'))`); // loads again what is shown
  expect(await page.getByLabel('Username').inputValue()).toBe(username);
  await page.getByLabel('Password').fill('right password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  expect(await page.getByLabel('09:00 Turnover').inputValue()).toBe('1260.50');
  await page.getByRole('button', { name: 'Check 1 hour' }).click();
  await page
    .getByRole('dialog', { name: 'Save 1 hour of Restaurant 101, Wed 15 Oct 2025?' })
    .waitFor();
  expect(asked).toEqual(['/api/v1/auth/login']);
});

test('the own restaurants are listed, and signing out everywhere ends every session', async () => {
  const { page } = await web.open('account', { username });
  const restaurants = page.getByRole('region', { name: 'My restaurants' });
  expect((await restaurants.innerText()).replace(/\s+/g, ' ')).toContain('Restaurant 101 101');
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await says(page, 'You are signed out everywhere.');
  expect((await web.service.client.get('/api/v1/restaurants', { token })).status).toBe(401);
});

test('the password is changed; the tabs of this browser go on, and other sessions end', async () => {
  const { page } = await web.open('account', { username });
  const other = await page.context().newPage();
  await other.goto(`${web.service.url}/app/#/account`);
  await other.getByRole('heading', { name: 'Account' }).waitFor();
  const change = async (current: string, next: string, again = next): Promise<void> => {
    await page.getByLabel('Current password').fill(current);
    await page.getByLabel('New password', { exact: true }).fill(next);
    await page.getByLabel('Repeat new password').fill(again);
    await page.getByRole('button', { name: 'Change password' }).click();
  };
  await change('right password', 'a better passphrase', 'another one');
  await says(page, 'The new passwords differ.');
  await change('right password', 'short');
  await page
    .getByRole('alert')
    .filter({ hasText: /12 characters/ })
    .waitFor();
  await change('right password', 'a better passphrase');
  await says(page, 'The password is changed. All other sessions have ended.');
  expect((await web.service.client.get('/api/v1/restaurants', { token })).status).toBe(401);
  await web.show(other, 'day/101/2025-10-01');
  await says(other, NOTHING);
});
