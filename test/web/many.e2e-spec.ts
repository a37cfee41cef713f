import type { Page } from 'playwright-core';
import { BusinessCalendar } from '../../src/calendar/business-calendar.js';
import type { RestaurantsResponse } from '../../src/restaurants/restaurants.dto.js';
import { givenTill } from '../support/given.js';
import { day } from '../support/records.js';
import { says, signIn, startWeb } from './web-page.js';

const web = startWeb();

let username: string;
beforeAll(async () => {
  jest.spyOn(web.service.app.get(BusinessCalendar), 'today').mockReturnValue('2025-10-16');
  const till = await givenTill(web.service, { restaurants: [801, 802] });
  username = till.username;
  for (const restaurant_id of [801, 802])
    for (const [date, gto] of [
      ['2025-10-15', 110],
      ['2025-10-08', 100],
    ])
      await web.upload(till.token, day({ restaurant_id, date, gto }));
});

/** Opens a view for somebody who seems to have more restaurants; collects what totals are asked for. */
async function openWith(count: number, view: string) {
  const { page, problems } = await web.open(view);
  await page.route('**/api/v1/restaurants?**', async (route) => {
    const response = await route.fetch();
    const account = (await response.json()) as Record<keyof RestaurantsResponse, unknown>;
    await route.fulfill({ response, json: { ...account, count, next: count > 1000 ? 802 : null } });
  });
  const asked: string[] = [];
  page.on('request', (request) => {
    const groups = new URL(request.url()).searchParams.get('group_by');
    if (groups !== null) asked.push(groups);
  });
  await signIn(page, username);
  return { page, problems, asked };
}

const tile = async (page: Page, label: string): Promise<string> => {
  const found = page.locator('.tiles > div', { has: page.getByText(label, { exact: true }) });
  return (await found.innerText()).replace(/\s+/g, ' ').trim();
};

const LEFT_OUT =
  'Of more than 1,000 restaurants, who rose, fell or sold nothing is not shown: choose some in Sales';

const COMPARED = ['Turnover 5,280.00 ▲ +10.0% was 4,800.00', /^Changes compare with/] as const;

test.each([
  ['', ...COMPARED],
  ['sales?from=2025-10-15', ...COMPARED],
  ['sales?period=last-7', 'Turnover 5,280.00', 'Nothing is compared: hours are missing'],
] as const)(
  'of more restaurants than the page keeps, sums alone are loaded: %s',
  async (view, turnover, compared) => {
    const { page, problems, asked } = await openWith(10_000, view);
    await says(page, LEFT_OUT, compared);
    expect(await tile(page, 'Turnover')).toBe(turnover);
    expect(asked.join()).not.toContain('restaurant');
    expect(await page.getByRole('region', { name: /Totals by restaurant|Fell most/ }).count()).toBe(0); // prettier-ignore
    expect(problems).toEqual([]);
  },
);

test('of more restaurants than the page keeps, some that are chosen are compared one by one', async () => {
  const { page } = await openWith(10_000, 'sales?from=2025-10-15&restaurants=801,802');
  await page
    .getByRole('region', { name: 'Totals by restaurant' })
    .getByText('802', { exact: true })
    .waitFor();
  expect(await page.getByText(LEFT_OUT).count()).toBe(0);
});

test('of many restaurants and days, a third request waits in the page, and none is left of a load that failed', async () => {
  const { page, asked } = await openWith(1000, 'words');
  let running = 0;
  await page.route('**/sales/totals?**', async (route) => {
    running++;
    if (!route.request().url().includes('month')) return; // it is held until it is aborted
    await page.waitForTimeout(500);
    await route.fulfill({ status: 503, json: { error: 'overloaded' } });
  });
  const failed = page.waitForEvent('requestfailed');
  await web.show(page, 'sales?period=last-365');
  expect((await failed).url()).toContain('group_by=restaurant');
  expect(running).toBe(2);
  expect(asked).toEqual(['month', 'restaurant']);
  await page.unroute('**/sales/totals?**');
  await page.locator('.tiles').waitFor(); // the page tries again by itself
  expect(asked.slice(-1)).toEqual(['weekday_hour']);
});

test('of many restaurants, it is shown how guests paid', async () => {
  const { page } = await openWith(301, 'sales?from=2025-10-15');
  await page
    .getByRole('region', { name: 'Totals by restaurant' })
    .getByText('802', { exact: true })
    .waitFor();
  await page.getByRole('region', { name: 'Payments' }).getByText('Cash').waitFor();
});

test('of some dozen restaurants, the days of those that are seen are rendered', async () => {
  const restaurants = Array.from({ length: 40 }, (_, index) => 810 + index);
  const till = await givenTill(web.service, { restaurants });
  const { page } = await web.open('days', { username: till.username });
  const table = page.getByRole('region', { name: 'Days by restaurant' });
  await table.getByText('Restaurant 810').waitFor();
  expect(await table.getByRole('row').count()).toBeLessThan(35);
  await table.evaluate((frame: any) => frame.scrollTo({ top: 9999 }));
  await table.getByText('Restaurant 849').waitFor();
});
