import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { givenTill } from '../support/given.js';
import { accessibilityViolations, chooseFiles, says, startWeb } from './web-page.js';

const web = startWeb();
const FOLDER = join(__dirname, '../sales');

let till: { username: string; token: string };
beforeAll(async () => (till = await givenTill(web.service, { restaurants: [101, 111] })));

const openUpload = async (): Promise<Page> =>
  (await web.open('upload', { username: till.username })).page;
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
    await page.getByLabel(`Machine ${machine}`).selectOption('101');
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
  await page.getByLabel('Restaurant', { exact: true }).selectOption('101');
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
