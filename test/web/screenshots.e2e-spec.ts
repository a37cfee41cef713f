import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { BusinessCalendar } from '../../src/calendar/business-calendar.js';
import { prepareDemoData } from '../../src/server/demo-data.js';
import { givenRestaurant, givenUser } from '../support/given.js';
import { day } from '../support/records.js';
import { chooseFiles, startWeb } from './web-page.js';

const folder = join(__dirname, '../../docs/images');
const THEMES = ['light', 'dark'] as const;
const MAX_TOTAL_BYTES = 300_000;

const loaded = (role: 'img' | 'region', name: string) => (page: Page) =>
  page.getByRole(role, { name }).first().waitFor();

const FORMATS = join(__dirname, '../sales/formats');

/** Files that nobody knows, with what is chosen before the picture of their mapping is taken. */
const MAPPINGS: Readonly<Record<string, readonly [file: string, choices: Record<string, string>]>> =
  {
    'mapping-text': [
      '16-tabin-sales-by-hour-2026-11-17.csv',
      { 'Tax is': '-gto', 'Eftpos Surcharge is': '-gto' },
    ],
    'mapping-workbook': ['15-labour-and-sales.xlsx', {}],
  };

/** The address of each view, and what is done until it shows all. */
const VIEWS = {
  today: ['', loaded('img', 'Turnover of the last 7 days')],
  sales: ['sales', loaded('region', 'Turnover by weekday and hour')],
  day: ['day/111/YESTERDAY', loaded('img', 'Turnover by hour')],
  upload: ['upload', chooseDay],
} as const;

async function chooseDay(page: Page, yesterday: string): Promise<void> {
  await chooseFiles(page, { 'till-101.json': day({ restaurant_id: 101, date: yesterday }) });
  await page.getByRole('button', { name: 'Upload 1 day' }).waitFor();
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
      const user = { username: 'demo', password: 'demo-password' };
      const looks = { colorScheme, viewport: { width: 1280, height: 720 }, timezoneId: 'UTC' };
      const { page, problems } = await web.open('', { ...user, ...looks });
      for (const [view, [address, show]] of Object.entries(VIEWS)) {
        await web.show(page, address.replace('YESTERDAY', yesterday));
        await show(page, yesterday);
        const picture = await toWebp(blank, await page.screenshot());
        writeFileSync(join(folder, `${view}-${colorScheme}.webp`), picture);
      }
      expect(problems).toEqual([]);
    }
  });

  test('are written of mappings', async () => {
    const username = await givenUser(web.service, { all_restaurants: true });
    await givenRestaurant(web.service, 111, 'Harbour Grill');
    const blank = await web.browser.newPage();
    for (const [name, [file, choices]] of Object.entries(MAPPINGS)) {
      const { page } = await web.open('upload', {
        username,
        viewport: { width: 1300, height: 1400 },
      });
      await page.locator('input[type=file]').setInputFiles(join(FORMATS, file));
      for (const [label, value] of Object.entries(choices))
        await page.getByLabel(label, { exact: true }).selectOption(value);
      await page.getByRole('region', { name: 'The first day of the file' }).waitFor();
      const picture = await page.getByRole('region', { name: file }).screenshot();
      writeFileSync(join(folder, `${name}.webp`), await toWebp(blank, picture));
    }
  });
});

test('the guide to files shows a mapping of each kind, in at most 150 kB', () => {
  const guide = readFileSync(join(folder, '../files.md'), 'utf8');
  const sizes = Object.keys(MAPPINGS).map((name) => {
    expect(guide).toContain(`images/${name}.webp`);
    return statSync(join(folder, `${name}.webp`)).size;
  });
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150_000);
});

test('pictures of every view in both themes are at most 300 kB, and the README shows one', () => {
  const readme = readFileSync(join(folder, '../../README.md'), 'utf8');
  const sizes = THEMES.flatMap((theme) => {
    expect(readme).toContain(`docs/images/today-${theme}.webp`);
    return Object.keys(VIEWS).map((view) => statSync(join(folder, `${view}-${theme}.webp`)).size);
  });
  expect(Math.min(...sizes)).toBeGreaterThan(1000);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_TOTAL_BYTES);
});
