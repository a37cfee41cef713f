import type { Page } from 'playwright-core';
import { BusinessCalendar } from '../../src/calendar/business-calendar.js';
import { givenTill } from '../support/given.js';
import { day, record } from '../support/records.js';
import { eventually } from '../support/service-process.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { chooseFiles, chooseRestaurant, says, signOut, startWeb } from './web-page.js';

const web = startWeb();
const TODAY = '2025-10-16';

beforeAll(() => {
  const calendar = web.service.app.get(BusinessCalendar);
  jest.spyOn(calendar, 'today').mockReturnValue(TODAY);
});

let id = 400;
let till: { username: string; token: string };
beforeEach(async () => (till = await givenTill(web.service, { restaurants: [++id] })));

const openUpload = async (options = {}): Promise<Page> =>
  (await web.open('upload', { username: till.username, ...options })).page;

const stored = async (date = '2025-10-15'): Promise<any> => {
  const path = `/api/v1/sales/daily?restaurant_id=${id}&date=${date}`;
  return (await web.service.client.get(path, { token: till.token })).body;
};

test('a JSON file is checked, shown and saved', async () => {
  const page = await openUpload();
  await chooseFiles(page, { 'tuesday.json': day({ restaurant_id: id, gto: 520 }) });
  await page.getByRole('button', { name: 'Upload 1 day' }).click();
  await says(page, `saved: 24 hourly records saved for restaurant ${id}`);
  expect(await page.getByRole('link', { name: 'Show the day' }).getAttribute('href')).toBe(`#/day/${id}/2025-10-15`); // prettier-ignore
  expect((await stored()).totals.gto).toBe(24 * 520);
});

test('a CSV file, dropped: what would be overwritten and what looks wrong is shown before', async () => {
  await web.upload(till.token, [record({ restaurant_id: id, hour: 9, gto: 1 })]);
  const page = await openUpload();
  const names = Object.keys(record());
  const sent: Record<string, unknown> = record({ restaurant_id: id, hour: 9, gto: 250.75 });
  const csv = [names, names.map((name) => sent[name])].map((row) => row.join()).join('\n');
  const transfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([${JSON.stringify(csv)}], 'day.csv'));
    return transfer;
  })()`);
  await page.dispatchEvent('.drop', 'drop', { dataTransfer: transfer });
  await says(page, 'day.csv: 1 hour, turnover 250.75');
  await says(page, /hours 9 are stored from an upload of a till or a person, uploaded at/);
  await page.getByRole('button', { name: 'Replace the stored hours' }).click();
  await page.getByText('Overwrites 1 hour: turnover 1.00 → 250.75').click();
  const changes = page.getByRole('region', { name: 'Overwritten by day.csv' });
  expect((await changes.innerText()).replace(/\s+/g, ' ')).toContain(
    '09:00 Turnover 1.00 250.75 +249.75',
  );
  await page.getByText(/^\d+ warnings?$/).click();
  await says(page, '09:00: the payments are 1,250.50 in all');
  expect((await stored()).totals.gto).toBe(1);
  await page.getByRole('button', { name: 'Upload 1 day' }).click();
  await says(page, '1 of 1 day saved');
  expect((await stored()).totals.gto).toBe(250.75);
});

test('the file of a mall: its machine is chosen once, and remembered by the browser', async () => {
  const figures = '2|100.5|9|0|0|3|109.5|0|0|0|0|0|0|Y';
  const lines = Array.from({ length: 24 }, (_, hour) => `4012345|1|20251015|${hour}|${figures}`);
  const file = { 'H4012345_20251015.txt': lines.join('\r\n') };
  const asked = '4012345 in H4012345_20251015.txt is';
  const page = await openUpload();
  await chooseFiles(page, file);
  await page.getByRole('heading', { name: 'Which restaurant is it?' }).waitFor();
  await chooseRestaurant(page, asked, id);
  await page.getByRole('button', { name: 'Upload 1 day' }).click();
  await says(page, '1 of 1 day saved');
  expect((await stored()).totals).toMatchObject({ gto: 2412, orders: 48 });
  await page.reload();
  await chooseFiles(page, file);
  await says(page, 'ready');
  await says(page, `${asked} Restaurant ${id}`);
});

test('files and their state survive a change of view, and leaving with them asks first', async () => {
  const page = await openUpload();
  await chooseFiles(page, { 'tuesday.json': day({ restaurant_id: id }) });
  await page.getByRole('button', { name: 'Upload 1 day' }).and(page.locator(':enabled')).waitFor();
  await page.getByRole('link', { name: 'Submissions', exact: true }).click();
  await page.getByRole('region', { name: 'Days by restaurant' }).waitFor();
  await page.getByRole('link', { name: 'Upload', exact: true }).click();
  await says(page, 'tuesday.json: 24 hours');
  const questions: string[] = [];
  page.removeAllListeners('dialog');
  page.on('dialog', (dialog) => {
    questions.push(dialog.type());
    void dialog.dismiss();
  });
  await signOut(page);
  await page.close({ runBeforeUnload: true });
  await eventually(() => questions.length === 2, 'both questions');
  expect(questions).toEqual(['confirm', 'beforeunload']);
});

test('a faulty file is refused whole, by line and heading, as is a day that the service rejects', async () => {
  const page = await openUpload();
  const whole = '4012345|1|20251015|0|2|100.5|9|0|0|3|109.5|0|0|0|0|0|0|Y';
  await chooseFiles(page, {
    'wrong.json': [record({ restaurant_id: id, hour: 25 })],
    'short.txt': `${whole}\n1|2|3`,
    'binary.txt': '\u0000',
    'foreign.json': [record({ restaurant_id: 9_999_999 })],
  });
  await page
    .getByRole('alert')
    .filter({ hasText: /wrong\.json: line 1, hour: 25/ })
    .waitFor();
  await page.getByRole('alert').filter({ hasText: 'short.txt: line 2: 3 cells' }).waitFor();
  await page.getByRole('alert').filter({ hasText: 'binary.txt' }).waitFor();
  await says(page, /^Cannot be uploaded: .*9999999/);
  expect(await page.getByRole('button', { name: /^Upload \d/ }).count()).toBe(0);
});

test('ten files while the service goes away: what failed is sent again', async () => {
  const proxy = await TcpProxy.to(web.service.url);
  const page = await openUpload({ url: new URL(proxy.url).origin });
  const dates = Array.from({ length: 10 }, (_, index) => `2025-09-1${index}`);
  const files = dates.map((date) => [`${date}.json`, day({ restaurant_id: id, date })]);
  await chooseFiles(page, Object.fromEntries(files));
  const upload = page.getByRole('button', { name: 'Upload 10 days' });
  await upload.and(page.locator(':enabled')).waitFor();
  let saved = 0;
  await page.route(/upload-daily.expected_version/, async (route) => {
    if (++saved === 5) proxy.refuse();
    await route.continue();
  });
  await upload.click();
  await says(page, '4 of 10 days saved, 6 failed');
  await page.getByText('failed: The service cannot be reached.').first().waitFor();
  proxy.forward();
  await page.getByRole('button', { name: 'Retry 6 days' }).click();
  await says(page, '10 of 10 days saved');
  for (const date of dates) expect((await stored(date)).records).toHaveLength(24);
  await proxy.close();
});
