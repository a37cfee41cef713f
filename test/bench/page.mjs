import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { SALES_FIELDS } from '../../dist/src/sales/fields/sales-fields.js';
import { PASSWORD } from '../drills/load.mjs';
import { query } from '../drills/postgres.mjs';
import { ROOT } from '../drills/programs.mjs';
import { FIRST_RESTAURANT } from './load.mjs';

/** The days that are written: the last of them with their hours, the others with totals alone. */
const FEW = { days: 366, withHours: 15 };
/** Of more restaurants, as many days as the service adds up in a report (`REPORT_LIMITS`). */
const MANY_RESTAURANTS = 1000;
const MANY = { days: 40, withHours: 4 };

/** The views that are measured: their addresses, what stands there first, and the most requests and kB. */
const VIEWS = [
  ['today', '', '.tiles', { requests: 4, kB: 250 }],
  ['sales, 28 days', 'sales', '.tiles', { requests: 6 }],
  ['sales, a year', 'sales?from=FIRST&to=YESTERDAY', '.tiles', { requests: 8 }],
  ['sent days', 'days', '.sent-days'],
  ['a day', `day/${FIRST_RESTAURANT}/YESTERDAY`, '.tiles'],
  ['account', 'account', '[aria-label="My restaurants"]'],
];

/** The views that have a filter, of not too many restaurants: a key is pressed in it. */
const FILTER = 'Name or number';
const FILTERED = ['sales, a year', 'sent days'];

/** No view takes more of the line, however many restaurants there are. */
const MOST_KB = 1000;

/**
 * Opens the views of the page in a real browser, with few and many restaurants and a year: requests
 * and bytes as they are sent, the longest time that a view blocks the browser, the time from the last
 * response of its first figures until these stand, from a key in its filter to the next picture, and
 * what Today loads again each minute.
 */
export async function page(stage) {
  const rows = [];
  const all = stage.versions.flatMap((version) =>
    stage.options.restaurants.map((restaurants) => ({ version, restaurants })),
  );
  for (const { version, restaurants } of all) {
    const url = await stage.database(version, `page_${restaurants}`, { restaurants });
    const written = restaurants > MANY_RESTAURANTS ? MANY : FEW;
    await fill(url, written);
    const service = await stage.start(version, url);
    const browser = await startBrowser();
    const tab = await openPage(browser, service);
    for (const [view, address, first, most] of VIEWS) {
      process.stderr.write(`page, ${view}, ${restaurants} restaurants: ${version.name}\n`);
      const figures = await measure(tab, { view, address, first, most, ...written });
      rows.push({ contestant: version.name, restaurants, view, ...figures });
    }
    await browser.close();
    await service.stop();
  }
  return rows;
}

/** Writes the totals of a year, as uploads and housekeeping leave them, and the last days' hours. */
async function fill(url, { days, withHours }) {
  const names = SALES_FIELDS.map(({ name }) => name);
  // Figures that are alike would be smaller on the line than those of tills.
  const figures = SALES_FIELDS.map(
    ({ kind }) => `round((random() * 1000)::numeric, ${kind === 'count' ? 0 : 2})`,
  );
  await query(
    url,
    `INSERT INTO sales_days (restaurant_id, date, uploads, hours, hours_before, last_uploaded_at,
         totals_upload, totals_fields, ${names.map((name) => `total_${name}`)})
       SELECT id, CURRENT_DATE - back, 1, 16777215, 0, now(), 1, ${names.length}, ${figures}
       FROM generate_series(1, ${days}) AS back, restaurants;
     INSERT INTO hourly_sales (restaurant_id, date, hour, upload_number, ${names})
       SELECT id, CURRENT_DATE - back, hour, 1, ${figures}
       FROM generate_series(1, ${withHours}) AS back, restaurants, generate_series(0, 23) AS hour;
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

async function measure(tab, { view, address, first, most = {}, days }) {
  const dayBack = (days) => new Date(Date.now() - days * 864e5).toISOString().slice(0, 10);
  const hash = `#/${address.replace('FIRST', dayBack(days)).replace('YESTERDAY', dayBack(1))}`;
  await tab.goto(`${tab.url().split('#')[0]}#/words`);
  await tab.evaluate(() => {
    window.tasks.length = 0;
    performance.clearResourceTimings();
  });
  const figures = await tab.evaluate(
    async ([hash, first]) => {
      const begun = performance.now();
      location.hash = hash;
      while (!document.querySelector(first)) {
        if (performance.now() - begun > 60_000) throw new Error(`${hash} does not show ${first}`);
        await new Promise(requestAnimationFrame);
      }
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
  const { requests, kB, failed } = await loaded(tab);
  const isFiltered = FILTERED.includes(view) && (await tab.getByPlaceholder(FILTER).count()) > 0;
  const key = isFiltered ? await measureKey(tab) : undefined;
  const tasks = await tab.evaluate(() => window.tasks.map(({ duration }) => duration));
  return {
    requests,
    failed,
    kB,
    'first figures ms': figures,
    'longest block ms': Math.max(0, ...tasks),
    'key ms': key,
    'requests of most': most.requests && requests / most.requests,
    'kB of most': kB / (most.kB ?? MOST_KB),
    'refresh kB': view === 'today' ? await refresh(tab) : undefined,
  };
}

/** The requests to the API since the timings were cleared: how many, how many failed, and their kB. */
async function loaded(tab) {
  const responses = await tab.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('/api/'))
      .map(({ transferSize, responseStatus }) => ({ transferSize, responseStatus })),
  );
  return {
    requests: responses.length,
    failed: responses.filter(({ responseStatus }) => responseStatus >= 400).length,
    kB: responses.reduce((sum, { transferSize }) => sum + transferSize, 0) / 1000,
  };
}

/** What a view loads again when it is looked at again. */
async function refresh(tab) {
  await tab.evaluate(() => {
    performance.clearResourceTimings();
    dispatchEvent(new Event('online'));
  });
  await tab.waitForTimeout(500);
  await tab.waitForLoadState('networkidle');
  return (await loaded(tab)).kB;
}

/** Types into the filter; each key is timed until the picture after it is drawn. */
async function measureKey(tab) {
  const field = tab.getByPlaceholder(FILTER).last();
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
