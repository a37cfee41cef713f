import type { Browser } from 'playwright-core';
import { startBrowser } from '../support/browser.js';
import { givenRestaurant, givenTill } from '../support/given.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { accessibilityViolations, openPage, signIn } from './web-page.js';

let service: TestApp;
let browser: Browser;
beforeAll(async () => {
  service = await createTestApp();
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await service.close();
});

test('a wrong password is the words of the service, the right one signs in, by keyboard alone', async () => {
  const { username } = await givenTill(service);
  const { page, problems } = await openPage(browser, service.url);
  await page.locator('input[name=username]:focus').waitFor();
  await page.keyboard.type(username);
  await page.keyboard.press('Tab');
  await page.keyboard.type('wrong password');
  await page.keyboard.press('Enter');
  const rejected = await service.client.login(username, 'another wrong password');
  await page.getByRole('alert').filter({ hasText: rejected.body.error }).waitFor();
  await page.getByLabel('Password').fill('right password');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  expect(problems).toEqual([]);
});

test('the token is in memory only: a reload asks again and keeps the address', async () => {
  const { username } = await givenTill(service);
  const { page } = await openPage(browser, service.url);
  await signIn(page, username);
  await page.goto(`${service.url}/app/#/day/101/2025-10-15`);
  await page.getByText('Nothing was uploaded for this day.').waitFor();
  const kept = await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie, location.href]');
  expect(kept).toEqual([0, 0, '', `${service.url}/app/#/day/101/2025-10-15`]);
  await page.reload();
  await signIn(page, username);
  await page.getByText('Nothing was uploaded for this day.').waitFor();
});

test('signing out revokes the token', async () => {
  const { username } = await givenTill(service);
  const { page } = await openPage(browser, service.url);
  const request = page.waitForRequest(/\/api\/v1\/restaurants/);
  await signIn(page, username);
  const token = (await (await request).headerValue('authorization'))!.replace('Bearer ', '');
  expect((await service.client.get('/api/v1/restaurants', { token })).status).toBe(200);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('You are signed out.').waitFor();
  expect((await service.client.get('/api/v1/restaurants', { token })).status).toBe(401);
});

test('a session that ended asks for the password, and then shows the same view', async () => {
  const { username, token } = await givenTill(service);
  const { page } = await openPage(browser, service.url);
  await signIn(page, username);
  await service.client.post('/api/v1/auth/revoke', { all: true }, { token });
  await page.goto(`${service.url}/app/#/day/101/2025-10-15`);
  await page.getByText('Your session has ended. Sign in again.').waitFor();
  await signIn(page, username);
  await page.getByText('Nothing was uploaded for this day.').waitFor();
});

test('a name that is HTML stays text', async () => {
  const name = '<img src=x onerror=alert(1)>';
  await givenRestaurant(service, 666, name);
  const { username } = await givenTill(service, { restaurants: [666] });
  const { page, problems } = await openPage(browser, service.url);
  await signIn(page, username);
  await page.getByRole('rowheader', { name }).waitFor();
  await page.goto(`${service.url}/app/#/day/666/2025-10-15`);
  await page.getByRole('heading', { name }).and(page.locator(':focus')).waitFor();
  expect(await page.title()).toBe(`${name} · Hourly sales`);
  expect(await page.locator('img').count()).toBe(0);
  expect(problems).toEqual([]);
});

test.each(['light', 'dark'] as const)('axe-core finds nothing, in %s', async (colorScheme) => {
  const { page } = await openPage(browser, service.url, { colorScheme });
  await page.getByLabel('Username').waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
});
