import { givenTill } from '../support/given.js';
import { day, record } from '../support/records.js';
import { accessibilityViolations, openPage, signIn, startWeb, type WebPage } from './web-page.js';

const web = startWeb();

let id = 100;
let till: { username: string; token: string };
beforeEach(async () => (till = await givenTill(web.service, { restaurants: [++id] })));

const upload = async (records: object[]): Promise<void> => {
  expect((await web.service.client.upload(till.token, records)).status).toBe(200);
};

async function openDay(options?: Parameters<typeof openPage>[2], date = '2025-10-15'): Promise<WebPage> {
  const opened = await openPage(web.browser, web.service.url, options);
  await opened.page.goto(`${web.service.url}/app/#/day/${id}/${date}`);
  await signIn(opened.page, till.username);
  return opened;
}

test('figures are shown digit for digit, with the missing hours', async () => {
  const amounts = { gto: 99999999999.9999, cash: 0.0000001, gst: 1250.5 };
  await upload([
    record({ restaurant_id: id, hour: 9, ...amounts }),
    record({ restaurant_id: id, hour: 10, ...amounts }),
  ]);
  const { page, problems } = await openDay();
  const table = page.getByRole('region', { name: 'Figures by hour' });
  await table.waitFor();
  const text = (await table.innerText()).replace(/\s+/g, ' ');
  expect(text).toContain('09:00 42 99999999999.9999 1250.5 ');
  expect(text).toContain('Total 84 199999999999.9998 2501 ');
  expect(text).toContain(' 0.0000001 ');
  await page.getByText('Missing hours: 0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 12,').waitFor();
  expect(problems).toEqual([]);
});

test('each upload shows who sent it and what it changed, before and after', async () => {
  const colleague = await givenTill(web.service, { restaurants: [id] });
  await upload(day({ restaurant_id: id }));
  await web.service.client.upload(colleague.token, [record({ restaurant_id: id, hour: 9, gto: 7.5, orders: 9 })]);
  const { page } = await openDay();
  await page.getByText(`${colleague.username}: sent 1, changed 1 hour`).waitFor();
  await page.getByText(`${till.username}: sent 24, changed 24 hours`).waitFor();
  expect(await page.getByLabel(`Changes of upload ${id}-2025-10-15-2`).innerText()).toMatch(
    /09:00\s+Turnover\s+109.25\s+7.5$/,
  );
});

test('pictures are drawn, without a violation of the policy', async () => {
  await upload(day({ restaurant_id: id }));
  const { page, problems } = await openDay();
  for (const name of ['Turnover by hour', 'Covers by hour', 'Payments']) {
    await page.getByRole('img', { name }).waitFor();
  }
  expect(await page.getByRole('img', { name: 'Turnover by hour' }).locator('rect').count()).toBeGreaterThanOrEqual(24);
  expect(problems).toEqual([]);
});

test('arrow keys go to the days before and after', async () => {
  const { page } = await openDay();
  await page.getByText(/Wednesday.* 15 .*October.* 2025|October 15/).waitFor();
  await page.keyboard.press('ArrowLeft');
  await page.getByText(/Tuesday.* 14 .*October.* 2025|October 14/).waitFor();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.getByText(/Thursday.* 16 .*October.* 2025|October 16/).waitFor();
  expect(page.url()).toBe(`${web.service.url}/app/#/day/${id}/2025-10-16`);
});

test('Copy as CSV copies every record', async () => {
  await upload(day({ restaurant_id: id }));
  const { page } = await openDay({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByRole('button', { name: 'Copy as CSV' }).click();
  await page.getByText('Copied.').waitFor();
  const lines = (await page.evaluate<string>('navigator.clipboard.readText()')).trimEnd().split(/\r?\n/);
  expect(lines).toHaveLength(25);
  expect(lines[0]).toMatch(/^restaurant_id,date,hour,orders,gto,/);
  expect(lines[10]).toMatch(new RegExp(`^${id},2025-10-15,9,9,109.25,`));
});

test('a restaurant that is not granted is an error in words', async () => {
  const { page } = await openPage(web.browser, web.service.url);
  await page.goto(`${web.service.url}/app/#/day/99999/2025-10-15`);
  await signIn(page, till.username);
  await page
    .getByRole('alert')
    .filter({ hasText: /restaurant/ })
    .first()
    .waitFor();
});

test.each(['light', 'dark'] as const)(
  'axe-core finds nothing on a phone, in %s, and nothing is cut off',
  async (colorScheme) => {
    await upload(day({ restaurant_id: id }).slice(0, 20));
    const { page } = await openDay({ colorScheme, viewport: { width: 360, height: 740 } });
    await page.getByRole('img', { name: 'Payments' }).waitFor();
    await page.getByText('sent 20').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  },
);
