import { inflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { BusinessCalendar } from '../../src/calendar/business-calendar.js';
import { givenRestaurant, givenTill } from '../support/given.js';
import { day, record } from '../support/records.js';
import { seed } from '../support/seed.js';
import { stretched } from '../support/time-limits.js';
import { accessibilityViolations, chooseFiles, says, signIn, startWeb } from './web-page.js';

const TODAY = '2025-10-16';
const YESTERDAY = '2025-10-15';

const NAMES = { 501: '<img src=x onerror=alert(1)>', 502: 'W'.repeat(200), 503: 'Café Zürich' };
const VIEWS = ['', 'day/502/2025-10-15', 'range', 'range?restaurants=502', 'upload'];

/** Heights of name and legend, a line each; the legend's distance from the grid; what it hides. */
const FIRST_SCREEN = `(() => {
  const [name, legend, grid] = ['.card [title]', '.legend', '[role=grid]'].map((each) => document.querySelector(each).getBoundingClientRect());
  const { scrollWidth, clientWidth } = document.querySelector('[role=grid]');
  return [name.height, legend.height, grid.top - legend.bottom, scrollWidth - clientWidth];
})()`;

/** Contrasts (WCAG) of last week's lines with the bars and with the paper. */
const CONTRASTS = `(() => {
  const light = (selector, property) => {
    const colour = getComputedStyle(document.querySelector(selector))[property];
    const [red, green, blue] = colour.match(/\\d+/g).map((each) => each / 255).map((each) => each <= 0.04 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  };
  const contrast = (one, other) => Math.max(one / other, other / one);
  const before = light('.chart .before', 'stroke');
  return [contrast(before, light('.chart .now', 'fill')), contrast(before, light(':root', 'backgroundColor'))];
})()`;

const web = startWeb();
beforeAll(() => jest.spyOn(web.service.app.get(BusinessCalendar), 'today').mockReturnValue(TODAY));

async function openCalendar(username: string): Promise<Page> {
  const { page } = await web.open('', { username });
  await page.getByRole('grid').waitFor();
  return page;
}

/** What the cell of a restaurant and a date says. */
const cell = (page: Page, restaurant: string, date: string) =>
  page
    .getByRole('row', { name: restaurant })
    .getByRole('gridcell', { name: new RegExp(`^${date}`) });

const labelOf = (...of: Parameters<typeof cell>) => cell(...of).getAttribute('aria-label');

describe('Restaurants that have sent everything, some hours, and nothing', () => {
  let username: string;
  beforeAll(async () => {
    const till = await givenTill(web.service, { restaurants: [201, 202, 203, 204] });
    username = till.username;
    await web.upload(till.token, day({ restaurant_id: 201 }));
    await web.upload(till.token, [record({ restaurant_id: 202 })]);
    await web.upload(till.token, day({ restaurant_id: 204, gto: 1 }));
    await web.upload(till.token, [record({ restaurant_id: 204, date: '2025-09-20' })]);
  });

  test('the summary says who is missing yesterday, and each cell its state', async () => {
    const page = await openCalendar(username);
    const summary = page.getByRole('region', { name: 'Summary' });
    await summary.getByText('of 24 hours').waitFor();
    expect(await summary.innerText()).toMatch(/^Yesterday, .*15 .*: 1 of 4 restaurants missing, 1 partial\.\s+Missing: Restaurant 203\s+Partial: Restaurant 202 \(1 of 24 hours\)/); // prettier-ignore
    const states = { 201: 'complete', 202: 'partial', 203: 'missing', 204: 'complete' };
    for (const [id, state] of Object.entries(states))
      expect(await labelOf(page, `Restaurant ${id}`, YESTERDAY)).toBe(`${YESTERDAY} ${state}`);
    await page.getByRole('link', { name: 'Restaurant 203' }).click();
    await says(page, 'Nothing was uploaded for this day.');
    expect(page.url()).toMatch(/#\/day\/203\/2025-10-15$/);
  });

  test('a click or Enter opens the day, going back keeps the filter, and arrows move', async () => {
    const page = await openCalendar(username);
    await page.getByLabel('Restaurant', { exact: true }).fill('rant 202');
    await page.getByText('1 of 4 restaurants', { exact: true }).waitFor();
    await cell(page, 'Restaurant 202', YESTERDAY).click();
    await says(page, 'Missing hours: 0, 1,');
    await page.goBack();
    await page.getByText('1 of 4 restaurants', { exact: true }).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await page.getByLabel('Restaurant', { exact: true }).fill('');
    await cell(page, 'Restaurant 201', TODAY).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowLeft');
    await page.locator(`:focus[aria-label="${YESTERDAY} partial"]`).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Restaurant 202' }).waitFor();
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

  test('what was sold yesterday, against the same weekday before, and what is not alike', async () => {
    const { token } = await givenTill(web.service, { restaurants: [201, 202] });
    const before = record({ restaurant_id: 202, date: '2025-10-08', gto: 5000.5 });
    await web.upload(token, [before]);
    const page = await openCalendar(username);
    const summary = page.getByRole('region', { name: 'Summary' });
    await summary.getByText('Sold yesterday: 3,956.50 by 3 of 4 restaurants, 20.9% below the Wednesday before.').waitFor(); // prettier-ignore
    await summary.getByText('1 restaurant missing, 1 restaurant partial; the Wednesday before: 3 restaurants missing, 1 restaurant partial.').waitFor(); // prettier-ignore
    await page.getByRole('link', { name: 'Turnover of 35 days' }).click();
    await says(page, '11 Sept 2025 – Wed, 15 Oct 2025: 4 restaurants');
  });

  test('hours that come in are shown within a minute', async () => {
    const { username: other, token } = await givenTill(web.service, { restaurants: [206] });
    const { page } = await web.open();
    await page.clock.install();
    await signIn(page, other);
    await says(page, 'No sales yesterday yet.');
    await web.upload(token, day({ restaurant_id: 206 }));
    await page.clock.runFor(61_000);
    await says(page, 'all 1 restaurant has sent everything.');
  });

  test('while the service is away, a sentence says so, and the page tries again', async () => {
    const { page } = await web.open();
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
  const { page } = await web.open('', { timezoneId: 'Asia/Singapore' });
  await page.clock.setFixedTime(new Date(`${TODAY}T23:30:00Z`)); // in Singapore, the day after
  await page.reload();
  await signIn(page, username);
  const summary = page.getByRole('region', { name: 'Summary' });
  await summary.getByText(/^Yesterday, .*15 .*: 1 of 1 restaurant missing/).waitFor();
  await says(page, 'Days end at midnight in UTC');
  expect(await labelOf(page, 'Restaurant 301', TODAY)).toBe(`${TODAY} today`);
});

test.each([
  ['without restaurants', [], 'This account has no restaurants yet'],
  ['whose restaurants were all closed', [302], /^Yesterday, .*: no restaurant was open/],
])('an account %s is not told that all is well', async (_row, restaurants, text) => {
  const { username } = await givenTill(web.service, { restaurants });
  const closed = `closed = datemultirange(daterange('2020-01-01', NULL))`;
  await web.service.database.query(`UPDATE restaurants SET ${closed} WHERE id = 302`);
  const { page } = await web.open('', { username });
  await says(page, text);
  expect(await page.getByText(/sent everything/).count()).toBe(0);
});

test('a thousand restaurants: a key is answered within 100 ms, and a filter shows the row; each sheet has a head', async () => {
  const ids = Array.from({ length: 1000 }, (_, index) => 1001 + index);
  await seed(web.service.database, { username: 'office', restaurants: ids });
  const page = await openCalendar('office');
  await page.getByText(/of 1,0\d\d restaurants missing/).waitFor();
  await page.locator(`[aria-label^="${TODAY}"]`).first().focus();
  const times: number[] = [];
  const keys = 'ArrowDown PageDown PageDown PageDown PageDown Control+End ArrowUp Control+Home';
  for (const key of keys.split(' ')) {
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
  await page.getByLabel('Restaurant', { exact: true }).fill('Restaurant 19');
  await says(page, /^10\d of 1,0\d\d restaurants$/);
  const days = '03Fri04Sat05Sun06Mon07Tue08Wed09Thu10Fri11Sat12Sun13Mon14Tue15Wed16Thu';
  await expectOnSheets(page, days);
  await web.show(page, `range?restaurants=${ids.slice(0, 80).join()}`);
  await page.getByRole('region', { name: 'Totals by restaurant' }).waitFor();
  await expectOnSheets(page, 'TurnoverChangeCoversAverage per coverHoursOrders');
});

/** Prints several sheets, each of which has the head of a table. */
async function expectOnSheets(page: Page, head: string): Promise<void> {
  const sheets = await print(page);
  expect(sheets.length).toBeGreaterThan(1);
  for (const sheet of sheets) expect(sheet).toContain(head);
}

/** The texts of the sheets of a PDF; its fonts number glyphs from the space on, which is 3. */
async function print(page: Page): Promise<string[]> {
  const pdf = (await page.pdf()).toString('latin1');
  const streams = [...pdf.matchAll(/\/FlateDecode[^]*?stream\n([^]*?)\nendstream/g)];
  const drawn = streams.map(([, each]) => String(inflateSync(Buffer.from(each!, 'latin1'))));
  const glyphs = drawn.map((each) => [...each.matchAll(/<(\w{4})> Tj/g)]);
  const codes = glyphs.map((all) => all.map(([, glyph]) => parseInt(glyph!, 16) + 29));
  return codes.flatMap((all) => (all.length === 0 ? [] : [String.fromCharCode(...all)]));
}

describe('Every view', () => {
  let username: string;
  beforeAll(async () => {
    for (const [id, name] of Object.entries(NAMES))
      await givenRestaurant(web.service, Number(id), name);
    const till = await givenTill(web.service, { restaurants: [501, 502, 503] });
    username = till.username;
    const upload = (records: object[]) => web.upload(till.token, records);
    await upload(day({ restaurant_id: 501 }));
    await upload(day({ restaurant_id: 502 }).slice(0, 20));
    await upload([record({ restaurant_id: 502, hour: 3, gto: 6375.3912 })]);
    await upload(day({ restaurant_id: 502, date: '2025-10-08' }));
  });

  test.each([390, 1440])('%i px wide: no view is too wide or inaccessible', async (width) => {
    const viewport = { width, height: 800 };
    const { page, problems } = await web.open('', { viewport });
    const violations = async (): Promise<string[]> => {
      await page.emulateMedia({ colorScheme: 'dark' });
      const inDark = await accessibilityViolations(page, 'color-contrast');
      await page.emulateMedia({ colorScheme: 'light' });
      return [...inDark, ...(await accessibilityViolations(page))];
    };
    const found = [await violations()];
    await signIn(page, username);
    for (const view of VIEWS) {
      await web.show(page, view);
      if (view === 'upload') await chooseRecords(page);
      else await page.locator('table, .sold').first().waitFor();
      expect([view, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([view, width]); // prettier-ignore
      found.push(await violations());
      if (view === '') {
        const [name, legend, above, hidden] = await page.evaluate<number[]>(FIRST_SCREEN);
        expect([name! < 60, legend! < 30, above! > 0]).toEqual([true, true, true]);
        expect(await page.getByRole('columnheader').count()).toBe(36);
        if (width === 1440) expect(hidden).toBe(0); // all 35 days are visible
      }
      if (view.startsWith('day'))
        for (const colorScheme of ['dark', 'light'] as const) {
          await page.emulateMedia({ colorScheme });
          for (const contrast of await page.evaluate<number[]>(CONTRASTS))
            expect(contrast).toBeGreaterThan(3);
        }
    }
    await web.show(page, 'day/501/2025-10-15'); // whose name is HTML, and stays text
    const heading = page.getByRole('heading', { name: NAMES[501] });
    await heading.and(page.locator(':focus')).waitFor();
    expect(await page.title()).toBe(`${NAMES[501]} · Hourly sales`);
    expect(await page.locator('img').count()).toBe(0);
    expect(found.flat()).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('a name is found without its accents', async () => {
    const page = await openCalendar(username);
    await page.getByLabel('Restaurant', { exact: true }).fill('cafe zur');
    await page.getByText('1 of 3 restaurants', { exact: true }).waitFor();
    await page.getByRole('row', { name: 'Café Zürich' }).waitFor();
  });

  async function chooseRecords(page: Page): Promise<void> {
    const [good, wrong] = [12, 24].map((hour) => [record({ restaurant_id: 502, hour })]);
    await chooseFiles(page, { 'good.json': good!, 'wrong.json': wrong! });
    await page.locator('mark').waitFor();
  }

  test('printed: folds closed, and which restaurant a range is about', async () => {
    const { page } = await web.open('', { username });
    await page.emulateMedia({ media: 'print' });
    const textOf = async (view: string, loaded = 'table, .sold'): Promise<string> => {
      await web.show(page, view);
      await page.locator(loaded).first().waitFor();
      return (await page.locator('body').innerText()).replace(/\s+/g, ' ');
    };
    const calendar = await textOf('');
    expect(calendar).toContain('1 of 3 restaurants missing, 1 partial');
    expect(calendar).toContain('Zürich');
    expect(calendar).not.toContain('Earlier');
    expect(await textOf('range?restaurants=503')).toContain('15 Oct 2025: Café Zürich');
    const printedDay = await textOf('day/502/2025-10-15', 'details');
    expect(printedDay).toContain('changed 1 hour: turnover 103.25 → 6,375.3912');
    await page.getByText('changed 1 hour').click();
    expect(await page.locator('details[open]').innerText()).not.toContain('03:00 Turnover');
  });
});
