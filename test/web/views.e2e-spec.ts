import { BusinessCalendar } from '../../src/config/business-calendar.js';
import { givenRestaurant, givenTill } from '../support/given.js';
import { textOfPdf } from './pdf-text.js';
import { day, record } from '../support/records.js';
import { accessibilityViolations, openPage, signIn, startWeb } from './web-page.js';

const NAMES = { 501: '<img src=x onerror=alert(1)>', 502: 'W'.repeat(200), 503: 'Café Zürich' };
const VIEWS = ['', 'day/502/2025-10-15', 'range', 'range?restaurants=502', 'upload'];

/** Heights of the long name and of the legend, which are a line each, and how far the legend is above the grid. */
const FIRST_SCREEN = `(() => {
  const [name, legend, grid] = ['.card [title]', '.legend', '[role=grid]'].map((each) => document.querySelector(each).getBoundingClientRect());
  return [name.height, legend.height, grid.top - legend.bottom];
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
let username: string;
beforeAll(async () => {
  jest.spyOn(web.service.app.get(BusinessCalendar), 'today').mockReturnValue('2025-10-16');
  for (const [id, name] of Object.entries(NAMES))
    await givenRestaurant(web.service, Number(id), name);
  const till = await givenTill(web.service, { restaurants: [501, 502, 503] });
  username = till.username;
  const upload = (records: object[]) => web.service.client.upload(till.token, records);
  await upload(day({ restaurant_id: 501 }));
  await upload(day({ restaurant_id: 502 }).slice(0, 20));
  await upload([record({ restaurant_id: 502, hour: 3, gto: 6375.3912 })]);
  await upload(day({ restaurant_id: 502, date: '2025-10-08' }));
});

test.each([390, 1440])(
  '%i px wide: no view is wider than the window, none has a violation of axe-core, light or dark',
  async (width) => {
    const viewport = { width, height: 800 };
    const { page, problems } = await openPage(web.browser, web.service.url, { viewport });
    const violations = async (): Promise<string[]> => {
      await page.emulateMedia({ colorScheme: 'dark' });
      const inDark = await accessibilityViolations(page, 'color-contrast');
      await page.emulateMedia({ colorScheme: 'light' });
      return [...inDark, ...(await accessibilityViolations(page))];
    };
    const found = [await violations()];
    await signIn(page, username);
    for (const view of VIEWS) {
      await page.goto(`${web.service.url}/app/#/${view}`);
      if (view === 'upload') await chooseFiles(page);
      else await page.locator('table, .sold').first().waitFor();
      expect([view, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([view, width]); // prettier-ignore
      found.push(await violations());
      if (view === '') {
        const [name, legend, above] = await page.evaluate<number[]>(FIRST_SCREEN);
        expect([name! < 60, legend! < 30, above! > 0]).toEqual([true, true, true]);
      }
      if (view.startsWith('day'))
        for (const colorScheme of ['dark', 'light'] as const) {
          await page.emulateMedia({ colorScheme });
          for (const contrast of await page.evaluate<number[]>(CONTRASTS))
            expect(contrast).toBeGreaterThan(3);
        }
    }
    expect(found.flat()).toEqual([]);
    expect(problems).toEqual([]);
  },
);

async function chooseFiles(page: Awaited<ReturnType<typeof openPage>>['page']): Promise<void> {
  const files = [record({ restaurant_id: 502 }), record({ restaurant_id: 502, hour: 24 })];
  const asFile = (each: object, index: number) => ({
    name: `${index}.json`,
    mimeType: 'text/plain',
    buffer: Buffer.from(JSON.stringify({ records: [each] })),
  });
  await page.locator('input[type=file]').setInputFiles(files.map(asFile));
  await page.locator('mark').waitFor();
}

test('at 1,440 px all 35 days are visible', async () => {
  const { page } = await openPage(web.browser, web.service.url, {
    viewport: { width: 1440, height: 800 },
  });
  await signIn(page, username);
  const grid = page.getByRole('grid');
  await grid.waitFor();
  expect(await grid.evaluate((element: any) => element.scrollWidth <= element.clientWidth)).toBe(
    true,
  );
  expect(await page.getByRole('columnheader').count()).toBe(36);
});

test('printed: 14 days of all restaurants, folds closed, and which restaurant a range is about', async () => {
  const { page } = await openPage(web.browser, web.service.url);
  await signIn(page, username);
  const print = async (view: string, loaded = 'table, .sold'): Promise<string> => {
    await page.goto(`${web.service.url}/app/#/${view}`);
    await page.locator(loaded).first().waitFor();
    return textOfPdf(await page.pdf({ preferCSSPageSize: true }));
  };
  const calendar = await print('');
  expect(calendar).toContain('1of3restaurantsmissing,1partial');
  expect(calendar.match(/\d\d(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?!,)/g)).toHaveLength(14);
  expect(calendar).toContain('Zürich');
  expect(calendar).not.toContain('Earlier');
  expect(await print('range?restaurants=503')).toContain('15Oct2025:CaféZürich');
  const printedDay = await print('day/502/2025-10-15', 'details');
  expect(printedDay).toContain('changed1hour:turnover103.25→6,375.3912');
  expect(printedDay).not.toContain('03:00Turnover');
  const pagesWithHours = printedDay.split('\n').filter((text) => /\d\d:00/.test(text));
  expect(pagesWithHours.length).toBeGreaterThan(1);
  for (const text of pagesWithHours) expect(text).toContain('OrdersTurnoverGST');
});
