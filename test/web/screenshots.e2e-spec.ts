import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { BusinessCalendar } from '../../src/config/business-calendar.js';
import { prepareDemoData } from '../../src/server/demo-data.js';
import { day } from '../support/records.js';
import { openPage, signIn, startWeb } from './web-page.js';

const folder = join(__dirname, '../../docs/images');
const VIEWS = ['calendar', 'day', 'range', 'upload'] as const;
const THEMES = ['light', 'dark'] as const;
const MAX_TOTAL_BYTES = 300_000;

async function show(
  page: Page,
  view: (typeof VIEWS)[number],
  url: string,
  yesterday: string,
): Promise<void> {
  const addresses = {
    calendar: '',
    day: `day/111/${yesterday}`,
    range: 'range',
    upload: 'upload',
  };
  await page.goto(`${url}/app/#/${addresses[view]}`);
  if (view === 'calendar') await page.getByText('Sold yesterday').waitFor();
  if (view === 'day') await page.getByRole('list', { name: 'Payments' }).waitFor();
  if (view === 'range') await page.getByRole('img', { name: 'Turnover by day' }).waitFor();
  if (view !== 'upload') return;
  const records = day({ restaurant_id: 112, date: yesterday });
  const buffer = Buffer.from(JSON.stringify({ records }));
  await page
    .locator('input[type=file]')
    .setInputFiles([{ name: 'till-112.json', mimeType: 'text/plain', buffer }]);
  await page.getByText('Overwrites 24 hours').click();
}

async function toWebp(blank: Page, png: Buffer): Promise<Buffer> {
  const base64 = await blank.evaluate<string>(`(async () => {
    const bytes = Uint8Array.from(atob('${png.toString('base64')}'), (char) => char.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes]));
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext('2d').drawImage(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.5 });
    return btoa(Array.from(new Uint8Array(await blob.arrayBuffer()), (byte) => String.fromCharCode(byte)).join(''));
  })()`);
  return Buffer.from(base64, 'base64');
}

const isWriting = process.env['UPDATE_SCREENSHOTS'] === '1';

/** `npm run screenshots` writes them. */
(isWriting ? describe : describe.skip)('Pictures of every view in both themes', () => {
  const web = startWeb();

  test('are written to docs/images', async () => {
    const { app, config } = web.service;
    await prepareDemoData(app, config);
    const yesterday = app.get(BusinessCalendar).yesterday();
    const blank = await web.browser.newPage();
    mkdirSync(folder, { recursive: true });
    for (const colorScheme of THEMES) {
      const options = { colorScheme, viewport: { width: 1280, height: 720 }, timezoneId: 'UTC' };
      const { page, problems } = await openPage(web.browser, web.service.url, options);
      await signIn(page, 'demo', 'demo-password');
      for (const view of VIEWS) {
        await show(page, view, web.service.url, yesterday);
        const picture = await toWebp(blank, await page.screenshot());
        writeFileSync(join(folder, `${view}-${colorScheme}.webp`), picture);
      }
      expect(problems).toEqual([]);
    }
  });
});

test('pictures of every view in both themes are at most 300 kB, and the README shows one', () => {
  const readme = readFileSync(join(folder, '../../README.md'), 'utf8');
  const sizes = THEMES.flatMap((theme) => {
    expect(readme).toContain(`docs/images/calendar-${theme}.webp`);
    return VIEWS.map((view) => statSync(join(folder, `${view}-${theme}.webp`)).size);
  });
  expect(Math.min(...sizes)).toBeGreaterThan(1000);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_TOTAL_BYTES);
});
