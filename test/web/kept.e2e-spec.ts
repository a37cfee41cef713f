import { readFileSync } from 'node:fs';
import readExcelFile from 'read-excel-file/node';
import { BusinessCalendar } from '../../src/calendar/business-calendar.js';
import { givenTill } from '../support/given.js';
import { day, record } from '../support/records.js';
import { seed } from '../support/seed.js';
import { says, signIn, startWeb } from './web-page.js';

/** Nothing that a person did gets lost: neither for a second without a network, nor by going back. */
const web = startWeb();
beforeAll(() => {
  jest.spyOn(web.service.app.get(BusinessCalendar), 'today').mockReturnValue('2025-10-16');
});

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
}

test('a view that is opened in a second without a network says so, and comes by itself', async () => {
  const { username } = await givenTill(web.service, { restaurants: [401] });
  const { page } = await web.open('words');
  await page.route('**/more-views-*.js*', (route) => route.abort());
  await signIn(page, username);
  await says(page, 'The service cannot be reached. The page tries again by itself.');
  await page.unroute('**/more-views-*.js*');
  const again = page.waitForRequest(/more-views-.*\.js\?again=\d+$/);
  await page.evaluate(`dispatchEvent(new Event('online'))`);
  await again;
  await page.getByRole('heading', { name: 'Glossary' }).waitFor();
});

test('a view of a service that was renewed says what to do', async () => {
  const { username } = await givenTill(web.service, { restaurants: [401] });
  const { page } = await web.open('words');
  await page.route('**/more-views-*.js*', (route) => route.fulfill({ status: 404, body: '{}' }));
  await signIn(page, username);
  await says(page, 'The service was renewed since this page was opened: reload the page.');
});

test('going back: period, order, filter and place are as they were', async () => {
  const restaurants = Array.from({ length: 40 }, (_, index) => 410 + index);
  const { username, token } = await givenTill(web.service, { restaurants });
  for (const id of restaurants)
    await web.upload(token, [record({ restaurant_id: id, gto: id, orders: 1000 - id })]);
  const { page } = await web.open('sales', { username });
  await page.getByLabel('Period', { exact: true }).selectOption('Last 7 days');
  const table = page.getByRole('region', { name: 'Totals by restaurant' });
  await table.getByRole('button', { name: 'Orders' }).click();
  await page.getByLabel('Name or number').fill('restaurant 4');
  const first = table.getByRole('rowheader').first();
  expect(await first.innerText()).toMatch(/Restaurant 410/);
  const row = table.getByRole('link', { name: 'Restaurant 440' });
  await row.scrollIntoViewIfNeeded();
  const top = await page.evaluate<number>('scrollY');
  const inTable = await table.evaluate(({ scrollTop }: any) => scrollTop as number);
  expect([top > 100, inTable > 100]).toEqual([true, true]);
  const kept = '[history.state?.scroll, history.state?.["scroll of Totals by restaurant"]]';
  await until(async () => String(await page.evaluate(kept)) === `${top},${inTable}`);
  await row.click();
  await page.getByRole('heading', { level: 1, name: 'Restaurant 440' }).waitFor();
  expect(await page.evaluate('scrollY')).toBe(0);
  await page.goBack();
  await row.waitFor();
  await until(async () => (await page.evaluate<number>('scrollY')) === top);
  expect(await table.evaluate(({ scrollTop }: any) => scrollTop as number)).toBe(inTable);
  await says(page, 'Thu 9 Oct 2025 to Wed 15 Oct 2025 (7 days)');
  expect(await page.getByLabel('Name or number').inputValue()).toBe('restaurant 4');
  const orders = table.getByRole('columnheader', { name: 'Orders' });
  expect(await orders.getAttribute('aria-sort')).toBe('descending');
});

test('requests of a view that is left end', async () => {
  const { username } = await givenTill(web.service, { restaurants: [401] });
  const { page } = await web.open('', { username });
  await page.getByRole('region', { name: 'Missing', exact: true }).waitFor();
  await page.route('**/sales/totals?**', () => undefined); // is never answered
  const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('totals'));
  await web.show(page, 'sales');
  await page.getByText('Loading…').waitFor();
  await web.show(page, 'words');
  expect((await ended).failure()?.errorText).toBe('net::ERR_ABORTED');
});

test('a day of zeros over expected hours is a line of Today', async () => {
  const { username, token } = await givenTill(web.service, { restaurants: [402] });
  const zeros = { gto: 0, orders: 0, pax: 0, gst: 0, svc: 0, cash: 0, nets: 0, visa: 0 };
  await web.upload(token, day({ restaurant_id: 402, ...zeros }));
  const { page } = await web.open('', { username });
  await says(page, '1 of 1 restaurant has sent, but sold nothing', 'sent, but nothing sold');
});

test('a workbook of nearly a thousand restaurants is made, with real numbers', async () => {
  const ids = Array.from({ length: 950 }, (_, index) => 5001 + index);
  await seed(web.service.database, { username: 'chain', restaurants: ids });
  const { page, problems } = await web.open('sales?period=yesterday', { username: 'chain' });
  const card = page.locator('.card', { has: page.getByRole('heading', { name: 'Restaurants' }) });
  const saved = page.waitForEvent('download');
  await card.getByRole('button', { name: 'Excel' }).click();
  const [sheet] = await readExcelFile(readFileSync(await (await saved).path()));
  const rows = sheet!.data;
  expect(rows.length).toBeGreaterThan(950);
  expect(rows[0]!.slice(0, 3)).toEqual(['Restaurant', 'Number', 'Turnover']);
  expect(rows[1]!.slice(0, 3)).toEqual([expect.any(String), expect.any(String), 0]);
  expect(problems).toEqual([]);
});
