import type { Page } from 'playwright-core';
import { givenTill } from '../support/given.js';
import { day, record } from '../support/records.js';
import { seed } from '../support/seed.js';
import { stretched } from '../support/time-limits.js';
import { accessibilityViolations, openPage, signIn, startWeb } from './web-page.js';

const NOON = new Date('2025-10-16T12:00:00Z');
const YESTERDAY = '2025-10-15';

const web = startWeb();

async function openCalendar(username: string, options: Parameters<typeof openPage>[2] = {}): Promise<Page> {
  const { page } = await openPage(web.browser, web.service.url, { timezoneId: 'UTC', ...options });
  await page.clock.setFixedTime(NOON);
  await page.reload();
  await signIn(page, username);
  await page.getByRole('grid').waitFor();
  return page;
}

/** What the cell of a restaurant and a date says. */
const cell = (page: Page, restaurant: string, date: string) =>
  page.getByRole('row', { name: restaurant }).getByRole('gridcell', { name: new RegExp(`^${date}`) });

describe('Restaurants that have sent everything, some hours, nothing, and a zero day', () => {
  let username: string;
  beforeAll(async () => {
    const till = await givenTill(web.service, { restaurants: [201, 202, 203, 204] });
    username = till.username;
    const upload = async (records: object[]): Promise<void> => {
      expect((await web.service.client.upload(till.token, records)).status).toBe(200);
    };
    await upload(day({ restaurant_id: 201 }));
    await upload([record({ restaurant_id: 202 })]);
    await upload(day({ restaurant_id: 204, gto: 0 }));
    await upload([record({ restaurant_id: 204, date: '2025-09-20' })]);
  });

  test('the summary says who is missing yesterday, and each cell its state', async () => {
    const page = await openCalendar(username);
    const summary = page.getByRole('region', { name: 'Summary' });
    expect(await summary.innerText()).toMatch(/^Yesterday, .*15 .*: 1 of 4 restaurants missing, 1 partial\.\s+Missing: Restaurant 203\s+Partial: Restaurant 202$/); // prettier-ignore
    const states = { 201: 'complete', 202: 'partial', 203: 'missing', 204: 'zero day' };
    for (const [id, state] of Object.entries(states)) {
      expect(await cell(page, `Restaurant ${id}`, YESTERDAY).getAttribute('aria-label')).toBe(`${YESTERDAY} ${state}`);
    }
    await page.getByRole('link', { name: 'Restaurant 203' }).click();
    await page.getByText('Nothing was uploaded for this day.').waitFor();
    expect(page.url()).toMatch(/#\/day\/203\/2025-10-15$/);
  });

  test('a click opens the day, and going back keeps the filter', async () => {
    const page = await openCalendar(username);
    await page.getByLabel('Restaurant', { exact: true }).fill('rant 202');
    await page.locator('.count', { hasText: '1 of 4 restaurants' }).waitFor();
    await cell(page, 'Restaurant 202', YESTERDAY).click();
    await page.getByText('Missing hours: 0, 1,').waitFor();
    await page.goBack();
    await page.locator('.count', { hasText: '1 of 4 restaurants' }).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
  });

  test('only incomplete restaurants, and another month', async () => {
    const page = await openCalendar(username);
    await page.getByRole('button', { name: 'Month before' }).click();
    await cell(page, 'Restaurant 204', '2025-09-15').waitFor();
    expect(page.url()).toContain('to=2025-09-16');
    await page.getByRole('button', { name: 'Month after' }).click();
    await page.getByLabel('Only incomplete').check();
    await cell(page, 'Restaurant 202', YESTERDAY).waitFor();
    expect(await page.getByRole('button', { name: 'Month after' }).isDisabled()).toBe(true);
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

  test.each([
    ['light', { width: 1280, height: 800 }],
    ['dark', { width: 360, height: 740 }],
  ] as const)('axe-core finds nothing, in %s, on %j', async (colorScheme, viewport) => {
    const page = await openCalendar(username, { colorScheme, viewport });
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
  });
});

test('a thousand restaurants: few rows are in the page, a key is answered within 100 ms', async () => {
  const ids = Array.from({ length: 1000 }, (_, index) => 1001 + index);
  await seed(web.service.database, { username: 'office', restaurants: ids });
  const page = await openCalendar('office');
  await page.getByText(/of 100\d restaurants missing/).waitFor();
  expect(await page.getByRole('row').count()).toBeLessThan(80);
  await cell(page, 'Restaurant 1001', '2025-10-16').focus();
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
  await page.locator('.count', { hasText: /^1 of 100\d restaurants/ }).waitFor();
  await page.getByLabel('Restaurant', { exact: true }).fill('');
  await page.getByRole('row', { name: 'Restaurant 1001' }).waitFor();
  await page.evaluate(`addEventListener('beforeprint', () => {
    window.printed = document.querySelectorAll('.calendar .row').length;
  })`);
  await page.pdf();
  expect(await page.evaluate('printed')).toBeGreaterThan(1000); // all rows
});
