import { givenRestaurant, givenTill } from '../support/given.js';
import { accessibilityViolations, openPage, signIn, startWeb } from './web-page.js';

const web = startWeb();

test('a wrong password is the words of the service, the right one signs in, by keyboard alone', async () => {
  const { username } = await givenTill(web.service);
  const { page, problems } = await openPage(web.browser, web.service.url);
  await page.locator('input[name=username]:focus').waitFor();
  await page.keyboard.type(username);
  await page.keyboard.press('Tab');
  await page.keyboard.type('wrong password');
  await page.keyboard.press('Enter');
  const rejected = await web.service.client.login(username, 'another wrong password');
  await page.getByRole('alert').filter({ hasText: rejected.body.error }).waitFor();
  await page.getByLabel('Password').fill('right password');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  expect(problems).toEqual([]);
});

test('the token is in memory only: a reload asks again and keeps the address', async () => {
  const { username } = await givenTill(web.service);
  const { page } = await openPage(web.browser, web.service.url);
  await signIn(page, username);
  await page.goto(`${web.service.url}/app/#/day/101/2025-10-15`);
  await page.getByText('Nothing was uploaded for this day.').waitFor();
  const kept = await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie, location.href]');
  expect(kept).toEqual([0, 0, '', `${web.service.url}/app/#/day/101/2025-10-15`]);
  await page.reload();
  await signIn(page, username);
  await page.getByText('Nothing was uploaded for this day.').waitFor();
});

test('signing out revokes the token', async () => {
  const { username } = await givenTill(web.service);
  const { page } = await openPage(web.browser, web.service.url);
  const request = page.waitForRequest(/\/api\/v1\/restaurants/);
  await signIn(page, username);
  const token = (await (await request).headerValue('authorization'))!.replace('Bearer ', '');
  expect((await web.service.client.get('/api/v1/restaurants', { token })).status).toBe(200);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('You are signed out.').waitFor();
  expect((await web.service.client.get('/api/v1/restaurants', { token })).status).toBe(401);
});

test('a session that ended asks for the password, and then shows the same view', async () => {
  const { username, token } = await givenTill(web.service);
  const { page } = await openPage(web.browser, web.service.url);
  await signIn(page, username);
  await web.service.client.post('/api/v1/auth/revoke', { all: true }, { token });
  await page.goto(`${web.service.url}/app/#/day/101/2025-10-15`);
  await page.getByText('Your session has ended. Sign in again.').waitFor();
  await signIn(page, username);
  await page.getByText('Nothing was uploaded for this day.').waitFor();
});

test('a name that is HTML stays text', async () => {
  const name = '<img src=x onerror=alert(1)>';
  await givenRestaurant(web.service, 666, name);
  const { username } = await givenTill(web.service, { restaurants: [666] });
  const { page, problems } = await openPage(web.browser, web.service.url);
  await signIn(page, username);
  await page.getByRole('rowheader', { name }).waitFor();
  await page.goto(`${web.service.url}/app/#/day/666/2025-10-15`);
  await page.getByRole('heading', { name }).and(page.locator(':focus')).waitFor();
  expect(await page.title()).toBe(`${name} · Hourly sales`);
  expect(await page.locator('img').count()).toBe(0);
  expect(problems).toEqual([]);
});

test.each(['light', 'dark'] as const)('axe-core finds nothing, in %s', async (colorScheme) => {
  const { page } = await openPage(web.browser, web.service.url, { colorScheme });
  await page.getByLabel('Username').waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
});
