import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { givenTill } from '../support/given.js';
import { record } from '../support/records.js';
import { accessibilityViolations, openPage, signIn, startWeb } from './web-page.js';

const web = startWeb();
let username: string;
beforeAll(async () => {
  const till = await givenTill(web.service, { restaurants: [301, 302] });
  username = till.username;
  const upload = (restaurant_id: number, date: string, gto: number): Promise<unknown> =>
    web.service.client.upload(till.token, [record({ restaurant_id, date, gto })]);
  await upload(301, '2025-10-08', 100);
  await upload(301, '2025-10-14', 99999999999.9999);
  await upload(301, '2025-10-15', 150.5);
  await upload(302, '2025-10-15', 0.0000001);
});

async function openRange(query: string, options?: Parameters<typeof openPage>[2]): Promise<Page> {
  const { page, problems } = await openPage(web.browser, web.service.url, options);
  await page.goto(`${web.service.url}/app/#/range?from=2025-10-13&to=2025-10-15${query}`);
  await signIn(page, username);
  await page.getByRole('img', { name: 'Turnover by day' }).waitFor();
  expect(problems).toEqual([]);
  return page;
}

const tableOf = async (page: Page): Promise<string> =>
  (await page.getByRole('region', { name: 'Totals by day' }).innerText()).replace(/\s+/g, ' ');

test('totals by day are exact, beside the same weekday before', async () => {
  const text = await tableOf(await openRange('&restaurants=301'));
  expect(text).toMatch(/14 Oct 2025 99999999999\.9999 42 96 .* 0 /);
  expect(text).toMatch(/15 Oct 2025 150\.5 .* 100 \+50\.5 %/);
  expect(text).toMatch(/Total 100000000150\.4999 84 192 .* 100 /);
});

test('several restaurants are added up, and each has a line', async () => {
  const page = await openRange('&restaurants=301,302');
  expect(await tableOf(page)).toContain('150.5000001');
  expect(await page.getByRole('img', { name: 'Turnover by day' }).locator('path[stroke^="#"]').count()).toBe(2);
  await page.getByRole('listitem').filter({ hasText: 'Restaurant 302' }).waitFor();
});

test('restaurants and days are chosen in the page, and stay in the address', async () => {
  const page = await openRange('');
  await page.getByLabel(/^Restaurants/).selectOption('Restaurant 302');
  await page.getByText('0.0000001').first().waitFor();
  await page.getByLabel('First day').fill('2025-10-15');
  await page.getByRole('row', { name: /13 Oct/ }).waitFor({ state: 'detached' });
  expect(page.url()).toMatch(/#\/range\?from=2025-10-15&to=2025-10-15&restaurants=302$/);
});

test('days in the wrong order are an error in words', async () => {
  const page = await openRange('');
  await page.getByLabel('Last day').fill('2025-10-01');
  await page.getByRole('alert').filter({ hasText: 'Choose a first and a last day' }).waitFor();
});

test.each([
  ['CSV', /^restaurant_id,name,date,hours,orders,gto,.*\r\n301,Restaurant 301,2025-10-14,1,42,99999999999\.9999,/],
  ['JSON', /"restaurant_id":302,"name":"Restaurant 302","date":"2025-10-15","hours":1,"orders":42,"gto":0\.0000001,/],
])('the days of each restaurant are downloaded as %s', async (format, expected) => {
  const page = await openRange('');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `Download ${format}` }).click(),
  ]);
  expect(readFileSync(await file.path(), 'utf8')).toMatch(expected);
});

test.each(['light', 'dark'] as const)('axe-core finds nothing on a phone, in %s', async (colorScheme) => {
  const page = await openRange('', { colorScheme, viewport: { width: 360, height: 740 } });
  expect(await accessibilityViolations(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
});
