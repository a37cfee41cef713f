import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { SALES_FIELDS } from '../../dist/src/sales/fields/sales-fields.js';
import { PASSWORD } from '../drills/load.mjs';
import { query } from '../drills/postgres.mjs';
import { ROOT } from '../drills/programs.mjs';
import { FIRST_RESTAURANT } from './load.mjs';

const RESTAURANTS = 1000;
const DAYS = 366;
/** Days that also have their hours; the others have their totals alone. */
const DAYS_WITH_HOURS = 15;

/** The views that are measured: their addresses, and what stands there first. */
const VIEWS = [
  ['today', '', '.tiles'],
  ['sales, 28 days', 'sales', '.tiles'],
  ['sales, a year', 'sales?from=FIRST&to=YESTERDAY', '.tiles'],
  ['sent days', 'days', '.sent-days'],
  ['a day', `day/${FIRST_RESTAURANT}/YESTERDAY`, '.tiles'],
  ['account', 'account', '[aria-label="My restaurants"]'],
];

/** The views that have a filter: a key is pressed in it. */
const FILTERED = ['today', 'sales, a year', 'sent days'];

/**
 * Opens the views of the page in a real browser, with 1,000 restaurants and a year: the longest
 * time that a view blocks the browser, the time from the last response of its first figures until
 * these stand, and the time from a key in its filter to the next picture.
 */
export async function page(stage) {
  const rows = [];
  for (const version of stage.versions) {
    const url = await stage.database(version, 'page', { restaurants: RESTAURANTS });
    await fill(url);
    const service = await stage.start(version, url, { RESPONSE_TIMEOUT_MS: '30000' });
    const browser = await startBrowser();
    const tab = await openPage(browser, service);
    for (const [view, address, first] of VIEWS) {
      process.stderr.write(`page, ${view}: ${version.name}\n`);
      rows.push({
        contestant: version.name,
        view,
        ...(await measure(tab, { view, address, first })),
      });
    }
    await browser.close();
    await service.stop();
  }
  return rows;
}

/** Writes the totals of a year, as uploads and housekeeping leave them, and the last days' hours. */
async function fill(url) {
  const names = SALES_FIELDS.map(({ name }) => name);
  const figures = SALES_FIELDS.map(({ kind }) => (kind === 'count' ? '40' : '99.5 + id % 7'));
  await query(
    url,
    `INSERT INTO sales_days (restaurant_id, date, uploads, hours, hours_before, last_uploaded_at,
         totals_upload, totals_fields, ${names.map((name) => `total_${name}`)})
       SELECT id, CURRENT_DATE - back, 1, 16777215, 0, now(), 1, ${names.length}, ${figures}
       FROM generate_series(1, ${DAYS}) AS back, restaurants;
     INSERT INTO hourly_sales (restaurant_id, date, hour, upload_number, ${names})
       SELECT id, CURRENT_DATE - back, hour, 1, ${figures}
       FROM generate_series(1, ${DAYS_WITH_HOURS}) AS back, restaurants, generate_series(0, 23) AS hour;
     ANALYZE`,
  );
}

/** The Chromium that the tests have unpacked, else the system's. */
function startBrowser() {
  const cache = join(ROOT, 'node_modules/.cache');
  const unpacked = existsSync(cache)
    ? readdirSync(cache).filter((name) => /^chromium-/.test(name))
    : [];
  const folder = unpacked.length > 0 ? join(cache, unpacked[0]) : '';
  const places = [join(folder, 'chromium'), '/usr/bin/chromium', '/usr/bin/google-chrome'];
  const executablePath = places.find((path) => existsSync(path));
  if (!executablePath) throw new Error('there is no Chromium: run npx jest test/web once');
  const fonts = { FONTCONFIG_PATH: folder, LD_LIBRARY_PATH: join(folder, 'al2023/lib') };
  return chromium.launch({
    executablePath,
    chromiumSandbox: false,
    args: ['--no-zygote', '--disable-gpu', '--disable-dev-shm-usage'],
    env: { ...process.env, ...(folder ? fonts : {}) },
  });
}

async function openPage(browser, { port }) {
  const context = await browser.newContext({ viewport: { width: 1320, height: 900 } });
  context.setDefaultTimeout(120_000);
  const tab = await context.newPage();
  await tab.addInitScript(() => {
    window.tasks = [];
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries())
        window.tasks.push({ startTime, duration });
    }).observe({ type: 'longtask', buffered: true });
    performance.setResourceTimingBufferSize(1000);
  });
  await tab.goto(`http://127.0.0.1:${port}/app/#/words`);
  await tab.getByLabel('Username').fill('head-office');
  await tab.getByLabel('Password').fill(PASSWORD);
  await tab.getByRole('button', { name: 'Sign in' }).click();
  await tab.getByRole('navigation', { name: 'Views' }).waitFor();
  return tab;
}

async function measure(tab, { view, address, first }) {
  const dayBack = (days) => new Date(Date.now() - days * 864e5).toISOString().slice(0, 10);
  const hash = `#/${address.replace('FIRST', dayBack(DAYS)).replace('YESTERDAY', dayBack(1))}`;
  await tab.goto(`${tab.url().split('#')[0]}#/words`);
  await tab.evaluate(() => {
    window.tasks.length = 0;
    performance.clearResourceTimings();
  });
  const figures = await tab.evaluate(
    async ([hash, first]) => {
      const begun = performance.now();
      location.hash = hash;
      while (!document.querySelector(first)) await new Promise(requestAnimationFrame);
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      const stands = performance.now();
      const ends = performance
        .getEntriesByType('resource')
        .filter(({ name, responseEnd }) => name.includes('/api/') && responseEnd <= stands)
        .map(({ responseEnd }) => responseEnd);
      return stands - Math.max(begun, ...ends);
    },
    [hash, first],
  );
  await tab.waitForLoadState('networkidle');
  await tab.waitForTimeout(500);
  const key = FILTERED.includes(view) ? await measureKey(tab) : undefined;
  const tasks = await tab.evaluate(() => window.tasks.map(({ duration }) => duration));
  return { 'first figures ms': figures, 'longest block ms': Math.max(0, ...tasks), 'key ms': key };
}

/** Types into the filter; each key is timed until the picture after it is drawn. */
async function measureKey(tab) {
  const field = tab.getByPlaceholder('Name or number').last();
  await field.focus();
  await tab.evaluate(() => {
    window.keys = [];
    document.activeElement.addEventListener('keydown', () => {
      const begun = performance.now();
      requestAnimationFrame(() => setTimeout(() => window.keys.push(performance.now() - begun)));
    });
  });
  for (const key of 'Restaurant 10') await field.press(key === ' ' ? 'Space' : key);
  await tab.waitForTimeout(300);
  return tab.evaluate(() => Math.max(...window.keys));
}
