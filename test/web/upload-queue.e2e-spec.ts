import type { Page } from 'playwright-core';
import { BusinessCalendar } from '../../src/calendar/business-calendar.js';
import { givenTill } from '../support/given.js';
import { day, record } from '../support/records.js';
import { seed } from '../support/seed.js';
import { chooseFiles, chooseRestaurant, says, startWeb } from './web-page.js';

const web = startWeb();
const TODAY = '2025-10-16';

beforeAll(() => {
  const calendar = web.service.app.get(BusinessCalendar);
  jest.spyOn(calendar, 'today').mockReturnValue(TODAY);
});

let id = 500;
let till: { username: string; token: string };
beforeEach(async () => (till = await givenTill(web.service, { restaurants: [++id] })));

const openUpload = async (): Promise<Page> =>
  (await web.open('upload', { username: till.username })).page;

/** Our own CSV of these days of one hour each. */
function csvOf(dates: readonly string[], changes: Record<string, unknown> = {}): string {
  const rows = dates.map((date) => record({ restaurant_id: id, date, ...changes }));
  return [Object.keys(record()), ...rows.map((row) => Object.values(row))].join('\n');
}

const datesFrom = (first: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => {
    const date = new Date(`${first}T00:00:00Z`);
    date.setUTCDate(date.getUTCDate() + index);
    return date.toISOString().slice(0, 10);
  });

/** A file that takes a while to be read: its lines after the first are hours of other days. */
const largeCsv = (): string => csvOf(datesFrom('2001-01-01', 9000));

test('files that are chosen, and left out, while another one is read: nothing is lost, and nothing comes back', async () => {
  const page = await openUpload();
  await chooseFiles(page, { 'bad.csv': 'What,is,this\n1,2,3' });
  await page.getByRole('region', { name: 'bad.csv' }).waitFor();
  await page.route('**/upload-daily?dry_run=true', (route) => route.abort());
  await chooseFiles(page, { 'large.csv': largeCsv() });
  await chooseFiles(page, { 'small.json': day({ restaurant_id: id }) });
  await page.getByRole('region', { name: 'bad.csv' }).getByText('Remove').click();
  await page.getByRole('button', { name: 'That is right' }).click();
  await says(page, /of 9,001 days saved/, '2 files');
  expect(await page.getByRole('region', { name: 'bad.csv' }).count()).toBe(0);
});

test('a token that ends while days are checked: they are checked after signing in again', async () => {
  const page = await openUpload();
  let checked = 0;
  await page.route('**/upload-daily?dry_run=true', async (route) => {
    if (++checked === 10)
      await web.service.client.post('/api/v1/auth/revoke', { all: true }, { token: till.token });
    await route.continue();
  });
  await chooseFiles(page, { 'fortnight.csv': csvOf(datesFrom('2025-10-01', 14)) });
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByLabel('Password').fill('right password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Check 5 days' }).click();
  await page.getByRole('button', { name: 'Upload 14 days' }).click();
  await says(page, '14 of 14 days saved');
});

test('a hundred unknown outlets of a chain of a thousand: each is found by typing', async () => {
  const ids = Array.from({ length: 1000 }, (_, index) => 5001 + index);
  await seed(web.service.database, { username: 'chain', restaurants: ids });
  const { page } = await web.open('upload', { username: 'chain' });
  const figures = '2|100.5|9|0|0|3|109.5|0|0|0|0|0|0|Y';
  const machines = Array.from({ length: 100 }, (_, index) => 4_012_345 + index);
  const rows = machines.map((machine) => `${machine}|1|20251015|12|${figures}`);
  await chooseFiles(page, { 'outlets.txt': rows.join('\r\n') });
  await page.getByRole('heading', { name: 'Which restaurant is it?' }).waitFor();
  expect(await page.locator('option, .restaurant-list button').count()).toBeLessThan(100);
  await chooseRestaurant(page, '4012345 in outlets.txt is', 5777);
  await says(page, '4012345 in outlets.txt is Restaurant 5777');
});

test('a further file of one day costs its day, and not those that are there', async () => {
  const { page } = await web.open('', { username: till.username });
  await page.evaluate(`
    window.told = [];
    window.Worker = class extends Worker {
      constructor(...given) {
        super(...given);
        this.addEventListener('message', ({ data }) => told.push(JSON.stringify(data).length));
      }
    };
  `);
  await page.getByRole('link', { name: 'Upload', exact: true }).click();
  await chooseFiles(page, { 'year.csv': csvOf(datesFrom('2024-01-01', 366)) });
  await page.getByRole('button', { name: 'That is right' }).click();
  await page.getByRole('button', { name: 'Upload 366 days' }).waitFor();
  await page.evaluate('window.told = []');
  await chooseFiles(page, { 'tuesday.json': day({ restaurant_id: id }) });
  await page.getByRole('button', { name: 'Upload 367 days' }).waitFor();
  expect(await page.evaluate<number>('told.reduce((sum, size) => sum + size)')).toBeLessThan(
    20_000,
  );
});

test('a day that somebody else sent since it was checked is not overwritten unseen', async () => {
  const page = await openUpload();
  await chooseFiles(page, { 'tuesday.json': day({ restaurant_id: id }) });
  const upload = page.getByRole('button', { name: 'Upload 1 day' });
  await upload.and(page.locator(':enabled')).waitFor();
  await web.upload(till.token, [record({ restaurant_id: id, hour: 9, gto: 1 })]);
  await upload.click();
  await says(page, /this day has changed/);
  await page.getByRole('button', { name: 'Check 1 day' }).click();
  await page.getByRole('button', { name: 'Replace the stored hours' }).click();
  await says(page, /Overwrites 1 hour/);
  await upload.click();
  await says(page, '1 of 1 day saved');
});
