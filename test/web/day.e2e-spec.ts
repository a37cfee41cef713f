import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { ClosuresService } from '../../src/restaurants/closures/closures.service.js';
import { givenTill } from '../support/given.js';
import { day, record } from '../support/records.js';
import { says, startWeb } from './web-page.js';

const web = startWeb();

let id = 600;
let till: { username: string; token: string };
beforeEach(async () => (till = await givenTill(web.service, { restaurants: [++id] })));

const upload = (records: object[]): Promise<void> => web.upload(till.token, records);

const openDay = (options?: Parameters<typeof web.open>[1]) =>
  web.open(`day/${id}/2025-10-15`, { username: till.username, ...options });

const textOf = async (page: Page, region: string): Promise<string> => {
  const found = page.getByRole('region', { name: region });
  await found.waitFor();
  return (await found.innerText()).replace(/\s+/g, ' ');
};

const stored = async (): Promise<any> => {
  const path = `/api/v1/sales/daily?restaurant_id=${id}&date=2025-10-15`;
  return (await web.service.client.get(path, { token: till.token })).body;
};

test('figures are shown digit for digit, with the missing hours', async () => {
  const amounts = { gto: 99999999999.9999, cash: 0.0000001, gst: 1250.5 };
  const sent = [9, 10].map((hour) => record({ restaurant_id: id, hour, ...amounts }));
  await upload([sent[0]!, { ...sent[1], cash: 5 }]);
  const { page, problems } = await openDay();
  const text = await textOf(page, 'Figures by hour');
  expect(text).toContain('09:00 42 99,999,999,999.9999 1,250.50 ');
  expect(text).toContain('Total 84 199,999,999,999.9998 2,501.00 ');
  expect(text).toContain(' 0.0000001 ');
  // Zeros that are not seen behind 5.00 bring its decimal point below that of 0.0000001.
  const pads = page.getByRole('cell', { name: '5.00', exact: true });
  expect(await pads.first().getAttribute('data-pad')).toBe('00000');
  await says(page, '22 of 24 expected hours are missing: 00:00 to 09:00, 11:00 to 24:00.');
  expect(problems).toEqual([]);
});

test('each upload shows who sent it, from where, and what it changed', async () => {
  const colleague = await givenTill(web.service, { restaurants: [id] });
  await upload(day({ restaurant_id: id }));
  const changed = record({ restaurant_id: id, hour: 9, gto: 7.5, orders: 9 });
  const headers = { 'X-Upload-Source': encodeURIComponent('Kasse 2, Übertrag.csv') };
  const path = '/api/v1/sales/upload-daily';
  await web.service.client.post(path, { records: [changed] }, { token: colleague.token, headers });
  const { page } = await openDay();
  await says(page, 'sent 24, added 24 hours: turnover 2,682.00');
  await page.getByText(`${colleague.username} (Kasse 2, Übertrag.csv): sent 1, changed 1 hour: turnover 109.25 → 7.50`).click(); // prettier-ignore
  const changes = page.getByRole('region', { name: `Changes of upload ${id}-2025-10-15-2` });
  expect((await changes.innerText()).replace(/\s+/g, ' ')).toMatch(
    /09:00 Turnover 109.25 7.50 −101.75/,
  );
  expect(await textOf(page, 'Figures by hour')).toMatch(/09:00 9 7.50/);
});

test('pictures are drawn beside those of a week before, and all figures are saved as CSV', async () => {
  await upload(day({ restaurant_id: id }));
  await upload(day({ restaurant_id: id, date: '2025-10-08', gto: 100 }));
  const { page, problems } = await openDay();
  const bars = page.getByRole('img', { name: 'Turnover by hour' });
  await bars.waitFor();
  expect([await bars.locator('.now').count(), await bars.locator('.before').count()]).toEqual([24, 24]); // prettier-ignore
  await page.getByLabel('Covers').check();
  await page.getByRole('img', { name: 'Covers by hour' }).waitFor();
  await page.getByText('+11.8%').first().waitFor();
  await says(page, 'Changes compare with Wed 8 Oct 2025');
  await page.getByRole('region', { name: 'Payments' }).getByText('Mastercard').waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).click();
  const lines = readFileSync(await (await download).path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  expect(lines).toHaveLength(25);
  expect(lines[0]).toMatch(/^\uFEFF"Hour","Orders","Turnover",/);
  expect(lines[10]).toMatch(/^"09:00",9,109.25,.*,"\d+",2025-10-15$/);
  expect(problems).toEqual([]);
});

test('links, arrow keys and pickers go to other days and restaurants', async () => {
  const other = await givenTill(web.service, { restaurants: [id, 900] });
  till.username = other.username;
  const { page } = await openDay();
  await says(page, 'Wednesday 15 October 2025');
  await page.getByTitle('Previous day').click();
  await says(page, 'Tuesday 14 October 2025');
  for (let time = 0; time < 2; time++) await page.keyboard.press('ArrowRight');
  await says(page, 'Thursday 16 October 2025');
  expect(page.url()).toBe(`${web.service.url}/app/#/day/${id}/2025-10-16`);
  await page.getByLabel('Date').fill('2025-10-20');
  await page.getByRole('button', { name: 'Show this day' }).click();
  await says(page, 'Monday 20 October 2025');
  await page.getByText(`Restaurant Restaurant ${id}`).click();
  await page.getByLabel('Name or number').fill('900');
  await page.getByRole('button', { name: 'Restaurant 900' }).click();
  await page.waitForURL(`${web.service.url}/app/#/day/900/2025-10-20`);
  expect(await page.locator('nav [aria-current]').innerText()).toBe('Sales');
});

test('figures are corrected by hand: checked first, shown before and after, then saved', async () => {
  await upload([record({ restaurant_id: id, hour: 9, gto: 100.1 })]);
  const { page } = await openDay();
  await page.getByRole('button', { name: 'Correct by hand' }).click();
  await page.getByLabel('09:00 Turnover').fill('1.250,50');
  await says(page, '09:00, Turnover must be an amount with a point, such as 1250.50.');
  await page.getByLabel('09:00 Turnover').fill('99999999999.9999');
  await page.getByLabel('10:00 Orders').fill('7');
  await page.getByRole('button', { name: 'Check 2 hours' }).click();
  const dialog = page.getByRole('dialog', {
    name: `Save 2 hours of Restaurant ${id}, Wed 15 Oct 2025?`,
  });
  await dialog.getByText('Not sent before: 10:00.').waitFor();
  await dialog.getByText(/^09:00: the payments are .*, but turnover is/).waitFor();
  expect((await dialog.getByRole('region').innerText()).replace(/\s+/g, ' ')).toContain(
    '09:00 Turnover 100.10 99,999,999,999.9999 +99,999,999,899.8999',
  );
  expect((await stored()).totals.gto).toBe(100.1);
  await dialog.getByRole('button', { name: 'Save 2 hours' }).click();
  await says(page, 'by hand on the page');
  const { records, totals } = await stored();
  expect([records.length, totals.gto, totals.orders]).toEqual([2, 99999999999.9999, 49]);
});

test('what was typed is there again after other views, and is not given up without a question', async () => {
  await upload([record({ restaurant_id: id, hour: 9, gto: 100 })]);
  const { page, problems } = await openDay();
  const focused = page.locator('h2:focus');
  await page.getByRole('button', { name: 'Correct by hand' }).click();
  expect(await focused.innerText()).toBe('Correcting Wed 15 Oct 2025');
  await page.getByLabel('09:00 Turnover').fill('1,250.50');
  await page.getByRole('link', { name: 'Today', exact: true }).click();
  await page.getByRole('region', { name: 'Missing', exact: true }).waitFor();
  await page.goBack();
  await says(page, 'Correcting Wed 15 Oct 2025');
  expect(await page.getByLabel('09:00 Turnover').inputValue()).toBe('1,250.50');
  await page.getByRole('button', { name: 'Discard' }).click();
  expect(problems).toEqual(['dialog Discard what you typed?']); // which was answered with no
  await page.getByRole('button', { name: 'Check 1 hour' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save 1 hour' }).click();
  await page.getByRole('heading', { name: 'Figures' }).waitFor();
  expect(await focused.innerText()).toBe('Figures');
  expect((await stored()).totals.gto).toBe(1250.5);
  await page.getByRole('button', { name: 'Correct by hand' }).click();
  expect(await page.getByLabel('09:00 Turnover').inputValue()).toBe('1250.5');
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('button', { name: 'Correct by hand' }).waitFor();
  expect(problems).toHaveLength(1);
});

test('two people correct a day at once: the second is told, with the difference', async () => {
  await upload([record({ restaurant_id: id, hour: 9, gto: 100 })]);
  const { page } = await openDay();
  await page.getByRole('button', { name: 'Correct by hand' }).click();
  await page.getByLabel('09:00 Turnover').fill('120');
  await upload([record({ restaurant_id: id, hour: 9, gto: 110, pax: 97 })]);
  await page.getByRole('button', { name: 'Check 1 hour' }).click();
  await says(page, 'The day has changed meanwhile: somebody else has sent it.');
  const differences = await textOf(page, 'Changed meanwhile');
  expect(differences).toContain('09:00 Turnover 100.00 110.00 +10.00');
  expect(differences).toContain('09:00 Covers 96 97 +1');
  expect(await page.getByRole('button', { name: 'Check 1 hour' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Go on from the new figures' }).click();
  await page.getByRole('button', { name: 'Check 1 hour' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('110.00').waitFor();
  await upload([record({ restaurant_id: id, hour: 9, gto: 111 })]); // between the check and the save
  await dialog.getByRole('button', { name: 'Save 1 hour' }).click();
  await says(page, 'The day has changed meanwhile: somebody else has sent it.');
  expect((await stored()).totals.gto).toBe(111);
});

test('somebody else sends the day in the moment of saving: nothing is replaced unseen', async () => {
  await upload([record({ restaurant_id: id, hour: 9, gto: 100 })]);
  const { page } = await openDay();
  await page.getByRole('button', { name: 'Correct by hand' }).click();
  await page.getByLabel('09:00 Turnover').fill('120');
  await page.getByRole('button', { name: 'Check 1 hour' }).click();
  await page.route('**/upload-daily?**', async (route) => {
    await upload([record({ restaurant_id: id, hour: 9, gto: 113, pax: 97 })]);
    await route.continue();
  });
  await page.getByRole('dialog').getByRole('button', { name: 'Save 1 hour' }).click();
  await says(page, 'The day has changed meanwhile: somebody else has sent it.');
  const differences = await textOf(page, 'Changed meanwhile');
  expect(differences).toContain('09:00 Turnover 100.00 113.00 +13.00');
  expect(differences).toContain('09:00 Covers 96 97 +1');
  expect((await stored()).totals).toMatchObject({ gto: 113, pax: 97 });
  await page.unroute('**/upload-daily?**');
  await page.getByRole('button', { name: 'Go on from the new figures' }).click();
  await page.getByRole('button', { name: 'Check 1 hour' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save 1 hour' }).click();
  await says(page, 'changed 1 hour: turnover 113.00 → 120.00');
});

test('a closed day is a state and not a fault, and says what was sent all the same', async () => {
  await upload([record({ restaurant_id: id })]);
  const closure = { firstDay: '2025-10-14', lastDay: '2025-10-15', reason: 'Renovation' };
  await web.service.app.get(ClosuresService).close([id], closure);
  const { page } = await openDay();
  await says(page, 'The restaurant is closed on this day (Renovation). What was sent all the same counts in all sums.'); // prettier-ignore
  expect(await page.locator('.notice.act, .notice.warn').count()).toBe(0);
  await web.show(page, `day/${id}/2025-10-14`);
  await says(page, 'The restaurant is closed on this day (Renovation).');
  expect(await page.getByText('Upload a file').count()).toBe(0);
});
