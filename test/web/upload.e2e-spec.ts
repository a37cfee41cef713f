import type { Page } from 'playwright-core';
import { givenTill } from '../support/given.js';
import { day, record } from '../support/records.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { accessibilityViolations, openPage, signIn, startWeb } from './web-page.js';

const web = startWeb();

let id = 400;
let till: { username: string; token: string };
beforeEach(async () => (till = await givenTill(web.service, { restaurants: [++id] })));

async function openUpload(options?: Parameters<typeof openPage>[2], url = web.service.url): Promise<Page> {
  const { page } = await openPage(web.browser, url, options);
  await page.goto(`${url}/app/#/upload`);
  await signIn(page, till.username);
  return page;
}

const asFile = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
const asJson = (name: string, records: object[]) => asFile(name, JSON.stringify({ records }));

const choose = (page: Page, ...files: ReturnType<typeof asFile>[]): Promise<void> =>
  page.locator('input[type=file]').setInputFiles(files);

const stored = async (date = '2025-10-15'): Promise<any> =>
  (await web.service.client.get(`/api/v1/sales/daily?restaurant_id=${id}&date=${date}`, { token: till.token })).body;

test('a JSON file is checked, shown and saved', async () => {
  const page = await openUpload();
  await choose(page, asJson('tuesday.json', day({ restaurant_id: id, gto: 520 })));
  await page.getByRole('button', { name: 'Upload 1 day' }).click();
  await page.getByText(`saved: 24 hourly records saved for restaurant ${id}`).waitFor();
  expect((await stored()).totals.gto).toBe(24 * 520);
});

test('a CSV file, dropped: what would be overwritten and what looks wrong is shown before', async () => {
  await web.service.client.upload(till.token, [record({ restaurant_id: id, hour: 9, gto: 1 })]);
  const page = await openUpload();
  const names = Object.keys(record());
  const sent: Record<string, unknown> = record({ restaurant_id: id, hour: 9, gto: 250.75 });
  const csv = [names, names.map((name) => sent[name])].map((row) => row.join()).join('\n');
  const transfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([${JSON.stringify(csv)}], 'day.csv'));
    return transfer;
  })()`);
  await page.dispatchEvent('.drop', 'drop', { dataTransfer: transfer });
  const table = page.getByLabel('Overwritten by day.csv');
  await table.waitFor();
  expect(await table.innerText()).toMatch(/09:00\s+Turnover\s+1\s+250\.75$/);
  await page.getByText('Warning: hour 9: the payments are 1250.50 in all').waitFor();
  expect((await stored()).totals.gto).toBe(1);
  await page.getByRole('button', { name: 'Upload 1 day' }).click();
  await page.getByText('1 of 1 day saved').waitFor();
  expect((await stored()).totals.gto).toBe(250.75);
});

test('the file of a mall: its machine is chosen once and remembered', async () => {
  const line = (hour: number): string => `4012345|1|20251015|${hour}|2|100.5|9|0|0|3|109.5|0|0|0|0|0|0|Y`;
  const file = asFile('H4012345_20251015.txt', Array.from({ length: 24 }, (_, hour) => line(hour)).join('\r\n'));
  const page = await openUpload();
  await choose(page, file);
  await page.getByLabel('Machine 4012345').selectOption(`Restaurant ${id}`);
  await page.getByRole('button', { name: 'Upload 1 day' }).click();
  await page.getByText('1 of 1 day saved').waitFor();
  expect((await stored()).totals).toMatchObject({ gto: 2412, orders: 48 });
  const next = await openUpload();
  await choose(next, file);
  await next.getByText('ready').waitFor();
  expect(await next.getByLabel('Machine 4012345').count()).toBe(0);
});

test('errors are marked at their cells with the words of the service, and nothing is saved', async () => {
  const records = [record({ restaurant_id: id, hour: 25 }), record({ restaurant_id: id, hour: 1, cash: -1 })];
  const rejected = await web.service.client.upload(till.token, records);
  const page = await openUpload();
  await choose(page, asJson('wrong.json', records));
  await page.getByText(`cannot be uploaded: ${rejected.body.error}`).waitFor();
  const cells = page.locator('td.invalid');
  expect(await cells.count()).toBe(2);
  expect(await cells.first().innerText()).toMatch(/^25 .*hour must be an integer from 0 to 23$/);
  expect(await page.getByRole('button', { name: 'Upload 0 days' }).isDisabled()).toBe(true);
  expect(await accessibilityViolations(page)).toEqual([]);
});

test('a file that is none of the formats is an error with its line', async () => {
  const page = await openUpload();
  await choose(page, asFile('short.txt', '1|2|3'), asFile('binary.txt', '\u0000'));
  await page.getByRole('alert').filter({ hasText: 'short.txt, line 1: 3 cells' }).waitFor();
  expect(await page.getByRole('button', { name: /^Upload/ }).count()).toBe(0);
});

test('ten files while the service goes away: what failed is sent again', async () => {
  const proxy = await TcpProxy.to(web.service.url);
  const page = await openUpload({}, new URL(proxy.url).origin);
  const dates = Array.from({ length: 10 }, (_, index) => `2025-10-${11 + index}`);
  await choose(page, ...dates.map((date) => asJson(`${date}.json`, day({ restaurant_id: id, date }))));
  const upload = page.getByRole('button', { name: 'Upload 10 days' });
  await upload.and(page.locator(':enabled')).waitFor();
  let saved = 0;
  await page.route('**/upload-daily', async (route) => {
    if (++saved === 5) proxy.refuse();
    await route.continue();
  });
  await upload.click();
  await page.getByText('4 of 10 days saved, 6 failed').waitFor();
  await page.getByText('failed: The service cannot be reached.').first().waitFor();
  proxy.forward();
  await page.getByRole('button', { name: 'Retry 6 days' }).click();
  await page.getByText('10 of 10 days saved').waitFor();
  expect(await page.getByRole('progressbar').evaluate((bar: any) => bar.value / bar.max)).toBe(1);
  for (const date of dates) expect((await stored(date)).records).toHaveLength(24);
  await proxy.close();
});

test.each(['light', 'dark'] as const)('axe-core finds nothing on a phone, in %s', async (colorScheme) => {
  await web.service.client.upload(till.token, [record({ restaurant_id: id, gto: 1 })]);
  const page = await openUpload({ colorScheme, viewport: { width: 360, height: 740 } });
  await choose(page, asJson('again.json', [record({ restaurant_id: id })]));
  await page.getByLabel('Overwritten by again.json').waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
});
