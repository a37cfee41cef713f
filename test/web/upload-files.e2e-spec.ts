import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { BusinessCalendar } from '../../src/calendar/business-calendar.js';
import { givenTill, givenUser } from '../support/given.js';
import { FIGURES, record } from '../support/records.js';
import {
  accessibilityViolations,
  chooseFiles,
  chooseRestaurant,
  says,
  startWeb,
} from './web-page.js';

const web = startWeb();
const TODAY = '2025-10-16';

beforeAll(() => {
  const calendar = web.service.app.get(BusinessCalendar);
  jest.spyOn(calendar, 'today').mockReturnValue(TODAY);
});
const FOLDER = join(__dirname, '../sales');

let till: { username: string; token: string };
let office: { username: string; token: string };
beforeAll(async () => {
  till = await givenTill(web.service, { restaurants: [101, 111] });
  const username = await givenUser(web.service, { all_restaurants: true });
  office = { username, token: await web.service.client.token(username, 'right password') };
});

const openUpload = async ({ username } = till): Promise<Page> =>
  (await web.open('upload', { username })).page;
const choose = (page: Page, ...names: string[]): Promise<void> =>
  page.locator('input[type=file]').setInputFiles(names.map((name) => join(FOLDER, name)));
const stored = async (id: number, date: string): Promise<any> => {
  const path = `/api/v1/sales/daily?restaurant_id=${id}&date=${date}`;
  return (await web.service.client.get(path, { token: till.token })).body;
};
const TILLS = ['files/H39100001_20251003.txt', 'files/H39100002_20251003.txt'];

test('two tills are one day, with their names in the ledger; one alone waits for a person', async () => {
  const page = await openUpload();
  await choose(page, ...TILLS);
  for (const machine of ['39100001', '39100002'])
    await chooseRestaurant(page, `${machine} in H${machine}_20251003.txt is`, 101);
  await says(page, /4 hours, turnover 390\.00, 2 tills \(39100001, 39100002\)/);
  await page.getByRole('button', { name: 'Upload 1 day' }).click();
  await says(page, '1 of 1 day saved');
  expect((await stored(101, '2025-10-03')).totals.gto).toBe(390);
  await page.getByRole('button', { name: 'Clear' }).click();
  await choose(page, TILLS[0]!);
  await says(page, /also of till 39100002/);
  expect(await page.getByRole('button', { name: /^Upload \d/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'Replace the stored hours' }).click();
  await page.getByRole('button', { name: 'Upload 1 day' }).and(page.locator(':enabled')).waitFor();
});

test('an unknown file is mapped by its columns, proven by the turnover of a day, and then read', async () => {
  const page = await openUpload(office);
  const file = readFileSync(join(FOLDER, 'formats/16-tabin-sales-by-hour-2026-11-17.csv'), 'utf8');
  await chooseFiles(page, { 'tabin-sales-by-hour-2025-10-14.csv': file });
  await page.locator('.mapping:focus').waitFor();
  expect(await page.getByLabel('Time is', { exact: true }).inputValue()).toBe('hour');
  const first = page.getByRole('region', { name: 'The first day of the file' });
  await page.getByText('Does Total contain Tax?').waitFor();
  const tax = page.getByLabel('Tax is', { exact: true });
  expect(await tax.getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByRole('button', { name: 'Use this mapping' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'No, Tax comes on top' }).click();
  await first.getByText('7,495.34').waitFor(); // with the tax and the surcharge
  await tax.selectOption('gst?');
  await page.getByRole('button', { name: 'Yes, take Tax off' }).click();
  expect(await tax.inputValue()).toBe('gst,-gto');
  await page.getByLabel('Eftpos Surcharge is', { exact: true }).selectOption('-gto');
  await first.getByText('6,468.75').waitFor();
  await says(page, 'This restaurant, Tue 14 Oct 2025');
  expect(await accessibilityViolations(page)).toEqual([]);
  const remember = page.getByRole('button', { name: 'Remember it for files like this' });
  await page.getByLabel(/^Turnover of this day/).fill('6,468.57');
  await says(page, 'The file has 0.18 more');
  expect(await remember.isDisabled()).toBe(true);
  await page.getByLabel(/^Turnover of this day/).fill('6,468.75');
  await says(page, '✓ the same');
  await chooseRestaurant(page, 'Restaurant', 101);
  await remember.click();
  await says(page, /11 hours, turnover 6,468\.75.*read by tabin-sales-by-hour$/);
  expect(await page.getByLabel('Read by the profile').inputValue()).toBe('tabin-sales-by-hour');
  const path = '/api/v1/sales/file-profiles/tabin-sales-by-hour';
  const { body } = await web.service.client.get(path, { token: office.token });
  expect(body.profile.fields).toMatchObject({
    gto: ['Total', '-Eftpos Surcharge', '-Tax'],
    gst: 'Tax',
  });
  const { page: other } = await web.open('upload', { username: till.username });
  await chooseFiles(other, { 'tabin-sales-by-hour-2025-10-14.csv': file });
  await chooseRestaurant(other, 'Restaurant', 111);
  await other.getByRole('region', { name: 'Restaurant 111, 2025-10-14' }).waitFor();
});

test('what is written in two ways is asked, marks its column, and is kept with the profile', async () => {
  const page = await openUpload(office);
  const file = (date: string): string => `Day;Hour;Place;Sales\n${date};9;Restaurant 101;10,50\n`;
  await chooseFiles(page, { 'ways.csv': file('03/10/2025') });
  await says(page, /may be day first or month first/);
  expect(await page.getByLabel('Day is', { exact: true }).getAttribute('aria-invalid')).toBe(
    'true',
  );
  await page.getByRole('button', { name: 'day first' }).click();
  await says(page, 'Restaurant 101, Fri 3 Oct 2025');
  await page.getByRole('button', { name: 'Ask again' }).click();
  await page.getByRole('button', { name: 'day first' }).click();
  await page.getByLabel(/^Turnover of this day/).fill('10.50');
  await page.getByRole('button', { name: 'Remember it for files like this' }).click();
  await says(page, /ways\.csv: 1 hour, turnover 10\.50/);
  await chooseFiles(page, { 'page.csv': `${file('04/10/2025')}Showing 1 of 12;;;\n` });
  await page.getByLabel('Keep the answer in the profile, for all its files').check();
  await page.getByRole('button', { name: 'lines like it are skipped' }).click();
  await says(page, /page\.csv: 1 hour, turnover 10\.50/);
  const path = '/api/v1/sales/file-profiles/ways';
  const { body } = await web.service.client.get(path, { token: office.token });
  expect(body.profile).toMatchObject({
    date: { column: 'Day', order: 'dmy' },
    skip_lines: ['Showing * of *'],
    proof: { file: 'ways.csv', date: '2025-10-03', turnover: '10.5' },
  });
});

test('the turnover beside the first day is of that restaurant and day alone', async () => {
  const page = await openUpload(office);
  const row = (place: number, date: string, amount: string): string =>
    `Restaurant ${place},${date},9,${amount}`;
  const rows = [row(101, '2025-10-06', '10.00'), row(111, '2025-10-06', '20.00')];
  await chooseFiles(page, {
    'places.csv': ['Venue,Date,Hour,Sales', ...rows, row(101, '2025-10-07', '30.00')].join('\n'),
  });
  await page.getByLabel('Venue is', { exact: true }).selectOption('restaurant');
  await page.getByLabel(/^Turnover of this day/).fill('10.00');
  await says(page, '✓ the same');
  await page.getByRole('button', { name: 'Use this mapping' }).click();
  await page.getByRole('button', { name: 'Upload 3 days' }).and(page.locator(':enabled')).waitFor();
});

test('what an upload would refuse is said beside the first day, and a mapping can be changed', async () => {
  const page = await openUpload(office);
  const row = 'Restaurant 101,2025-10-08,9,12.50,11.00,-0.50';
  await chooseFiles(page, { 'less.csv': `Venue,Date,Hour,Sales,Net,Discount\n${row}` });
  await page.getByLabel('Venue is', { exact: true }).selectOption('restaurant');
  await says(page, /discount: -0\.5 is below zero/);
  const use = page.getByRole('button', { name: 'Use this mapping' });
  expect(await use.isDisabled()).toBe(true);
  await page.getByLabel('Discount is', { exact: true }).selectOption('-discount');
  await use.click();
  await says(page, /less\.csv: 1 hour, turnover 12\.50/);
  await page.getByRole('button', { name: 'Change the mapping' }).click();
  expect(await page.getByLabel('Discount is', { exact: true }).inputValue()).toBe('-discount');
  await page.getByLabel('Sales is', { exact: true }).selectOption('');
  await says(page, 'Choose which column is the turnover.');
  await page.getByLabel('Net is', { exact: true }).selectOption('gto');
  await use.click();
  await says(page, /less\.csv: 1 hour, turnover 11\.00/);
});

test('an answer is of its file alone unless a person keeps it for all', async () => {
  const fields = { ...Object.fromEntries(FIGURES.map((name) => [name, null])), gto: 'Takings' };
  const profile = {
    ...{ restaurant: { column: 'Site' }, date: { column: 'Date' }, hour: { column: 'Hour' } },
    ...{ fields, ignore: [] },
  };
  const path = '/api/v1/sales/file-profiles/takings';
  await web.service.client.put(path, { profile }, { token: office.token });
  const page = await openUpload(office);
  await chooseFiles(page, {
    'takings.csv': 'Site,Date,Hour,Takings\nRestaurant 101,2025-10-09,9,1.250',
  });
  await page.getByRole('button', { name: '1250', exact: true }).click();
  await says(page, /takings\.csv: 1 hour, turnover 1,250\.00/);
  const { body } = await web.service.client.get(path, { token: office.token });
  expect(body.profile).not.toHaveProperty('decimal');
});

test('the till’s own upload is replaced only after a question, and a wrong turnover stops a day', async () => {
  await web.upload(till.token, [
    record({ restaurant_id: 111, date: '2025-10-14', hour: 9, gto: 200, cash: 200 }),
  ]);
  const page = await openUpload(office);
  await chooseFiles(page, {
    'delivery.csv': 'Shop,Date,Hour,Total\nRestaurant 111,2025-10-14,9,110.00\n',
  });
  await page.getByRole('button', { name: 'Use this mapping' }).click();
  await says(page, /hours 9 are stored from/, /cash 200\.00 -> 0: not in this file/);
  await page.getByRole('button', { name: 'Replace the stored hours' }).click();
  const upload = page.getByRole('button', { name: 'Upload 1 day' });
  await upload.and(page.locator(':enabled')).waitFor();
  await page.getByLabel('Turnover by the till’s own report').fill('111');
  await says(page, 'The file has 1.00 less');
  expect(await page.getByRole('button', { name: /^Upload \d/ }).count()).toBe(0);
  await page.getByLabel('Turnover by the till’s own report').fill('110');
  await upload.click();
  await says(page, '1 of 1 day saved');
});

test('a workbook is read, what has two readings is asked, and a template is one click', async () => {
  const page = await openUpload();
  await choose(page, 'files/excel.xlsx');
  await page.getByRole('button', { name: 'That is right' }).click(); // it is of the future
  await says(page, 'excel.xlsx: 2 hours, turnover 210.00');
  await choose(page, 'files/thousands-dot-rupiah.csv');
  await says(page, /250\.000 may be 250 or 250000/);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download a template' }).click();
  const template = readFileSync(await (await download).path(), 'utf8');
  await chooseFiles(page, { 'template.csv': template });
  await says(page, 'template.csv: 1 hour, turnover 0.00');
});

test('a file of 200,000 lines is read beside the page, which says so', async () => {
  const page = await openUpload();
  const receipts = Array.from({ length: 200_000 }, (_, index) => {
    const time = new Date(Date.UTC(2025, 8, 1) + index * 6_000).toISOString().slice(0, 19);
    return `Harbour Grill,${index},${time},12.50,Visa`;
  });
  const profile = {
    restaurant: { column: 'Place', codes: { 'harbour grill': 101 } },
    date: { column: 'When' },
    hour: { column: 'When' },
    add_up: 'Receipt',
    split: { column: 'Paid', by: 'Card', into: { visa: 'visa' } },
    fields: { ...Object.fromEntries(FIGURES.map((name) => [name, null])), gto: 'Paid' },
  };
  const path = '/api/v1/sales/file-profiles/receipts';
  const kept = await web.service.client.put(path, { profile }, { token: office.token });
  expect(kept.status).toBe(200);
  // A page that reads itself draws next to nothing meanwhile.
  await page.evaluate(`
    window.drawn = 0;
    const count = () => requestAnimationFrame(() => (window.drawn++, count()));
    count();
  `);
  const bar = page.getByRole('progressbar', { name: 'Reading receipts.csv' });
  const seen = bar.waitFor();
  await chooseFiles(page, {
    'receipts.csv': ['Place,Receipt,When,Paid,Card', ...receipts].join('\n'),
  });
  await seen;
  const before = Number(await page.evaluate('window.drawn'));
  await bar.waitFor({ state: 'detached' });
  expect(Number(await page.evaluate('window.drawn')) - before).toBeGreaterThan(20);
  await says(page, 'Turnover in all: 2,500,000.00');
  await page.getByRole('button', { name: 'Upload 14 days' }).waitFor();
});

test('payments in rows are mapped, remembered, and the next file like it is read by itself', async () => {
  const page = await openUpload(office);
  const tenders = (date: string): string =>
    ['Outlet,Business date,Hour,Tender,Paid']
      .concat(
        '09,Cash,10.50 09,Visa,20.00 10,Visa,7.25'
          .split(' ')
          .map((row) => `Restaurant 101,${date},${row}`),
      )
      .join('\n');
  await chooseFiles(page, { 'tenders-monday.csv': tenders('2025-10-13') });
  await says(page, /are both of .* is it there twice/);
  await page.getByLabel('Tender is', { exact: true }).selectOption('payment');
  expect(await page.getByLabel('Tender Cash', { exact: true }).inputValue()).toBe('cash');
  await says(page, 'Restaurant 101, Mon 13 Oct 2025');
  await page.getByLabel(/^Turnover of this day/).fill('37.75');
  await page.getByRole('button', { name: 'Remember it for files like this' }).click();
  await says(page, 'tenders-monday.csv: 2 hours, turnover 37.75');
  const { page: other } = await web.open('upload', { username: till.username });
  await chooseFiles(other, { 'tenders-tuesday.csv': tenders('2025-10-15') });
  await says(other, 'tenders-tuesday.csv: 2 hours, turnover 37.75');
  await other.getByRole('button', { name: 'Upload 1 day' }).click();
  await says(other, '1 of 1 day saved');
  expect((await stored(101, '2025-10-15')).records).toMatchObject([
    { hour: 9, gto: 30.5, cash: 10.5, visa: 20 },
    { hour: 10, gto: 7.25, cash: 0, visa: 7.25 },
  ]);
});

test('a code of one source is asked again for another one', async () => {
  const page = await openUpload(office);
  const file = (heading: string): string => `${heading};Datum;Zeit;Umsatz\n7;2025-10-12;9;10.50`;
  await chooseFiles(page, { 'filialen.csv': file('Filialnummer') });
  await says(page, '7, Sun 12 Oct 2025');
  await page.getByRole('button', { name: 'Use this mapping' }).click();
  await chooseRestaurant(page, '7 in filialen.csv is', 111);
  await page.getByRole('region', { name: 'Restaurant 111, 2025-10-12, filialen.csv' }).waitFor();
  await chooseFiles(page, { 'branches.csv': file('Branch') });
  await page.getByRole('button', { name: 'Use this mapping' }).click();
  await says(page, /^7 in branches.csv is Choose…$/, /^7 in filialen.csv is Restaurant 111$/);
});
