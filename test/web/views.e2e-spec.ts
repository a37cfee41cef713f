import { inflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { BusinessCalendar } from '../../src/calendar/business-calendar.js';
import { givenRestaurant, givenTill } from '../support/given.js';
import { day, record } from '../support/records.js';
import { seed } from '../support/seed.js';
import { accessibilityViolations, chooseFiles, says, signIn, startWeb } from './web-page.js';

const TODAY = '2025-10-16';
const NAMES = { 501: '<img src=x onerror=alert(1)>', 502: 'W'.repeat(200), 503: 'Café Zürich' };
const VIEWS = [
  '',
  'day/502/2025-10-15',
  'sales',
  'sales?restaurants=502',
  'days',
  'changes',
  'upload',
  'account',
  'words',
];

/** What A4 leaves between margins of 12 mm, in pixels. */
const A4_WIDTH = 703;

/** Heights of a name and the legend, a line each; what the grid of the sent days hides. */
const FIRST_SCREEN = `(() => {
  const [name, legend] = ['tbody th .name', '.legend'].map((each) => document.querySelector(each).getBoundingClientRect());
  const { scrollWidth, clientWidth } = document.querySelector('.sent-days .scroll');
  return [name.height, legend.height, scrollWidth - clientWidth];
})()`;

/** Contrasts (WCAG) of the bars, and of those of the earlier period, with the card. */
const CONTRASTS = `(() => {
  const light = (selector, property) => {
    const colour = getComputedStyle(document.querySelector(selector))[property];
    const [red, green, blue] = colour.match(/\\d+/g).map((each) => each / 255).map((each) => each <= 0.04 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  };
  const contrast = (one, other) => Math.max(one / other, other / one);
  const card = light('.card:not(.tiles)', 'backgroundColor');
  return [contrast(light('.bars .now', 'fill'), card), contrast(light('.bars .before', 'fill'), card)];
})()`;

const web = startWeb();
beforeAll(() => jest.spyOn(web.service.app.get(BusinessCalendar), 'today').mockReturnValue(TODAY));

const missingCard = (page: Page) => page.getByRole('region', { name: 'Missing', exact: true });

async function openDays(username: string): Promise<Page> {
  const { page } = await web.open('days', { username });
  await page.getByRole('region', { name: 'Days by restaurant' }).waitFor();
  return page;
}

/** What the cell of a restaurant and a date says. */
const cell = (page: Page, restaurant: string, date: string) =>
  page
    .getByRole('row', { name: restaurant })
    .getByRole('link', { name: new RegExp(`^\\w+ ${date}`) });

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

  test('Today says who is missing yesterday, what of a day, and each leads to its day', async () => {
    const { page } = await web.open('', { username });
    await missingCard(page).getByText('00:00 to 12:00, 13:00 to 24:00').waitFor();
    expect((await missingCard(page).innerText()).replace(/\s+/g, ' ')).toMatch(
      /1 of 4 restaurants has not sent yesterday, 1 has sent only a part Wed 15 Oct 2025 .* Restaurant 203 203 everything before .* never/,
    );
    await page.getByRole('link', { name: 'Restaurant 203' }).first().click();
    await says(page, 'Nothing was uploaded for this day; 00:00 to 24:00 are expected.');
    expect(page.url()).toMatch(/#\/day\/203\/2025-10-15$/);
  });

  test('what was sold yesterday, against the same weekday before, like for like', async () => {
    const { token } = await givenTill(web.service, { restaurants: [201] });
    await web.upload(token, day({ restaurant_id: 201, date: '2025-10-08', gto: 100 }));
    const { page } = await web.open('', { username });
    await says(page, '49 hours sent by 3 of 4 restaurants, 47 of 96 expected hours missing');
    await says(page, 'Changes are like for like: 1 restaurant complete in both periods, turnover 2,682.00, was 2,400.00'); // prettier-ignore
    await page.getByRole('link', { name: 'All of yesterday' }).click();
    await page.getByLabel('Period').selectOption('last-7');
    await says(page, 'Thu 9 Oct 2025 to Wed 15 Oct 2025 (7 days), compared with Thu 2 Oct 2025 to Wed 8 Oct 2025'); // prettier-ignore
  });

  test('the sent days: each is a link to its day, and going back keeps the filter', async () => {
    const page = await openDays(username);
    const states = { 201: 'complete', 202: 'partial', 203: 'missing', 204: 'complete' };
    for (const [id, state] of Object.entries(states))
      expect(await labelOf(page, `Restaurant ${id}`, '15 Oct 2025')).toBe(`Wed 15 Oct 2025 ${state}`); // prettier-ignore
    await page.getByLabel('Name or number').fill('rant 202');
    await page.getByText('1 of 4 restaurants', { exact: true }).waitFor();
    await cell(page, 'Restaurant 202', '15 Oct 2025').click();
    await says(page, '23 of 24 expected hours are missing: 00:00');
    await page.goBack();
    await page.getByText('1 of 4 restaurants', { exact: true }).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
  });

  test('only incomplete restaurants, and four weeks earlier', async () => {
    const page = await openDays(username);
    await page.getByRole('button', { name: '← Earlier' }).click();
    await cell(page, 'Restaurant 204', '15 Sep 2025').waitFor();
    expect(page.url()).toContain('to=2025-09-18');
    await page.getByRole('button', { name: 'Later →' }).click();
    await page.getByText('Incomplete yesterday').click();
    await page.getByText('2 of 4 restaurants', { exact: true }).waitFor();
    await cell(page, 'Restaurant 202', '15 Oct 2025').waitFor();
    await page.getByText('Incomplete in 5 weeks').click();
    await page.getByText('4 restaurants', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Later →' }).isDisabled()).toBe(true);
  });

  test('hours that come in are shown within a minute', async () => {
    const { username: other, token } = await givenTill(web.service, { restaurants: [206] });
    const { page } = await web.open();
    await page.clock.install();
    await signIn(page, other);
    await says(page, '1 of 1 restaurant has not sent yesterday');
    await web.upload(token, day({ restaurant_id: 206 }));
    await page.clock.runFor(61_000);
    await says(page, 'The restaurant has sent all of yesterday');
  });

  test('while the service is away, a sentence says so, and the page tries again', async () => {
    const { page } = await web.open();
    await page.route('**/missing?**', (route) => route.abort());
    await signIn(page, username);
    await page.getByRole('alert').filter({ hasText: 'The service cannot be reached. The page tries again by itself.' }).waitFor(); // prettier-ignore
    await page.unroute('**/missing?**');
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await missingCard(page).waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  });
});

test('today is the date of the service, where the browser has another one', async () => {
  const { username } = await givenTill(web.service, { restaurants: [301] });
  const { page } = await web.open('', { timezoneId: 'Asia/Singapore' });
  await page.clock.setFixedTime(new Date(`${TODAY}T23:30:00Z`)); // in Singapore, the day after
  await page.reload();
  await signIn(page, username);
  await missingCard(page).getByText('1 of 1 restaurant has not sent yesterday').waitFor();
  await says(page, 'days end at midnight in UTC');
  await web.show(page, 'days');
  expect(await labelOf(page, 'Restaurant 301', '16 Oct 2025')).toBe('Thu 16 Oct 2025 today');
});

test.each([
  ['without restaurants', [], 'This account has no restaurants yet'],
  ['whose restaurants were all closed', [302], 'No restaurant was expected to send yesterday'],
])('an account %s is not told that all is well', async (_row, restaurants, text) => {
  const { username } = await givenTill(web.service, { restaurants });
  await web.service.database.query(
    `INSERT INTO restaurant_closures (restaurant_id, first_day) SELECT id, '2020-01-01' FROM restaurants WHERE id = 302`,
  );
  const { page } = await web.open('', { username });
  await says(page, text);
  expect(await page.getByText(/sent all/).count()).toBe(0);
});

test('a thousand restaurants: a filter shows the row, and each sheet has a head', async () => {
  const ids = Array.from({ length: 1000 }, (_, index) => 1001 + index);
  await seed(web.service.database, { username: 'office', restaurants: ids });
  const page = await openDays('office');
  await page.getByLabel('Name or number').fill('Restaurant 1999');
  await page.getByText(/^1 of 1,0\d\d restaurants$/).waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
  await page.getByLabel('Name or number').fill('Restaurant 19');
  await says(page, /^10\d of 1,0\d\d restaurants$/);
  await page.getByRole('combobox').fill('Restaurant 19');
  await page.getByRole('option', { name: /^and 9\d more$/ }).waitFor();
  await page.getByRole('combobox').fill('');
  const days = '3Fri4Sat5Sun6Mon7Tue8Wed9Thu10Fri11Sat12Sun13Mon14Tue15Wed16Thu';
  await expectOnSheets(page, days);
  await web.show(page, `sales?restaurants=${ids.slice(0, 80).join()}`);
  await page.getByRole('region', { name: 'Totals by restaurant' }).waitFor();
  await expectOnSheets(page, 'TurnoverBeforeChangeOrdersAverage bill');
});

/** Prints several sheets; each that has a restaurant has the head of its table. */
async function expectOnSheets(page: Page, head: string): Promise<void> {
  const sheets = (await print(page)).filter((sheet) => /Restaurant ?\d/.test(sheet));
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

  test.each([390, 1024, 1440])('%i px wide: no view is too wide or inaccessible', async (width) => {
    const viewport = { width, height: 800 };
    const { page, problems } = await web.open('', { viewport });
    const violations = async (): Promise<string[]> => {
      await page.emulateMedia({ colorScheme: 'dark' });
      const inDark = await accessibilityViolations(page, 'color-contrast');
      await page.emulateMedia({ colorScheme: 'light', media: 'print' });
      const onPaper = await accessibilityViolations(page, 'color-contrast');
      await page.emulateMedia({ colorScheme: 'light', media: 'screen' });
      return [...inDark, ...onPaper, ...(await accessibilityViolations(page))];
    };
    const found = [await violations()];
    await signIn(page, username);
    for (const view of VIEWS) {
      await show(page, view);
      expect([view, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([view, width]); // prettier-ignore
      found.push((await violations()).map((violation) => `${view}: ${violation}`));
      if (view === 'days') {
        const [name, legend, hidden] = await page.evaluate<number[]>(FIRST_SCREEN);
        expect([name! < 34, legend! < 60]).toEqual([true, true]);
        expect(await page.getByRole('columnheader').count()).toBe(36);
        if (width === 1440) expect(hidden).toBe(0); // all 35 days are visible
      }
      if (view.startsWith('day/'))
        for (const colorScheme of ['dark', 'light'] as const) {
          await page.emulateMedia({ colorScheme });
          const [now, before] = await page.evaluate<number[]>(CONTRASTS);
          expect([now! > 3, before! > 2.5]).toEqual([true, true]);
        }
    }
    await web.show(page, 'day/501/2025-10-15'); // whose name is HTML, and stays text
    const heading = page.getByRole('heading', { name: NAMES[501] });
    await heading.and(page.locator(':focus')).waitFor();
    expect(await page.title()).toBe(`${NAMES[501]}, Wed 15 Oct 2025 - Hourly Sales`);
    expect(await page.locator('img').count()).toBe(0);
    expect(found.flat()).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('on portrait paper no view is wider than the sheet', async () => {
    const { page } = await web.open('', { username, viewport: { width: A4_WIDTH, height: 1000 } });
    for (const view of VIEWS) {
      await page.emulateMedia({ media: 'screen' });
      await show(page, view);
      if (view.startsWith('day/')) await page.getByRole('button', { name: 'Correct by hand' }).click(); // prettier-ignore
      await page.emulateMedia({ media: 'print' });
      expect([view, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([view, A4_WIDTH]); // prettier-ignore
    }
  });

  test('on a phone a correction is confirmed beside what it changes', async () => {
    const viewport = { width: 390, height: 800 };
    const { page } = await web.open('day/502/2025-10-15', { username, viewport });
    await page.getByRole('button', { name: 'Correct by hand' }).click();
    await page.getByLabel('03:00 Turnover').fill('12345.67');
    await page.getByRole('button', { name: 'Check 1 hour' }).click();
    await page.getByRole('dialog').getByText('12,345.67', { exact: true }).waitFor();
    const hidden = `(() => {
      const { scrollWidth, clientWidth } = document.querySelector('dialog .scroll');
      return scrollWidth - clientWidth;
    })()`;
    expect(await page.evaluate(hidden)).toBe(0);
  });

  test('a name is found without its accents', async () => {
    const page = await openDays(username);
    await page.getByLabel('Name or number').fill('cafe zur');
    await page.getByText('1 of 3 restaurants', { exact: true }).waitFor();
    await page.getByRole('row', { name: 'Café Zürich' }).waitFor();
  });

  test('a restaurant, a day, and the day of a restaurant are found from every view by keyboard', async () => {
    const { page, problems } = await web.open('changes', { username });
    const find = async (text: string, chosen: string): Promise<void> => {
      await page.locator('h1:focus').waitFor(); // a view that was opened takes the focus first
      await page.keyboard.press('/');
      await page.keyboard.type(text);
      await page.getByRole('option', { name: chosen, selected: true }).waitFor();
    };
    await find('cafe', 'Café Zürich 503');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Café Zürich' }).waitFor();
    await find('503 zürich 8 oct', 'Café Zürich 503, Wed 8 Oct 2025');
    await page.keyboard.press('Enter');
    await page.waitForURL(/#\/day\/503\/2025-10-08$/);
    await find('yesterday', 'Wednesday 15 October 2025');
    await page.keyboard.press('Enter');
    await page.waitForURL(/#\/sales\?from=2025-10-15&to=2025-10-15$/);
    await page.locator('h1:focus').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('2025-02-30');
    await says(page, 'No match.');
    await page.keyboard.press('Escape');
    expect(await page.getByRole('combobox').first().inputValue()).toBe('');
    expect(problems).toEqual([]);
  });

  test('on a phone the answer comes first, and controls are folded away', async () => {
    const { page } = await web.open('sales', { username, viewport: { width: 390, height: 800 } });
    await page.locator('.tiles').waitFor();
    const period = page.getByLabel('Period', { exact: true });
    expect(await period.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Period, comparison, restaurants' }).click();
    await period.selectOption('last-7');
    await says(page, 'Thu 9 Oct 2025 to Wed 15 Oct 2025 (7 days), compared with');
  });

  /** Shows a view until all of it is there. */
  async function show(page: Page, view: string): Promise<void> {
    await web.show(page, view);
    if (view === 'upload') await chooseRecords(page);
    else if (view === '') await missingCard(page).waitFor();
    else await page.locator('table, .empty').first().waitFor();
    if (view.startsWith('sales')) await page.locator('.heat').waitFor();
  }

  async function chooseRecords(page: Page): Promise<void> {
    const [good, wrong] = [12, 24].map((hour) => [record({ restaurant_id: 502, hour })]);
    await chooseFiles(page, { 'good.json': good!, 'wrong.json': wrong! });
    await page.getByRole('button', { name: 'Remove' }).waitFor();
  }

  test('printed: without controls, and with what a range is about', async () => {
    const { page } = await web.open('', { username });
    await page.emulateMedia({ media: 'print' });
    const textOf = async (view: string): Promise<string> => {
      await show(page, view);
      return (await page.locator('body').innerText()).replace(/\s+/g, ' ');
    };
    const today = await textOf('');
    expect(today).toContain('1 of 3 restaurants has not sent yesterday, 1 has sent only a part');
    expect(today).not.toContain('Excel');
    expect(await textOf('days')).not.toContain('Earlier');
    const sales = await textOf('sales?restaurants=503');
    expect(sales).toContain('Café Zürich Thu 18 Sep 2025 to Wed 15 Oct 2025 (28 days)');
    await page.setViewportSize({ width: 700, height: 1000 });
    const heights = await page.evaluate<number[]>(
      `[...document.querySelectorAll('tbody th.date')].map((head) => head.offsetHeight)`,
    );
    expect(Math.max(...heights)).toBeLessThan(30); // a date stands on one line
    expect(await textOf('day/502/2025-10-15')).toContain('changed 1 hour: turnover 103.25 → 6,375.3912'); // prettier-ignore
  });
});
