import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import type { Locator, Page } from 'playwright-core';
import { BusinessCalendar } from '../../src/calendar/business-calendar.js';
import { ClosuresService } from '../../src/restaurants/closures/closures.service.js';
import { givenRestaurant, givenTill } from '../support/given.js';
import { day, record } from '../support/records.js';
import { says, startWeb } from './web-page.js';

const web = startWeb();

/** Names that a spreadsheet would run as a formula, and one that would split the line. */
const FORMULAS = ['=1+1', '＝1+1', ';=1+1', '@SUM(A1)', 'Café; "Zürich", Süd'];

let username: string;
beforeAll(async () => {
  jest.spyOn(web.service.app.get(BusinessCalendar), 'today').mockReturnValue('2025-10-16');
  const till = await givenTill(web.service, { restaurants: [301, 302] });
  username = till.username;
  for (const [restaurant_id, date, gto] of [
    [301, '2025-10-08', 100],
    [301, '2025-10-14', 99999999999.9999],
    [301, '2025-10-15', 150.5],
    [302, '2025-10-15', 0.0000001],
  ])
    await web.upload(till.token, [record({ restaurant_id, date, gto })]);
});

async function openRange(query: string, options = {}): Promise<Page> {
  const view = `sales?from=2025-10-13&to=2025-10-15${query}`;
  const { page, problems } = await web.open(view, { username, ...options });
  await page.getByRole('img', { name: 'Turnover by day' }).waitFor();
  expect(problems).toEqual([]);
  return page;
}

const tableOf = async (page: Page, by: string): Promise<string> =>
  (await page.getByRole('region', { name: `Totals by ${by}` }).innerText()).replace(/\s+/g, ' ');

/** The texts of all files of a ZIP archive, one after the other. */
function unzip(archive: Buffer): string {
  const texts: string[] = [];
  let at = 0;
  while (archive.readUInt32LE(at) === 0x04034b50) {
    const [size, name, extra] = [archive.readUInt32LE(at + 18), archive.readUInt16LE(at + 26), archive.readUInt16LE(at + 28)]; // prettier-ignore
    const start = at + 30 + name + extra;
    const bytes = archive.subarray(start, start + size);
    texts.push(String(archive.readUInt16LE(at + 8) === 8 ? inflateRawSync(bytes) : bytes));
    at = start + size;
  }
  return texts.join('\n');
}

const textsOf = async (rows: Locator): Promise<string[]> =>
  (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));

async function download(page: Page, part: string, kind: 'CSV' | 'Excel'): Promise<Buffer> {
  const saved = page.waitForEvent('download');
  const card = page.locator('.card', { has: page.getByRole('heading', { name: part }) });
  await card.getByRole('button', { name: kind }).click();
  return readFileSync(await (await saved).path());
}

test('totals by day are exact, beside the day of the earlier period, and both periods are named', async () => {
  const page = await openRange('&restaurants=301');
  const text = await tableOf(page, 'day');
  expect(text).toMatch(/14 Oct 2025 99,999,999,999\.9999 0\.00 – 42 .* 23 of 24 missing 1 /);
  expect(text).toMatch(/15 Oct 2025 150\.50 100\.00 \+50\.5% 42 .* 23 of 24 missing 1 /);
  expect(text).toMatch(/Total 100,000,000,150\.4999 /);
  await says(page, 'Mon 13 Oct 2025 to Wed 15 Oct 2025 (3 days), compared with Mon 6 Oct 2025 to Wed 8 Oct 2025'); // prettier-ignore
  await says(page, 'Nothing is compared: no restaurant sent all of both periods');
  await page.getByRole('link', { name: 'Tue 14 Oct 2025' }).click();
  await page.waitForURL(/#\/day\/301\/2025-10-14$/);
});

test('like for like leaves out who was not open in both periods, and nobody for other weekdays', async () => {
  const [always, opened, reopened, offOnMondays] = [331, 332, 333, 334];
  const till = await givenTill(web.service, { restaurants: [331, 332, 333, 334] });
  const { app, database } = web.service;
  await database.query(`UPDATE restaurants SET first_day = '2025-10-12' WHERE id = ${opened}`);
  await database.query(`UPDATE restaurants SET weekly_hours[1] = 0 WHERE id = ${offOnMondays}`);
  const closure = { firstDay: '2025-10-10', lastDay: '2025-10-11', reason: null };
  await app.get(ClosuresService).close([reopened], closure);
  for (const [id, first, gto] of [
    [always, 10, 100],
    [opened, 12, 100],
    [reopened, 12, 100],
    [offOnMondays, 10, 50],
  ] as [id: number, first: number, gto: number][])
    for (let date = first; date <= 15; date++)
      if (id !== offOnMondays || date !== 13)
        await web.upload(till.token, day({ restaurant_id: id, date: `2025-10-${date}`, gto }));
  const page = await openRange('&compare=before', { username: till.username });
  await says(page, 'Changes are like for like: 2 restaurants complete in both periods, turnover 9,600.00, was 10,800.00', '2 restaurants left out, closed or not yet open for more of one period than of the other'); // prettier-ignore
  await says(page, 'All that was sent, by 4 restaurants and 4 before: not like for like.');
  const grey = page.getByTitle(/^Not alike: closures or its first day leave 72 expected hours, 24 before/); // prettier-ignore
  expect(await grey.allInnerTexts()).toEqual(['+200.0%', '+200.0%']);
});

test('restaurants are compared: the table is sorted, and each row leads to its restaurant', async () => {
  const page = await openRange('');
  const rows = page.getByRole('region', { name: 'Totals by restaurant' }).getByRole('rowheader');
  expect(await textsOf(rows)).toEqual(['Restaurant 301 301', 'Restaurant 302 302', 'Total']);
  expect(await tableOf(page, 'restaurant')).toContain('Restaurant 302 302 0.0000001 0.00 –');
  const table = page.getByRole('region', { name: 'Totals by restaurant' });
  const column = table.getByRole('columnheader', { name: 'Turnover' });
  expect(await column.getAttribute('aria-sort')).toBe('descending'); // the highest turnover comes first
  const markOf = (sort: string): Promise<string> =>
    page.evaluate(`getComputedStyle(document.querySelector('[aria-label="Totals by restaurant"] th${sort} button'), '::after').content`); // prettier-ignore
  expect(await markOf('[aria-sort=descending]')).toContain('↓');
  expect(await markOf('[scope=col]:not([aria-sort])')).toContain('↕');
  await column.getByRole('button').click();
  expect(await column.getAttribute('aria-sort')).toBe('ascending');
  expect(await textsOf(rows)).toEqual(['Restaurant 302 302', 'Restaurant 301 301', 'Total']);
  const change = table.getByRole('columnheader', { name: 'Change' });
  for (const order of ['descending', 'ascending']) {
    await change.getByRole('button').click();
    expect(await change.getAttribute('aria-sort')).toBe(order);
    // Restaurant 302 sent nothing before: what cannot be compared neither rises nor falls.
    expect(await textsOf(rows)).toEqual(['Restaurant 301 301', 'Restaurant 302 302', 'Total']); // prettier-ignore
  }
  await page.getByLabel('Name or number').last().fill('302');
  await page.getByText('1 of 2 restaurants').waitFor();
  await page.getByRole('link', { name: 'Restaurant 302' }).click();
  await page.getByRole('heading', { level: 1, name: 'Restaurant 302' }).waitFor();
  expect(page.url()).toMatch(/#\/sales\?from=2025-10-13&to=2025-10-15&restaurants=302$/);
});

test('period, comparison and restaurants are chosen in the page, and stay in the address', async () => {
  const page = await openRange('');
  await page.getByText('Restaurants all 2').click();
  await page.getByRole('checkbox', { name: 'Restaurant 302' }).check();
  await page.getByRole('button', { name: 'Show 1 restaurant' }).click();
  await page.getByText('0.0000001').first().waitFor();
  await page.getByLabel('Period', { exact: true }).selectOption('Other days…');
  await page.getByLabel('First day').fill('2025-10-15');
  await page.getByLabel('Last day').fill('2025-10-14');
  await page.getByRole('button', { name: 'Show these days' }).click();
  await says(page, 'The first day is after the last one.');
  await page.getByLabel('Last day').fill('2025-10-15');
  await page.getByRole('button', { name: 'Show these days' }).click();
  await says(page, 'Wed 15 Oct 2025 (1 day), compared with Wed 8 Oct 2025');
  expect(page.url()).toMatch(/#\/sales\?from=2025-10-15&to=2025-10-15&restaurants=302$/);
  await page.getByLabel('Compare with').selectOption('same weekdays last year');
  await says(page, 'Wed 15 Oct 2025 (1 day), compared with Wed 16 Oct 2024');
  await page.getByLabel('Period', { exact: true }).selectOption('Last month');
  await says(page, 'Mon 1 Sep 2025 to Tue 30 Sep 2025 (30 days), compared with Mon 2 Sep 2024 to Tue 1 Oct 2024'); // prettier-ignore
  expect(page.url()).toMatch(/#\/sales\?restaurants=302&compare=year&period=last-month$/);
});

test('a copied link names the days of a period, and opens the same figures', async () => {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const { page } = await web.open('sales?period=yesterday', { username, permissions });
  await page.getByRole('button', { name: 'Copy link to this view' }).click();
  await says(page, 'Copied.');
  const link = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(link).toBe(`${web.service.url}/app/#/sales?from=2025-10-15&to=2025-10-15`);
  await web.show(page, 'sales');
  await page.getByRole('button', { name: 'Copy link to this view' }).click();
  const usual = `${web.service.url}/app/#/sales?from=2025-09-18&to=2025-10-15`;
  await page.waitForFunction(`navigator.clipboard.readText().then((text) => text === '${usual}')`);
});

test('tables are saved as CSV and as a workbook, without another request and without formulas', async () => {
  const ids = FORMULAS.map((_name, index) => 310 + index);
  for (const [index, id] of ids.entries()) await givenRestaurant(web.service, id, FORMULAS[index]);
  const till = await givenTill(web.service, { restaurants: [301, ...ids] });
  const page = await openRange('', { username: till.username });
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  const csv = String(await download(page, 'Restaurants', 'CSV'));
  expect(csv).toMatch(/^\uFEFF"Restaurant","Number","Turnover","Before","Change",.*"Discount %"/);
  // The change is grey on the page, as it is not like for like, and is not in the file.
  expect(csv).toContain('"Restaurant 301","301",100000000150.4999,100,,');
  for (const name of FORMULAS.slice(0, 4)) expect(csv).toContain(`"'${name}"`);
  expect(csv).toContain('"Café; ""Zürich"", Süd"');
  const workbook = unzip(await download(page, 'Turnover by day', 'Excel'));
  expect(workbook).toMatch(/<c r="A2" s="\d"><v>45943<\/v>/); // 13 October 2025 as a date
  expect(workbook).toMatch(/<v>150\.5<\/v>/);
  expect(workbook).toContain('>99999999999.9999<');
  expect(requests.filter((url) => url.includes('/api/'))).toEqual([]);
});

test('corrections of the days: by whom, when, from where, before and after', async () => {
  const till = await givenTill(web.service, { restaurants: [320] });
  const send = (gto: number) =>
    web.upload(till.token, [record({ restaurant_id: 320, hour: 20, gto })]);
  await send(12450);
  await send(12370);
  for (const gto of [5000, 50])
    await web.upload(till.token, [record({ restaurant_id: 320, date: '2025-01-31', gto })]);
  await web.upload(till.token, [record({ restaurant_id: 320, hour: 20, gto: 12370, pax: 98 })]);
  const { page } = await web.open('changes?about=sales&period=last-365', {
    username: till.username,
  });
  const table = page.getByRole('region', { name: 'Corrections' });
  expect((await table.innerText()).replace(/\s+/g, ' ')).toMatch(
    new RegExp(`Wed 15 Oct 2025 Restaurant 320 320 20:00 to 21:00 Turnover 12,450.00 → 12,370.00 −80.00 ${till.username} `), // prettier-ignore
  );
  await says(page, 'Covers 96 → 98'); // and not turnover 12,370.00 → 12,370.00
  await page.getByRole('link', { name: 'Fri 31 Jan 2025' }).waitFor(); // changed now, months later
  await page.getByRole('link', { name: 'Wed 15 Oct 2025' }).first().click();
  await page.waitForURL(/#\/day\/320\/2025-10-15$/);
  await web.show(page, 'changes'); // whose periods end today: what was just corrected is shown
  await says(page, 'Made Fri 19 Sep 2025 to Thu 16 Oct 2025, newest first');
  await page.getByLabel('Period').selectOption('last-7');
  await says(page, 'Made Fri 10 Oct 2025 to Thu 16 Oct 2025, newest first');
});
