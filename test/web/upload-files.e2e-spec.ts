import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { givenTill, givenUser } from '../support/given.js';
import { FIGURES } from '../support/records.js';
import {
  accessibilityViolations,
  chooseFiles,
  chooseRestaurant,
  says,
  startWeb,
} from './web-page.js';

const web = startWeb();
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
  await says(page, '4 hours, turnover 390.00, 2 tills (39100001, 39100002)');
  await page.getByRole('button', { name: 'Upload 1 day' }).click();
  await says(page, '1 of 1 day saved');
  expect((await stored(101, '2025-10-03')).totals.gto).toBe(390);
  await page.getByRole('button', { name: 'Clear' }).click();
  await choose(page, TILLS[0]!);
  await says(page, 'hours are stored from other tills (39100002)');
  expect(await page.getByRole('button', { name: 'Upload 0 days' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Replace the stored hours' }).click();
  await page.getByRole('button', { name: 'Upload 1 day' }).and(page.locator(':enabled')).waitFor();
});

test('an unknown file is mapped with a preview in words, and then read', async () => {
  const page = await openUpload();
  await choose(page, 'formats/16-tabin-sales-by-hour-2026-11-17.csv');
  await says(page, /no profile knows its headings/);
  await page.getByRole('button', { name: 'Tell what its columns are' }).click();
  await page.getByLabel('Date', { exact: true }).selectOption('file_name');
  await page.getByLabel('Hour', { exact: true }).selectOption('Time');
  await page.getByLabel('Turnover', { exact: true }).selectOption('Total');
  await page.getByLabel('Turnover, and').first().selectOption('-Tax');
  await page.getByLabel('Turnover, and').nth(1).selectOption('-Eftpos Surcharge');
  await page.getByLabel('Restaurant of this file').selectOption('101');
  await says(
    page,
    /11 hours of Restaurant 101 on .*, turnover 6,468\.75, payments not in the file/,
  );
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Read this file so' }).click();
  await chooseRestaurant(page, 'Restaurant', 101);
  await says(page, '11 hours, turnover 6,468.75, payments not in the file');
});

test('a workbook is read, what has two readings is asked, and a template is one click', async () => {
  const page = await openUpload();
  await choose(page, 'files/excel.xlsx');
  await says(page, 'excel.xlsx: 2 hours, turnover 210.00');
  await choose(page, 'files/thousands-dot-rupiah.csv');
  await says(page, /250\.000 may be 250000 or 250/);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download a template' }).click();
  const template = readFileSync(await (await download).path(), 'utf8');
  await chooseFiles(page, { 'template.csv': template });
  await says(page, 'template.csv: 1 hour, turnover 0.00');
});

test('a file of 200,000 lines is read beside the page, which says how far it is', async () => {
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
        '09,Cash,10.50 09,VISA,20.00 10,Visa,7.25'
          .split(' ')
          .map((row) => `Restaurant 101,${date},${row}`),
      )
      .join('\n');
  await chooseFiles(page, { 'tenders-monday.csv': tenders('2025-10-13') });
  await page.getByRole('button', { name: 'Tell what its columns are' }).click();
  await page.getByLabel('Turnover', { exact: true }).selectOption('Paid');
  await page.getByLabel('Is there an amount paid in different ways?').selectOption('Paid');
  await page.getByLabel('How it was paid is told by').selectOption('Tender');
  await page.getByLabel('Cash', { exact: true }).last().selectOption('cash');
  await says(page, /VISA is a payment that the profile does not know/);
  await page.getByLabel('VISA', { exact: true }).selectOption('visa');
  await page.getByLabel('Rows of one hour add up, told apart by').first().selectOption('Tender');
  await says(page, /2 hours of Restaurant 101 on Mon 13 Oct 2025, turnover 37\.75$/);
  await page.getByRole('button', { name: 'Remember this for files like it' }).click();
  await says(page, 'tenders-monday.csv: 2 hours, turnover 37.75');
  const { page: other } = await web.open('upload', { username: till.username });
  await chooseFiles(other, { 'tenders-tuesday.csv': tenders('2025-10-14') });
  await says(other, 'tenders-tuesday.csv: 2 hours, turnover 37.75');
  await other.getByRole('button', { name: 'Upload 1 day' }).click();
  await says(other, '1 of 1 day saved');
  expect((await stored(101, '2025-10-14')).records).toMatchObject([
    { hour: 9, gto: 30.5, cash: 10.5, visa: 20 },
    { hour: 10, gto: 7.25, cash: 0, visa: 7.25 },
  ]);
});

test('a column of restaurant numbers: the question names the file, and has the equal number chosen', async () => {
  const page = await openUpload(office);
  const rows = ['Filialnummer;Datum;Zeit;Umsatz', '101;2025-10-12;9;10.50', '9101;2025-10-12;9;7'];
  await chooseFiles(page, { 'filialen.csv': rows.join('\n') });
  await page.getByRole('button', { name: 'Tell what its columns are' }).click();
  await page.locator('.mapping:focus').waitFor();
  await page.getByLabel('Restaurant of this file').waitFor();
  await says(page, 'Choose the hour and the turnover to see what comes out.');
  await page.getByLabel('Hour', { exact: true }).selectOption('Zeit');
  await page.getByLabel('Turnover', { exact: true }).selectOption('Umsatz');
  await page.getByLabel('Restaurant', { exact: true }).selectOption('told');
  await says(page, /which restaurant is it\? Say its number$/);
  await page.getByLabel('Restaurant', { exact: true }).selectOption('column:Filialnummer');
  await page.getByRole('button', { name: 'Remember this for files like it' }).click();
  await page.getByRole('heading', { name: 'Which restaurant is it?' }).waitFor();
  await says(page, /^101 in filialen.csv is Restaurant 101$/);
  await chooseRestaurant(page, '9101 in filialen.csv is', 111);
  await page.getByRole('region', { name: 'Restaurant 101, 2025-10-12, filialen.csv' }).waitFor();
  await page.getByRole('region', { name: 'Restaurant 111, 2025-10-12, filialen.csv' }).waitFor();
});
