import type { Page } from 'playwright-core';
import { BusinessCalendar } from '../../src/config/business-calendar.js';
import { givenRestaurant, givenTill } from '../support/given.js';
import { day, record } from '../support/records.js';
import { seed } from '../support/seed.js';
import { stretched } from '../support/time-limits.js';
import { openPage, signIn, startWeb } from './web-page.js';

const TODAY = '2025-10-16';
const YESTERDAY = '2025-10-15';

const web = startWeb();
beforeAll(() => jest.spyOn(web.service.app.get(BusinessCalendar), 'today').mockReturnValue(TODAY));

async function openCalendar(
  username: string,
  options: Parameters<typeof openPage>[2] = {},
): Promise<Page> {
  const { page } = await openPage(web.browser, web.service.url, options);
  await signIn(page, username);
  await page.getByRole('grid').waitFor();
  return page;
}

/** What the cell of a restaurant and a date says. */
const cell = (page: Page, restaurant: string, date: string) =>
  page
    .getByRole('row', { name: restaurant })
    .getByRole('gridcell', { name: new RegExp(`^${date}`) });

describe('Restaurants that have sent everything, some hours, and nothing', () => {
  let username: string;
  beforeAll(async () => {
    const till = await givenTill(web.service, { restaurants: [201, 202, 203, 204] });
    username = till.username;
    const upload = async (records: object[]): Promise<void> => {
      expect((await web.service.client.upload(till.token, records)).status).toBe(200);
    };
    await upload(day({ restaurant_id: 201 }));
    await upload([record({ restaurant_id: 202 })]);
    await upload(day({ restaurant_id: 204, gto: 1 }));
    await upload([record({ restaurant_id: 204, date: '2025-09-20' })]);
  });

  test('the summary says who is missing yesterday, and each cell its state', async () => {
    const page = await openCalendar(username);
    const summary = page.getByRole('region', { name: 'Summary' });
    await summary.getByText('of 24 hours').waitFor();
    expect(await summary.innerText()).toMatch(/^Yesterday, .*15 .*: 1 of 4 restaurants missing, 1 partial\.\s+Missing: Restaurant 203\s+Partial: Restaurant 202 \(1 of 24 hours\)/); // prettier-ignore
    const states = { 201: 'complete', 202: 'partial', 203: 'missing', 204: 'complete' };
    for (const [id, state] of Object.entries(states)) {
      expect(await cell(page, `Restaurant ${id}`, YESTERDAY).getAttribute('aria-label')).toBe(
        `${YESTERDAY} ${state}`,
      );
    }
    await page.getByRole('link', { name: 'Restaurant 203' }).click();
    await page.getByText('Nothing was uploaded for this day.').waitFor();
    expect(page.url()).toMatch(/#\/day\/203\/2025-10-15$/);
  });

  test('a click opens the day, and going back keeps the filter', async () => {
    const page = await openCalendar(username);
    await page.getByLabel('Restaurant', { exact: true }).fill('rant 202');
    await page.getByText('1 of 4 restaurants', { exact: true }).waitFor();
    await cell(page, 'Restaurant 202', YESTERDAY).click();
    await page.getByText('Missing hours: 0, 1,').waitFor();
    await page.goBack();
    await page.getByText('1 of 4 restaurants', { exact: true }).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
  });

  test('only incomplete restaurants, and four weeks earlier', async () => {
    const page = await openCalendar(username);
    await page.getByRole('button', { name: '← Earlier' }).click();
    await cell(page, 'Restaurant 204', '2025-09-15').waitFor();
    expect(page.url()).toContain('to=2025-09-18');
    await page.getByRole('button', { name: 'Later →' }).click();
    await page.getByLabel('Only incomplete').selectOption('yesterday');
    await page.getByText('2 of 4 restaurants', { exact: true }).waitFor();
    await cell(page, 'Restaurant 202', YESTERDAY).waitFor();
    await page.getByLabel('Only incomplete').selectOption('in five weeks');
    await page.getByText('4 restaurants', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Later →' }).isDisabled()).toBe(true);
  });

  test('by keyboard alone: the arrows move, Enter opens', async () => {
    const page = await openCalendar(username);
    await cell(page, 'Restaurant 201', '2025-10-16').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowLeft');
    await page.locator(':focus[aria-label="2025-10-15 partial"]').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Restaurant 202' }).waitFor();
  });

  test('what was sold yesterday, against the same weekday before, and what is not alike', async () => {
    const { token } = await givenTill(web.service, { restaurants: [201, 202] });
    await web.service.client.upload(token, [record({ restaurant_id: 202, date: '2025-10-08', gto: 5000.5 })]); // prettier-ignore
    const page = await openCalendar(username);
    const summary = page.getByRole('region', { name: 'Summary' });
    await summary.getByText('Sold yesterday: 3,956.50 by 3 of 4 restaurants, 20.9% below the Wednesday before.').waitFor(); // prettier-ignore
    await summary.getByText('1 restaurant missing, 1 restaurant partial; the Wednesday before: 3 restaurants missing, 1 restaurant partial.').waitFor(); // prettier-ignore
    await page.getByRole('link', { name: 'Turnover of 35 days' }).click();
    await page.getByText('11 Sept 2025 – Wed, 15 Oct 2025: 4 restaurants').waitFor();
  });

  test('a name is found without its accents', async () => {
    await givenRestaurant(web.service, 205, 'Café Zürich');
    const { username: other } = await givenTill(web.service, { restaurants: [201, 205] });
    const page = await openCalendar(other);
    await page.getByLabel('Restaurant', { exact: true }).fill('cafe zur');
    await page.getByText('1 of 2 restaurants', { exact: true }).waitFor();
    await page.getByRole('row', { name: 'Café Zürich' }).waitFor();
  });

  test('hours that come in are shown within a minute', async () => {
    const { username: other, token } = await givenTill(web.service, { restaurants: [206] });
    const { page } = await openPage(web.browser, web.service.url);
    await page.clock.install();
    await signIn(page, other);
    await page.getByText('No sales yesterday yet.').waitFor();
    await web.service.client.upload(token, day({ restaurant_id: 206 }));
    await page.clock.runFor(61_000);
    await page.getByText('all 1 restaurant has sent everything.').waitFor();
  });

  test('while the service is away, a sentence says so, and the page tries again', async () => {
    const { page } = await openPage(web.browser, web.service.url);
    await page.route('**/calendar?**limit=1', (route) => route.continue());
    await page.route('**/calendar?**', (route) => (route.request().url().includes('limit') ? route.continue() : route.abort())); // prettier-ignore
    await signIn(page, username);
    await page.getByRole('alert').filter({ hasText: 'The service cannot be reached.' }).waitFor();
    await page.unroute('**/calendar?**');
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await page.getByRole('grid').waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  });
});

test('today is the date of the service, where the browser has another one', async () => {
  const { username } = await givenTill(web.service, { restaurants: [301] });
  const { page } = await openPage(web.browser, web.service.url, { timezoneId: 'Asia/Singapore' });
  await page.clock.setFixedTime(new Date(`${TODAY}T23:30:00Z`)); // in Singapore, the day after
  await page.reload();
  await signIn(page, username);
  const summary = page.getByRole('region', { name: 'Summary' });
  await summary.getByText(/^Yesterday, .*15 .*: 1 of 1 restaurant missing/).waitFor();
  await page.getByText('Days end at midnight in UTC').waitFor();
  expect(await cell(page, 'Restaurant 301', TODAY).getAttribute('aria-label')).toBe(
    `${TODAY} today`,
  );
});

test('an account without restaurants is not told that all is well', async () => {
  const { username } = await givenTill(web.service, { restaurants: [] });
  const { page } = await openPage(web.browser, web.service.url);
  await signIn(page, username);
  await page.getByText('This account has no restaurants yet').waitFor();
  expect(await page.getByText(/sent everything/).count()).toBe(0);
});

test('a day on which every restaurant was closed is not complete', async () => {
  await givenRestaurant(web.service, 302);
  await web.service.database.query(
    `UPDATE restaurants SET closed = datemultirange(daterange('2020-01-01', NULL)) WHERE id = 302`,
  );
  const { username } = await givenTill(web.service, { restaurants: [302] });
  const { page } = await openPage(web.browser, web.service.url);
  await signIn(page, username);
  await page.getByText(/^Yesterday, .*: no restaurant was open/).waitFor();
});

test('a thousand restaurants: a key is answered within 100 ms, and a filter shows the row', async () => {
  const ids = Array.from({ length: 1000 }, (_, index) => 1001 + index);
  await seed(web.service.database, { username: 'office', restaurants: ids });
  const page = await openCalendar('office');
  await page.getByText(/of 1,0\d\d restaurants missing/).waitFor();
  await page.locator(`[aria-label^="${TODAY}"]`).first().focus();
  const times: number[] = [];
  for (const key of [
    'ArrowDown',
    'PageDown',
    'PageDown',
    'PageDown',
    'PageDown',
    'Control+End',
    'ArrowUp',
    'Control+Home',
  ]) {
    await page.evaluate(`(async () => {
      const drawn = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      const event = (name) =>
        new Promise((resolve) => addEventListener(name, () => resolve(performance.now()), { capture: true, once: true }));
      const idle = performance.now();
      await drawn();
      const idleMs = performance.now() - idle;
      const events = Promise.all([event('keydown'), event('focusin')]);
      window.answered = events.then(async ([begun]) => (await drawn(), performance.now() - begun - idleMs));
    })()`);
    await page.keyboard.press(key);
    times.push(await page.evaluate<number>('answered'));
  }
  await page.locator(':focus[aria-label^="2025-09-12"]').waitFor();
  expect(times.sort((one, other) => one - other)[times.length / 2]).toBeLessThan(stretched(100));
  await page.getByLabel('Restaurant', { exact: true }).fill('Restaurant 1999');
  await page.getByText(/^1 of 1,0\d\d restaurants$/).waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
});
