import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { givenRestaurant, givenTill } from '../support/given.js';
import { record } from '../support/records.js';
import type { TestApp } from '../support/test-app.js';
import { openPage, signIn, startWeb } from './web-page.js';

const folder = join(__dirname, '../../docs/images');
const VIEWS = ['calendar', 'day', 'range', 'upload'] as const;
const THEMES = ['light', 'dark'] as const;
const NAMES = ['Harbour Grill', 'Noodle Bar', 'Satay House', 'The Green Bowl', 'Kopi Corner', 'Dim Sum Palace']
  .concat(['Laksa Lane', 'Roti & Curry', 'Fish Head', 'Dumpling Court', 'Orchard Bistro', 'Pepper Crab']); // prettier-ignore
const MISSING = ['Satay House', 'Fish Head'];
const DAYS = 35;
const MAX_TOTAL_BYTES = 300_000;

/** Many orders at noon and in the evening. */
const busy = (hour: number): number =>
  Math.round(60 * (Math.exp(-((hour - 12) ** 2) / 4) + Math.exp(-((hour - 19) ** 2) / 5)));

function salesOf(restaurant_id: number, date: string, hours: number): object[] {
  return Array.from({ length: hours }, (_, hour) => {
    const orders = busy(hour) + ((restaurant_id * 7 + Number(date.slice(8)) * 3 + hour) % 5);
    const gto = orders * 31.5;
    const payments = { cash: gto * 0.25, nets: gto * 0.25, visa: gto * 0.25, master: gto * 0.125, amex: gto * 0.125 };
    return record({ restaurant_id, date, hour, orders, pax: orders * 2, gto, ...payments, voucher: 0, other: 0 });
  });
}

async function givenFiveWeeks(service: TestApp, dates: readonly string[]): Promise<string> {
  for (const [index, name] of NAMES.entries()) await givenRestaurant(service, 101 + index, name);
  const till = await givenTill(service, { username: 'head-office', restaurants: NAMES.map((_, index) => 101 + index) });
  for (const [index, name] of NAMES.entries()) {
    for (const [day, date] of dates.entries()) {
      const isYesterday = day === DAYS - 2;
      if (day === DAYS - 1 || (isYesterday && MISSING.includes(name)) || (index * 5 + day) % 31 === 0) continue;
      const hours = (isYesterday && index === 4) || (index + day) % 29 === 0 ? 20 : 24;
      await service.client.upload(till.token, salesOf(101 + index, date, hours));
    }
  }
  return till.username;
}

async function show(page: Page, view: (typeof VIEWS)[number], url: string, yesterday: string): Promise<void> {
  const addresses = {
    calendar: '',
    day: `day/101/${yesterday}`,
    range: 'range?restaurants=101,102,106',
    upload: 'upload',
  };
  await page.goto(`${url}/app/#/${addresses[view]}`);
  if (view === 'calendar') await page.getByRole('gridcell').first().waitFor();
  if (view === 'day') await page.getByRole('img', { name: 'Payments' }).waitFor();
  if (view === 'range') await page.getByRole('img', { name: 'Turnover by day' }).waitFor();
  if (view !== 'upload') return;
  const records = salesOf(101, yesterday, 24).map((each, hour) => (hour === 12 ? { ...each, gto: 2000 } : each));
  const buffer = Buffer.from(JSON.stringify({ records }));
  await page.locator('input[type=file]').setInputFiles([{ name: 'till-101.json', mimeType: 'text/plain', buffer }]);
  await page.getByLabel('Overwritten by till-101.json').waitFor();
}

async function toWebp(blank: Page, png: Buffer): Promise<Buffer> {
  const base64 = await blank.evaluate<string>(`(async () => {
    const bytes = Uint8Array.from(atob('${png.toString('base64')}'), (char) => char.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes]));
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext('2d').drawImage(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.6 });
    return btoa(Array.from(new Uint8Array(await blob.arrayBuffer()), (byte) => String.fromCharCode(byte)).join(''));
  })()`);
  return Buffer.from(base64, 'base64');
}

const web = startWeb();

/** `npm run screenshots` keeps them in docs/images. */
test('pictures of every view in both themes are at most 300 kB, and the README shows one', async () => {
  const today = Date.parse(new Date().toISOString().slice(0, 10));
  const dates = Array.from({ length: DAYS }, (_, index) => {
    return new Date(today - (DAYS - 1 - index) * 86_400_000).toISOString().slice(0, 10);
  });
  const username = await givenFiveWeeks(web.service, dates);
  const blank = await web.browser.newPage();
  let total = 0;
  for (const colorScheme of THEMES) {
    const options = { colorScheme, viewport: { width: 1100, height: 660 }, timezoneId: 'UTC' };
    const { page, problems } = await openPage(web.browser, web.service.url, options);
    await signIn(page, username);
    for (const view of VIEWS) {
      await show(page, view, web.service.url, dates.at(-2)!);
      const picture = await toWebp(blank, await page.screenshot());
      total += picture.length;
      if (process.env['UPDATE_SCREENSHOTS'] !== '1') continue;
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `${view}-${colorScheme}.webp`), picture);
    }
    expect(problems).toEqual([]);
  }
  expect(total).toBeLessThan(MAX_TOTAL_BYTES);
  const readme = readFileSync(join(folder, '../../README.md'), 'utf8');
  for (const theme of THEMES) {
    expect(readme).toContain(`docs/images/calendar-${theme}.webp`);
    for (const view of VIEWS) expect(readFileSync(join(folder, `${view}-${theme}.webp`)).length).toBeGreaterThan(1000);
  }
});
